import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bridges } from '../../src/schema/router/bridges/bridges.ts'
import type { Guidance } from '../../src/schema/router/bridges/guidance.ts'

const page = join(import.meta.dirname, '../../docs/guidance.md')
const head =
  '| Bridge | State | What to write | Next step | Waits for | Funds | They return |\n|---|---|---|---|---|---|---|\n'

const row = (bridge: string, state: string, { sentence, nextStep, late, ...rest }: Guidance): string => {
  const lateText = late ? ` Once late: ${late.sentence}` : ''
  const lateStep = late ? ` Once late: ${late.nextStep}` : ''
  const { waitingFor, funds, returns } = rest
  return `| ${bridge} | \`${state}\` | ${sentence}${lateText} | ${nextStep}${lateStep} | \`${waitingFor}\` | \`${funds}\` | \`${returns}\` |`
}

/** A row for each state of each bridge, and for each direction that differs. */
const table = bridges
  .flatMap(({ id, hop }) =>
    Object.entries(hop.states).flatMap(([state, { guidance, deposit, withdrawal }]) => [
      row(id, state, guidance),
      ...(deposit ? [row(`${id}, deposit`, state, deposit)] : []),
      ...(withdrawal ? [row(`${id}, withdrawal`, state, withdrawal)] : []),
    ]),
  )
  .join('\n')

// DOCS=write writes the table anew.
test('the page has a row for each state of each bridge', () => {
  const text = readFileSync(page, 'utf8')
  const start = text.indexOf(head) + head.length
  const end = text.indexOf('\n\n', start)
  if (process.env.DOCS === 'write') writeFileSync(page, `${text.slice(0, start)}${table}${text.slice(end)}`)
  else expect(text.slice(start, end)).toBe(table)
})
