import { expect, test } from 'vitest'
import type { PollerOptions } from '../../../src/engine/watch/poller.ts'
import { gapsOf, second, stateWorld } from './stateWorld.ts'

/** Polls of numbers that are never final. Each request takes that many milliseconds. */
function setup(takes: number, options: Partial<PollerOptions> = {}) {
  const { target, ...world } = stateWorld({ timeoutMs: 60 * second, ...options })
  /** Watches a target for a client. The time of its first event, and its error. */
  const watch = (client: string, key: string, state: number | null = 1) => {
    const answer = () => new Promise<number | null>((resolve) => world.clock.after(takes, () => resolve(state)))
    const iterator = world.poller.watch(target(answer, { key, client }))
    const seen: { at?: number; error?: unknown } = {}
    iterator.next().then(
      () => {
        seen.at = world.clock.now()
      },
      (error: unknown) => {
        seen.error = error
      },
    )
    return { seen, leave: () => void iterator.return?.() }
  }
  return { ...world, watch }
}

test('the first poll of a client does not wait for a client with many targets', async () => {
  const { clock, watch } = setup(100)
  for (let key = 0; key < 1_000; key += 1) watch('attacker', `a${key}`, null)
  await clock.advance(second)
  const start = clock.now()
  const { seen } = watch('honest', 'h')
  await clock.advance(200)
  expect(seen.at).toBeLessThanOrEqual(start + 200)
})

test('first polls go before polls of known targets, without starving them', async () => {
  const { clock, watch, sent } = setup(100, { concurrency: 4 })
  for (let key = 0; key < 400; key += 1) watch(`client ${key}`, `k${key}`)
  // 40 looks a second cannot keep up with 400 targets, so some hundred of them wait.
  await clock.advance(30 * second)
  const start = clock.now()
  const { seen } = watch('new', 'n')
  await clock.advance(300)
  expect(seen.at).toBeLessThanOrEqual(start + 200)
  // Looks at known targets go on beside a stream of first looks.
  sent.splice(0)
  for (let key = 0; key < 200; key += 1) watch(`late ${key}`, `l${key}`)
  await clock.advance(2 * second)
  const isKnown = ({ key }: { key: string }) => key.startsWith('k')
  expect(sent.filter(isKnown).length).toBeGreaterThanOrEqual(15)
  expect(sent.filter((poll) => !isKnown(poll)).length).toBeGreaterThan(45)
})

test('the limit of targets per client counts each target once', async () => {
  const { clock, poller, watch } = setup(10, { maxTargetsPerClient: 2 })
  const first = watch('a', '1')
  watch('a', '1')
  watch('a', '2')
  const refused = watch('a', '3')
  const other = watch('b', '3')
  await clock.advance(100)
  expect(refused.seen.error).toMatchObject({ code: 'RATE_LIMITED' })
  expect([first.seen.error, other.seen.error, poller.size]).toEqual([undefined, undefined, 3])
  first.leave()
  await clock.advance(0)
  const still = watch('a', '4')
  await clock.advance(100)
  expect(still.seen.error).toMatchObject({ code: 'RATE_LIMITED' })
})

test('a target that a client has left no longer counts for its limit', async () => {
  const { clock, poller, watch } = setup(10, { maxTargetsPerClient: 1 })
  const { leave } = watch('a', '1')
  await clock.advance(100)
  leave()
  await clock.advance(0)
  const next = watch('a', '2')
  await clock.advance(100)
  expect([next.seen.at, next.seen.error, poller.size]).toEqual([110, undefined, 1])
})

test('the limit of targets of all clients counts a shared target once', async () => {
  const { clock, watch } = setup(10, { maxTargets: 2 })
  const watched = [watch('a', '1'), watch('b', '2'), watch('c', '2')]
  const refused = watch('d', '3')
  await clock.advance(100)
  expect(watched.map(({ seen }) => seen.error)).toEqual([undefined, undefined, undefined])
  expect(refused.seen.error).toMatchObject({ code: 'RATE_LIMITED' })
})

test('an unknown target is polled at least every five seconds for ten minutes', async () => {
  // The transaction of a wallet can take minutes until it is in a block.
  const { clock, watch, sent } = setup(0, { random: () => 1 })
  watch('a', 'unknown', null)
  await clock.advance(600 * second)
  const waits = gapsOf(sent.map(({ at }) => at))
  expect(waits.length).toBeGreaterThan(100)
  expect(Math.max(...waits)).toBeLessThanOrEqual(5 * second)
})

test('a queued poll is dropped when its listener leaves', async () => {
  const { clock, poller, watch, sent } = setup(1_000, { concurrency: 1 })
  watch('a', '1')
  const { leave } = watch('b', '2')
  await clock.advance(10)
  leave()
  await clock.advance(10_000)
  expect(poller.size).toBe(1)
  expect(sent.some(({ key }) => key === '2')).toBe(false)
})
