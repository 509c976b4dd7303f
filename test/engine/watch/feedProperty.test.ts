import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatewayError } from '../../../src/engine/upstream/error.ts'
import { Feeds } from '../../../src/engine/watch/feeds.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import type { RecordEvent, SequenceSource } from '../../../src/engine/watch/sequenceSource.ts'
import { type FakeClock, fakeClock } from '../../support/fakeClock.ts'
import { runs } from '../../support/property.ts'
import { second } from './stateWorld.ts'

interface Block {
  readonly height: bigint
}

const blocks = defineTopic<Block>('blocks')

type Fault = 'head' | 'range' | 'hang' | 'disorder'

/** What the chain does in one second. */
const turnOf = (faults: readonly Fault[]) =>
  fc.record({
    arrivals: fc.integer({ min: 0, max: 6 }),
    /** How far the head is below the newest block, as at a replica that is behind. */
    headLag: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 8 })),
    /** How many of the newest blocks up to the head the list does not have yet. */
    listLag: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
    fault: fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.constantFrom(...faults)),
  })
type Turn = ReturnType<typeof turnOf> extends fc.Arbitrary<infer Value> ? Value : never

const listener = fc.record({
  joinsAt: fc.integer({ min: 0, max: 30 }),
  /** Seconds after which it leaves; it stays when there are none. */
  staysFor: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
  /** How far below the newest block it starts; without, it starts at the head. */
  behind: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
  /** Milliseconds it takes for each record. */
  slowness: fc.constantFrom<number[]>(0, 0, 100, 700, 3_000),
})

type ListenerPlan = typeof listener extends fc.Arbitrary<infer Value> ? Value : never

const start = 50

/** A chain that goes through the turns, then is well. */
function createChain(clock: FakeClock, turns: readonly Turn[]) {
  const chain = { newest: BigInt(start), headPolls: 0, ranges: 0 }
  const now = () => turns[Math.floor(clock.now() / second)]
  const hang = () => new Promise<never>(() => {})
  const fail = () => Promise.reject(new GatewayError('UPSTREAM_UNAVAILABLE', 'down'))
  const source: SequenceSource<Block> = {
    topic: blocks,
    key: 'chain-1',
    upstream: chain,
    head: async () => {
      chain.headPolls += 1
      if (now()?.fault === 'head') return fail()
      return { position: chain.newest - BigInt(now()?.headLag ?? 0) }
    },
    range: async (from, to) => {
      chain.ranges += 1
      if (to - from >= 7n || to > chain.newest) return fail()
      const fault = now()?.fault
      if (fault === 'range') return fail()
      if (fault === 'hang') return hang()
      const newest = chain.newest - BigInt(now()?.listLag ?? 0)
      const records: Block[] = []
      for (let height = from; height <= to && height <= newest; height += 1n) {
        records.push({ height })
      }
      return fault === 'disorder' ? [...records, { height: from }] : records
    },
    rangeSize: 7,
    positionOf: ({ height }) => height,
    intervalMs: second,
    lateAfterMs: 60 * second,
    isFatal: () => false,
    messages: { timeout: '', invalid: '' },
  }
  return { chain, source }
}

async function run(turns: readonly Turn[], listeners: readonly ListenerPlan[]) {
  const clock = fakeClock()
  const feeds = new Feeds({
    clock,
    random: () => 0.5,
    windowSize: 20,
    concurrency: 4,
    maxGapMs: 60 * second,
  })
  const { chain, source } = createChain(clock, turns)
  const results = listeners.map(({ joinsAt, staysFor, behind, slowness }) => {
    const result = {
      seen: [] as bigint[],
      after: undefined as bigint | undefined,
      hasLeft: false,
      end: undefined as unknown,
    }
    const join = async () => {
      const after = behind === undefined ? undefined : chain.newest - BigInt(Math.min(behind, start))
      result.after = after
      const iterator: AsyncIterableIterator<RecordEvent<Block>> = feeds.listen(source, { after })
      if (staysFor !== undefined) {
        clock.after(staysFor * second, () => {
          result.hasLeft = true
          void iterator.return?.()
        })
      }
      for await (const event of iterator) {
        if (event.kind === 'record') result.seen.push(event.record.height)
        if (slowness > 0) await new Promise<void>((done) => clock.after(slowness, done))
      }
    }
    clock.after(joinsAt * second, () => {
      join().catch((error: unknown) => {
        result.end = error
      })
    })
    return result
  })
  for (const { arrivals } of turns) {
    chain.newest += BigInt(arrivals)
    await clock.advance(second)
  }
  // The slowest listener takes three seconds for each record.
  await clock.advance(3 * second * (Number(chain.newest) + 10))
  const polls = chain.headPolls
  const open = { size: feeds.size, listeners: feeds.listeners, inFlight: feeds.inFlight }
  feeds.close()
  return { results, newest: chain.newest, polls, open }
}

