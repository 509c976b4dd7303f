import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Feeds } from '../../../src/engine/watch/feeds.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import { intervalOf, jitter } from '../../../src/engine/watch/nextDelay.ts'
import type { SequenceSource } from '../../../src/engine/watch/sequenceSource.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { runs } from '../../support/property.ts'
import { expectWithin, gapsOf, second } from './stateWorld.ts'

// How often the head of a chain is looked at, and how soon a new block is seen, for chains of any pace.

interface Block {
  readonly height: bigint
  /** Milliseconds since 1970, by the clock of the chain. */
  readonly time: number
}

const topic = defineTopic<Block>('blocks')

/** A chain whose first block is at 0. Its indexer shows each block `lag` after its time. */
interface Chain {
  /** Milliseconds from each block to the next one. */
  readonly spacings: readonly number[]
  readonly lag: number
  /** How far the clock of the chain is ahead of ours. */
  readonly skew: number
  /** How many listen, of those that it takes for the full pace. By default one, which is enough. */
  readonly listeners?: number
  readonly fullPaceListeners?: number
}

/** Looks at a chain until its last block. The first ten blocks are indexed when it begins. */
async function follow({ spacings, lag, skew, listeners = 1, fullPaceListeners }: Chain) {
  const clock = fakeClock()
  const blocks: Block[] = [{ height: 0n, time: skew }]
  for (const spacing of spacings) {
    const last = blocks.at(-1)
    if (last) blocks.push({ height: last.height + 1n, time: last.time + spacing })
  }
  const shownAt = (block: Block) => block.time - skew + lag
  const begin = shownAt(blocks[9] ?? { height: 0n, time: 0 })
  const looks: number[] = []
  const source: SequenceSource<Block> = {
    topic,
    key: 'chain',
    upstream: clock,
    head: async () => {
      looks.push(clock.now())
      const records = blocks.filter((block) => shownAt(block) <= clock.now()).slice(-10)
      return { position: records.at(-1)?.height ?? 0n, records }
    },
    range: async (from, to) => blocks.slice(Number(from), Number(to) + 1),
    rangeSize: 100,
    positionOf: ({ height }) => height,
    timeOf: ({ time }) => time,
    intervalMs: second,
    fullPaceListeners,
    lateAfterMs: 30 * second,
    isFatal: () => false,
    messages: { timeout: 'late', invalid: 'invalid' },
  }
  await clock.advance(begin)
  const feeds = new Feeds({ clock, random: () => 0.5 })
  const listener = feeds.listen(source)
  const others = Array.from({ length: listeners - 1 }, () => feeds.listen(source))
  for (const other of others) void other.next()
  const seen: { readonly height: bigint; readonly delay: number; readonly at: number }[] = []
  const run = async () => {
    for await (const event of listener) {
      if (event.kind !== 'record') continue
      const { record } = event
      seen.push({ height: record.height, delay: clock.now() - shownAt(record), at: clock.now() })
    }
  }
  void run()
  const end = shownAt(blocks.at(-1) ?? { height: 0n, time: 0 })
  await clock.advance(end - begin + 8 * second)
  feeds.close()
  expect(seen.map(({ height }) => height)).toEqual(blocks.slice(10).map(({ height }) => height))
  return { looks, seen, minutes: (end - begin) / (60 * second) }
}

/** The shortest wait for an interval, where the random number is always 0.5. */
const leastOf = (interval: number) => Math.min(interval, jitter(interval, 0.5)) - 0.001

const regular = (spacing: number, count = 200) => Array<number>(count).fill(spacing)

test.each([
  // About one look a block, and some more to find out when blocks come.
  { spacing: 2_000, looksABlock: 1.1 },
  { spacing: 3_000, looksABlock: 1.1 },
  { spacing: 5_200, looksABlock: 1.1 },
  { spacing: 400, looksABlock: 0.5 },
  { spacing: 12_000, looksABlock: 2.2 },
])(
  'a block every $spacing ms takes $looksABlock polls, and is seen within a second',
  async ({ spacing, looksABlock }) => {
    for (const lag of [0, 700, 9_100]) {
      const { looks, seen } = await follow({ spacings: regular(spacing), lag, skew: -3_000 })
      expect(looks.length / seen.length).toBeLessThan(looksABlock)
      for (const { delay } of seen) expect(delay).toBeLessThanOrEqual(second)
    }
  },
)

/** Times between blocks, as shares of the usual one, with which a wait cut into parts was once below the interval. */
const cutWaits = [
  0.20000000298023224,
  0.29945796728134155,
  0.4219139516353607,
  0.20000016689300537,
  0.20000028610229492,
  0.34404122829437256,
  0.4761076867580414,
  0.7058318853378296,
  0.6522194743156433,
  0.6346545219421387,
  0.20000000298023224,
  0.20000000298023224,
  0.20000000298023224,
  0.20000000298023224,
  0.3703596591949463,
  0.2000003159046173,
  2.797091245651245,
  0.2792200744152069,
  1.9874484539031982,
  0.6018238663673401,
  2.0398688316345215,
  1.9596564769744873,
  2.521942615509033,
  0.20000001788139343,
  0.3603765666484833,
  0.24204018712043762,
  ...Array<number>(14).fill(0.20000000298023224),
]

