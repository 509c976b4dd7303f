import { expect, test } from 'vitest'
import { type AttemptOutcome, createCircuits } from '../../src/upstream/circuits.ts'
import { fakeClock } from '../support/fakeClock.ts'

function setup() {
  const clock = fakeClock()
  const circuits = createCircuits(clock)
  /** Makes attempts of one client with these outcomes. Returns how many of them were let through. */
  const attempt = (client: string, outcomes: readonly AttemptOutcome[], route = '/blocks') =>
    outcomes.filter((outcome) => {
      const report = circuits.admit(route, client)
      report?.(outcome)
      return report !== undefined
    }).length
  const isOpen = (route = '/blocks') => {
    const report = circuits.admit(route, 'reader')
    report?.('none')
    return report === undefined
  }
  return { clock, circuits, attempt, isOpen }
}

const times = (count: number, outcome: AttemptOutcome) => Array<AttemptOutcome>(count).fill(outcome)

test('a route opens when half of at least ten attempts failed', () => {
  const { attempt, isOpen } = setup()
  attempt('a', times(5, 'success'))
  expect(attempt('a', times(4, 'failure'))).toBe(4)
  expect(isOpen()).toBe(false)
  attempt('a', ['failure'])
  expect(isOpen()).toBe(true)
  expect(isOpen('/other')).toBe(false)
})

test('fewer than ten attempts open nothing', () => {
  const { attempt, isOpen } = setup()
  attempt('a', times(9, 'failure'))
  expect(isOpen()).toBe(false)
})

test('failures of one client do not count while another client has success', () => {
  const { attempt, isOpen } = setup()
  attempt('victim', ['success'])
  attempt('attacker', times(1_000, 'failure'))
  attempt('attacker', times(1_000, 'timeout'))
  expect(isOpen()).toBe(false)
  attempt('victim', ['failure'])
  expect(isOpen()).toBe(true)
})

test('slow questions of one client open nothing, alone or beside others', () => {
  const { attempt, isOpen } = setup()
  attempt('attacker', times(1_000, 'timeout'))
  expect(isOpen()).toBe(false)
  attempt('victim', ['success', 'success'])
  attempt('attacker', times(1_000, 'timeout'))
  expect(isOpen()).toBe(false)
})

test('a timeout counts half: one success among timeouts of many keeps a route closed', () => {
  const { attempt, isOpen } = setup()
  attempt('a', ['success'])
  for (const client of ['a', 'b', 'c']) attempt(client, times(10, 'timeout'))
  expect(isOpen()).toBe(false)
  attempt('b', ['failure', 'failure'])
  expect(isOpen()).toBe(true)
})

test('timeouts of all clients open a route', () => {
  const { attempt, isOpen } = setup()
  for (const client of ['a', 'b', 'c']) attempt(client, times(4, 'timeout'))
  expect(isOpen()).toBe(true)
})

test('attempts are forgotten after ten seconds', async () => {
  const { clock, attempt, isOpen } = setup()
  attempt('a', times(9, 'failure'))
  await clock.advance(10_000)
  attempt('a', times(9, 'failure'))
  expect(isOpen()).toBe(false)
  await clock.advance(4_999)
  attempt('a', ['failure'])
  expect(isOpen()).toBe(true)
})

test('an upstream that cannot be reached opens for all routes, and one probe closes it', async () => {
  const { clock, circuits, attempt, isOpen } = setup()
  for (const route of ['/a', '/b', '/c', '/d', '/e']) attempt('a', times(2, 'unreachable'), route)
  expect(isOpen('/f')).toBe(true)
  await clock.advance(5_000)
  const probe = circuits.admit('/a', 'a')
  expect(isOpen('/f')).toBe(true)
  probe?.('success')
  expect(isOpen('/f')).toBe(false)
})

test('a failed probe opens a route for another five seconds, and one that has no outcome does not', async () => {
  const { clock, circuits, attempt, isOpen } = setup()
  attempt('a', times(10, 'failure'))
  await clock.advance(5_000)
  circuits.admit('/blocks', 'a')?.('none')
  const probe = circuits.admit('/blocks', 'a')
  expect(isOpen()).toBe(true)
  probe?.('timeout')
  await clock.advance(4_999)
  expect(isOpen()).toBe(true)
  await clock.advance(1)
  expect(isOpen()).toBe(false)
})

test('an attempt that began before a route opened does not close it', () => {
  const { circuits, attempt, isOpen } = setup()
  const early = circuits.admit('/blocks', 'a')
  attempt('a', times(10, 'failure'))
  early?.('success')
  expect(isOpen()).toBe(true)
})
