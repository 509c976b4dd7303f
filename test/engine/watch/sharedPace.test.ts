import { expect, test } from 'vitest'
import { z } from 'zod'
import { get } from '../../../src/engine/upstream/request.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import { Poller } from '../../../src/engine/watch/poller.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { createSharedPeers } from '../../../src/server/fleet/sharedReads/sharedPeers.ts'
import type { ReadResult, SharedReads } from '../../../src/server/fleet/sharedReads/sharedReads.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { second } from './stateWorld.ts'

const transfers = defineTopic<{ state: string }>('transfers')
const router = {
  service: 'router',
  source: 'router',
  send: () => Promise.reject(new Error('alone')),
}
const status = get('/status', z.object({ state: z.string() }))

/** Reads of one target that processes share, as those of a fleet whose Redis answers at once. */
function openReads(clock: ReturnType<typeof fakeClock>) {
  const times: number[] = []
  const outcome = { body: '{"state":"PENDING"}' }
  const followers = new Set<Set<(result: ReadResult) => void>>()
  const resultAt = (at: number, isShared: boolean): ReadResult => {
    const [since = at] = times
    return { outcome, ageMs: clock.now() - at, seriesMs: clock.now() - since, isShared }
  }
  return {
    times,
    join(): SharedReads {
      const own = new Set<(result: ReadResult) => void>()
      followers.add(own)
      return {
        async read(_read, { maxAgeMs }) {
          const newest = times.at(-1)
          if (newest !== undefined && clock.now() - newest <= maxAgeMs) return resultAt(newest, true)
          const at = clock.now()
          times.push(at)
          for (const others of followers) {
            if (others === own) continue
            for (const follower of others) follower(resultAt(at, true))
          }
          return resultAt(at, false)
        },
        follow(_read, listener) {
          own.add(listener)
          return () => void own.delete(listener)
        },
        close: async () => {},
      }
    },
  }
}

/**
 * The reads of a transfer that stays pending, in seconds of a fake clock. A watcher comes every ten seconds for
 * a minute, to the next of so many processes.
 */
async function readsOf(processes: number): Promise<number[]> {
  const clock = fakeClock()
  const fleet = openReads(clock)
  const pollers = Array.from({ length: processes }, () => {
    const peers = createSharedPeers(fleet.join())
    const poller = new Poller({
      ...{ clock, random: () => 0.5, cache: new CacheStore(clock) },
    })
    return { poller, peers }
  })
  for (let watcher = 0; watcher < 6; watcher += 1) {
    const { poller, peers } = pollers[watcher % processes] ?? expect.fail()
    const watch = poller.watch({
      ...{ topic: transfers, key: 'one' },
      fetch: (signal, look) => peers.send(router, status, signal, look),
      follow: (listener) => peers.follow(router, status, listener),
      equals: (before, now) => before.state === now.state,
      ...{ isStale: () => false, isFinal: () => false, isIrreversible: () => false },
      ...{ isSettled: () => false, isFatal: () => false },
      messages: { timeout: '', notFound: '', stillPending: () => '' },
    })
    void watch.next()
    await clock.advance(10 * second)
  }
  await clock.advance(60 * second)
  for (const { poller } of pollers) poller.close()
  return fleet.times.map((time) => time / second)
}

test('late watchers in other processes do not raise the poll rate of a transfer', async () => {
  const [one, six] = await Promise.all([readsOf(1), readsOf(6)])
  const late = (times: number[]) => times.filter((at) => at > 60).length
  expect(late(six)).toBeGreaterThan(10)
  expect(six.length / one.length).toBeGreaterThan(0.9)
  expect(six.length / one.length).toBeLessThan(1.1)
})