test('listeners of a feed get every record after their start once and in order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turnOf(['head', 'range', 'hang', 'disorder']), { minLength: 1, maxLength: 30 }),
      fc.array(listener, { minLength: 1, maxLength: 8 }),
      async (turns, listeners) => {
        const { results, newest, open } = await run(turns, listeners)
        for (const { seen, after, hasLeft, end } of results) {
          expect(end).toBeUndefined()
          const first = after === undefined ? seen[0] : after + 1n
          const last = hasLeft ? seen.at(-1) : newest
          const expected: bigint[] = []
          if (first !== undefined && last !== undefined) {
            for (let height = first; height <= last; height += 1n) expected.push(height)
          }
          expect(seen).toEqual(expected)
        }
        const stayed = results.filter(({ hasLeft }) => !hasLeft).length
        expect(open).toEqual({ size: stayed > 0 ? 1 : 0, listeners: stayed, inFlight: 0 })
      },
    ),
    { numRuns: runs(80) },
  )
})

// A request that hangs holds its place among those in flight, which may delay a poll.
test('the number of polls does not depend on the number of listeners', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turnOf(['head', 'range', 'disorder']), { minLength: 1, maxLength: 30 }),
      fc.array(listener, { minLength: 1, maxLength: 8 }),
      async (turns, listeners) => {
        const stays = { joinsAt: 0, staysFor: undefined, behind: undefined, slowness: 0 }
        const alone = await run(turns, [stays])
        const together = await run(turns, [stays, ...listeners])
        expect(together.polls).toBe(alone.polls)
      },
    ),
    { numRuns: runs(25) },
  )
})

const visitor = fc.record({
  /** Seconds that each connection lasts, and how long it takes to connect again. */
  connections: fc.array(fc.record({ lasts: fc.integer({ min: 0, max: 12 }), away: fc.integer({ min: 0, max: 20 }) }), {
    minLength: 1,
    maxLength: 5,
  }),
  slowness: fc.constantFrom<number[]>(0, 0, 300, 2_500),
})

test('a listener that reconnects at random times gets every record once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turnOf(['head', 'range', 'hang', 'disorder']), { minLength: 5, maxLength: 30 }),
      fc.array(visitor, { minLength: 1, maxLength: 4 }),
      async (turns, visitors) => {
        const clock = fakeClock()
        const feeds = new Feeds({
          clock,
          random: () => 0.5,
          windowSize: 20,
          maxGapMs: 60 * second,
        })
        const { chain, source } = createChain(clock, turns)
        const results = visitors.map(({ connections, slowness }) => {
          const seen: bigint[] = []
          const connect = async (index: number): Promise<void> => {
            const events = feeds.listen(source, { after: seen.at(-1) })
            const connection = connections[index]
            let hasLeft = false
            if (connection) {
              clock.after(connection.lasts * second, () => {
                hasLeft = true
                void events.return?.()
                clock.after(connection.away * second, () => void connect(index + 1))
              })
            }
            for await (const event of events) {
              if (hasLeft) return
              if (event.kind === 'record') seen.push(event.position)
              if (slowness > 0) await new Promise<void>((done) => clock.after(slowness, done))
            }
          }
          void connect(0)
          return seen
        })
        for (const { arrivals } of turns) {
          chain.newest += BigInt(arrivals)
          await clock.advance(second)
        }
        // All have come back, and the slowest takes 2.5 seconds for each record.
        await clock.advance(5 * 32 * second + 3 * second * (Number(chain.newest) + 10))
        for (const seen of results) {
          const [first] = seen
          const length = first === undefined ? 0 : Number(chain.newest - first) + 1
          expect(seen).toEqual(Array.from({ length }, (_, n) => (first ?? 0n) + BigInt(n)))
        }
        feeds.close()
      },
    ),
    { numRuns: runs(60) },
  )
})
