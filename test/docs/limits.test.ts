import { expect, test } from 'vitest'
import { settingOf } from '../../src/app/config/settings/settings.ts'
import { limitOf } from '../../src/engine/limits/limits.ts'
import { readPage } from '../support/docBlocks.ts'

const section = readPage('docs/cost.md').split('\n## The limits of a busy client\n')[1]?.split('\n## ')[0] ?? ''
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '))

const numberOf = (value: number): string => value.toLocaleString('en-US')

const written: Readonly<Record<string, (value: number) => string>> = {
  bytes: (value) => `${value / 1024 / 1024} MiB`,
  ms: (value) => `${value / 1_000} seconds`,
}

test.each([
  ...['maxCost', 'maxPageSize', 'maxAnswerBytes', 'maxOpenPerClient'],
  ...['maxConnections', 'timeoutMs', 'upstreamTimeoutMs'],
] as const)('the page of what a client meets has %s with its default', (name) => {
  const { unit, default: fallback } = limitOf(name)
  const text = (written[unit] ?? numberOf)(fallback)
  expect(rows.map(([, limit]) => limit)).toContainEqual(expect.stringContaining(`${text}: \`${settingOf(name).env}\``))
})

test('each limit of a client says how it is refused and what to do', () => {
  expect(rows.length).toBeGreaterThan(20)
  for (const row of rows) expect(row).toHaveLength(4)
})
