import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { openLog } from '../../src/engine/telemetry/log.ts'

/** What a log in a format writes for one entry. */
async function written(format: 'auto' | 'json' | 'pretty', isTerminal: boolean) {
  const lines: string[] = []
  const destination = { write: (line: string) => void lines.push(line) }
  const log = openLog('info', format, destination, isTerminal)
  log.debug('not logged')
  log.warn({ service: 'a-1' }, 'upstream is down')
  return lines
}

test.each([
  ['auto', false],
  ['json', false],
  ['json', true],
] as const)('format %s writes JSON (terminal: %s)', async (format, isTerminal) => {
  const [line = '', ...others] = await written(format, isTerminal)
  expect(JSON.parse(line)).toMatchObject({ level: 40, service: 'a-1', msg: 'upstream is down' })
  expect(others).toEqual([])
})

test.each([
  ['auto', true],
  ['pretty', true],
  ['pretty', false],
] as const)('format %s writes one readable line (terminal: %s)', async (format, isTerminal) => {
  const [line = '', ...others] = await written(format, isTerminal)
  const text = stripVTControlCharacters(line)
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: upstream is down \{"service":"a-1"\}\n$/)
  expect(line === text).toBe(!isTerminal)
  expect(others).toEqual([])
})
