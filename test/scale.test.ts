import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { compileProgram } from './support/program.ts'
import type { Json } from './support/testServer.ts'

const root = join(import.meta.dirname, '..')
const run = (script: string, ...args: string[]): string =>
  execFileSync(process.execPath, [join(root, script), ...args], { encoding: 'utf8' })

test('docs/scale.md has the tables that npm run scale computes from the figures', () => {
  const page = readFileSync(join(root, 'docs/scale.md'), 'utf8')
  expect(run('scripts/scale.mjs')).toBe(page)
  expect(page).toContain('| concurrent users | 1,000 | 100,000 | 10,000,000 |')
  expect(page).not.toMatch(/NaN|undefined|Infinity/)
})

test('gateways that come and go poll a thing once at a time, and lose no watcher', () => {
  compileProgram()
  const load = ['--gateways', '12', '--transfers', '15', '--minutes', '1']
  const churn = ['--deaths', '8', '--restarts', '8']
  const { one, calm, many }: Json = JSON.parse(run('bench/simulation/run.mjs', ...load, ...churn))
  for (const { lost, watchers, mostPollsOfAKeyAtOnce, mostInFlight, waitMostMs } of [
    one,
    calm,
    many,
  ]) {
    expect(watchers).toBeGreaterThan(60)
    expect([lost, mostPollsOfAKeyAtOnce]).toEqual([0, 1])
    expect(mostInFlight).toBeLessThanOrEqual(32)
    expect(waitMostMs).toBeLessThan(20_000)
  }
  expect(many.deaths).toBeGreaterThan(3)
  expect(calm.polls / calm.transfers).toBeLessThan((1.5 * one.polls) / one.transfers)
  // One poll of the head an interval, however many gateways follow it.
  for (const { headPollsPerChainAndSecond } of [one, calm, many]) {
    expect(headPollsPerChainAndSecond).toBeLessThan(1.25)
  }
})