test('records wait at most a block time plus one second, or six seconds', async () => {
  const property = fc.asyncProperty(
    fc.integer({ min: 200, max: 20_000 }),
    fc.array(fc.float({ min: Math.fround(0.2), max: 3, noNaN: true }), {
      minLength: 40,
      maxLength: 80,
    }),
    fc.integer({ min: 0, max: 20_000 }),
    fc.integer({ min: -1e9, max: 1e9 }),
    async (usual, factors, lag, skew) => {
      const spacings = [...regular(usual, 9), ...factors.map((factor) => usual * factor)]
      const { looks, seen } = await follow({ spacings, lag, skew })
      for (const { delay, height } of seen) {
        // The time that this block took, or the median of the ten before it.
        const recent = spacings.slice(Math.max(0, Number(height) - 10), Number(height))
        const longest = Math.max(...recent)
        expect(delay).toBeLessThanOrEqual(Math.min(longest + second, 6 * second))
      }
      for (const wait of gapsOf(looks)) expectWithin(wait, leastOf(second), 6 * second + 0.001)
    },
  )
  await fc.assert(property, { numRuns: runs(60), examples: [[757, cutWaits, 0, 0]] })
}, 60_000)

test('a chain that stops is polled less and less, and its next blocks are seen soon', async () => {
  const spacings = [...regular(2_000, 60), 300_000, ...regular(2_000, 60)]
  const { looks, seen } = await follow({ spacings, lag: 500, skew: 0 })
  const stood = looks.filter((at) => at > 60 * 2_000 + second && at < 60 * 2_000 + 300_000)
  expect(stood.length).toBeLessThan(80)
  expect(stood.filter((at) => at > 60 * 2_000 + 200_000).length).toBeLessThan(20)
  expect(seen[51]?.delay).toBeLessThanOrEqual(6 * second)
  // The first ones after it may come with one look.
  for (const { delay } of seen.slice(55)) expect(delay).toBeLessThanOrEqual(1.25 * second)
})

test.each([1, 2, 3, 4])('%i of five listeners poll a chain at their share of the pace at most', async (listeners) => {
  const interval = intervalOf({ kind: 'endless', minMs: second, fullRateAt: 5 }, listeners)
  for (const spacing of [400, 2_000, 3_000, 5_000, 12_000]) {
    for (const lag of [0, 700]) {
      const chain = { spacings: regular(spacing), lag, skew: 0 }
      const { looks, seen, minutes } = await follow({
        ...{ ...chain, listeners, fullPaceListeners: 5 },
      })
      // One more to begin with.
      expect(looks.length - 1).toBeLessThanOrEqual((60 * minutes * second + 8 * second) / leastOf(interval))
      const longest = Math.max(interval, second)
      for (const { delay } of seen) expect(delay).toBeLessThanOrEqual(longest)
    }
  }
})

test.each([1, 2, 3, 4])(
  '%i of five listeners poll a chain with a late block at their share at most',
  async (listeners) => {
    const interval = intervalOf({ kind: 'endless', minMs: second, fullRateAt: 5 }, listeners)
    for (const late of [3_000, 8_000, 12_000, 40_000]) {
      const spacings = [...regular(2_000, 30), late, ...regular(2_000, 30)]
      const chain = { spacings, lag: 700, skew: 0, listeners, fullPaceListeners: 5 }
      const { looks, seen } = await follow(chain)
      for (const { delay } of seen) expect(delay).toBeLessThanOrEqual(6 * second)
      // Another listener that joins makes the second look come early.
      for (const wait of gapsOf(looks).slice(1)) expect(wait).toBeGreaterThanOrEqual(leastOf(interval))
    }
  },
)

/** Numbers from 0 up to, but not including, 1. */
function uniform(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 2 ** 32
  }
}

/** A number from 0 to 1 to a time between two blocks, by a mean of one. */
const distributions = {
  exponential: (random: number) => -Math.log(1 - random * 0.9999),
  uniform: (random: number) => 2 * random,
  'on demand, or after a long time': (random: number) => (random < 0.8 ? 0.15 : 4.4),
  'mostly regular': (random: number) => (random < 0.9 ? 1 : 0.1),
  bursts: (random: number) => (random < 0.6 ? 0.02 : 2.45),
}

test.each(Object.entries(distributions))(
  'block times that are %s: records wait at most the mean plus one second',
  async (_name, spacingOf) => {
    const property = fc.asyncProperty(
      fc.double({ min: 300, max: 15_000, noNaN: true }),
      fc.integer(),
      fc.integer({ min: 0, max: 5_000 }),
      async (mean, seed, lag) => {
        const random = uniform(seed)
        const spacings = Array.from({ length: 120 }, () => mean * spacingOf(random()))
        const { seen } = await follow({ spacings, lag, skew: 0 })
        for (const { delay, height } of seen) {
          const known = spacings.slice(0, Number(height))
          const observed = known.reduce((sum, spacing) => sum + spacing, 0) / known.length
          expect(delay).toBeLessThanOrEqual(observed + second)
        }
      },
    )
    await fc.assert(property, { numRuns: runs(20) })
  },
  60_000,
)
