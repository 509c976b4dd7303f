import { expect, test } from 'vitest'
import { backoff } from '../../../src/engine/watch/nextDelay.ts'
import type { PeerObservation } from '../../../src/engine/watch/peers.ts'
import type { SequenceSource, SequenceTop } from '../../../src/engine/watch/sequenceSource.ts'
import { type Block, feedWorld } from './feedWorld.ts'
import { expectWithin, second } from './stateWorld.ts'

/** A chain whose head is polled each second for five listeners, and less often for one. */
function setup() {
  const world = feedWorld()
  const peers = {
    /** How old what others have read may be for the last poll. */
    maxAgeMs: undefined as number | undefined,
    isFollowed: false,
    see: (_sight: PeerObservation<SequenceTop<Block>>) => {},
  }
  const source: SequenceSource<Block> = {
    ...world.source,
    fullPaceListeners: 5,
    isFatal: (error) => error instanceof RangeError,
    head(signal, look) {
      peers.maxAgeMs = look?.maxAgeMs
      return world.source.head(signal)
    },
    follow(see) {
      Object.assign(peers, { see, isFollowed: true })
      return () => {
        peers.isFollowed = false
      }
    },
  }
  world.chain.head = 10n
  /** Listens to the heads; urgently, as five do. */
  const listen = (isUrgent = false) => {
    const iterator = world.feeds.heads(source, { isUrgent })
    const heads: (bigint | undefined)[] = []
    const end = { error: undefined as unknown }
    const run = async () => {
      for await (const { position } of iterator) heads.push(position)
    }
    run().catch((error: unknown) => {
      end.error = error
    })
    return { heads, end, leave: () => iterator.return?.() }
  }
  /** How many polls there are within that time. */
  const pollsIn = async (milliseconds: number) => {
    const before = world.chain.polls.length
    await world.clock.advance(milliseconds)
    return world.chain.polls.length - before
  }
  return { ...world, peers, listen, pollsIn }
}

test('a head that moved back is polled at the full pace for a single listener', async () => {
  const { listen, pollsIn, to } = setup()
  listen()
  await to(10, 0)
  expect(await pollsIn(10 * second)).toBeLessThan(6)
  await to(8, 10 * second)
  expect(await pollsIn(10 * second)).toBeGreaterThan(6)
  await to(11)
  expect(await pollsIn(10 * second)).toBeLessThan(6)
})

test('an urgent listener makes the next head poll come sooner', async () => {
  const { listen, pollsIn } = setup()
  listen()
  await pollsIn(500)
  listen(true)
  expect(await pollsIn(second)).toBe(1)
  expect(await pollsIn(10 * second)).toBeGreaterThan(6)
})

test('heads of other gateways are followed and reused while anyone listens', async () => {
  const { peers, listen, pollsIn } = setup()
  const [first, other] = [listen(), listen()]
  await pollsIn(0)
  await first.leave()
  await first.leave()
  // As often as for one listener: the one that has left no longer counts.
  expectWithin(await pollsIn(10 * second), 1, 4)
  expect(peers.isFollowed).toBe(true)
  // What others read before this interval is not the newest.
  expectWithin(peers.maxAgeMs ?? 0, 1, 5 * second)
  await other.leave()
  expect(peers.isFollowed).toBe(false)
})

test('a head from another gateway replaces a poll', async () => {
  const { clock, chain, peers, listen, pollsIn } = setup()
  const { heads } = listen(true)
  await clock.advance(0)
  // It polls next, by the time of its poll, and this gateway some time later.
  for (let time = 0; time < 5; time += 1) {
    await clock.advance(900)
    peers.see({ ageMs: 200, value: { position: 20n + BigInt(time) } })
  }
  await clock.advance(0)
  expect([chain.polls.length, heads.at(-1)]).toEqual([1, 24n])
  // It waits longer than the other one does, which polls within an interval with jitter.
  expect(await pollsIn(second)).toBe(0)
  expect(await pollsIn(2 * second)).toBeGreaterThan(0)
  // A 404 of another gateway shows nothing.
  peers.see({ ageMs: 0, value: null })
  await clock.advance(0)
  expect(heads.at(-1)).toBe(24n)
})

test('a fault of another gateway delays the next poll, but does not end listeners', async () => {
  const { peers, listen, pollsIn } = setup()
  const { end } = listen(true)
  await pollsIn(500)
  peers.see({ ageMs: 0, error: new Error('down') })
  // The other one tries again first.
  expect(await pollsIn(backoff(1))).toBe(0)
  expect(await pollsIn(2 * second)).toBeGreaterThan(0)
  peers.see({ ageMs: 0, error: new RangeError('gone') })
  expect(await pollsIn(2 * second)).toBeGreaterThan(0)
  expect(end.error).toBeUndefined()
})
