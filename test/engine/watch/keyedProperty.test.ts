import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatewayError } from '../../../src/engine/upstream/error.ts'
import { Feeds } from '../../../src/engine/watch/feeds.ts'
import type { FollowEvent } from '../../../src/engine/watch/followLists.ts'
import type { KeyedSource, ListOffset } from '../../../src/engine/watch/keyedSource.ts'
import { defineTopic } from '../../../src/engine/watch/model.ts'
import { type FakeClock, fakeClock } from '../../support/fakeClock.ts'
import { runs } from '../../support/property.ts'
import { second } from './stateWorld.ts'

interface Block {
  readonly height: bigint
  readonly size: number
}

interface Tx {
  readonly number: bigint
  readonly height: bigint
  readonly names: readonly string[]
}

const blocks = defineTopic<Block>('blocks')
const accounts = ['a', 'b', 'c']

const names = fc.subarray(accounts)

/** What a chain does in one second. */
const turn = fc.record({
  /** The transactions of each new block, and whom they name. */
  arrivals: fc.array(fc.array(names, { maxLength: 4 }), { maxLength: 3 }),
  /** Blocks that the lists lack although the head has them, and that the head lacks. */
  listLag: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
  /** The same for the lists of accounts, as at a replica that is behind. */
  historyLag: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.constantFrom(1, 2)),
  headLag: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 5 })),
  fault: fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    fc.constantFrom('head', 'list', 'history', 'all', 'hang'),
  ),
  /** How many numbers are left out before the transactions: lists can have gaps. */
  gap: fc.oneof({ weight: 6, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 3 })),
})
type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never

const plan = fc.record({
  account: fc.constantFrom(...accounts),
  joinsAt: fc.integer({ min: 0, max: 30 }),
  /** Seconds that each connection lasts, and how long it takes to connect again. */
  connections: fc.array(fc.record({ lasts: fc.integer({ min: 0, max: 15 }), away: fc.integer({ min: 0, max: 30 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  slowness: fc.constantFrom(0, 0, 300, 2_500),
})
type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never

const fail = () => Promise.reject(new GatewayError('UPSTREAM_UNAVAILABLE', 'down'))

/** A chain that goes through the turns, then is well. */
function createChain(key: string, clock: FakeClock, turns: readonly Turn[], fullPaceListeners: number) {
  const txs: Tx[] = []
  const sizes: number[] = [0]
  const now = () => turns[Math.floor(clock.now() / second)]
  const chain = { key, txs, isFirstSeen: false, reads: 0 }
  const newest = () => BigInt(sizes.length - 1)
  const listed = (lag = now()?.listLag ?? 0) => {
    const top = newest() - BigInt(lag)
    return txs.filter(({ height }) => height <= top)
  }
  const answer = async <R>(kinds: readonly string[], value: () => R): Promise<R> => {
    const fault = now()?.fault
    if (fault === 'hang') return new Promise(() => {})
    return fault && kinds.includes(fault) ? fail() : value()
  }
  const arrive = () => {
    const { arrivals = [], gap = 0 } = now() ?? {}
    let number = (txs.at(-1)?.number ?? 0n) + BigInt(gap)
    for (const block of arrivals) {
      sizes.push(block.length)
      for (const named of block) {
        number += 1n
        txs.push({ number, height: newest(), names: named })
      }
    }
  }
  const source: KeyedSource<Tx, Block> = {
    key,
    heads: {
      topic: blocks,
      key,
      upstream: chain,
      head: () =>
        answer(['head', 'all'], () => {
          const top = newest() - BigInt(now()?.headLag ?? 0)
          const position = top > 0n ? top : 0n
          return { position, records: [{ height: position, size: sizes[Number(position)] ?? 0 }] }
        }),
      range: fail,
      rangeSize: 10,
      positionOf: ({ height }) => height,
      intervalMs: second,
      fullPaceListeners,
      lateAfterMs: 30 * second,
      isFatal: () => false,
      messages: { timeout: '', invalid: '' },
    },
    hasRecords: ({ size }) => size > 0,
    headOf: ({ height }) => height,
    newest: () => answer(['list', 'all'], () => listed().at(-1)?.number ?? 0n),
    after: (number) =>
      answer(['list', 'all'], () => {
        chain.reads += 1
        const rest = listed().filter((tx) => tx.number > number)
        const page = rest.slice(0, 5)
        return {
          records: page.map((record) => ({ number: record.number, record })),
          isEnd: page.length < 5,
        }
      }),
    keysOf: (record) => new Set(record.names),
    history: (account, after) =>
      answer(['history', 'all'], () => {
        const all = listed(now()?.historyLag ?? 0).filter(
          (tx) => tx.number > after.number && tx.names.includes(account),
        )
        if (all.length < after.skip) return null
        const records = all
          .map((record, index) => ({
            record,
            place:
              index % 4 === 3 || index === all.length - 1
                ? { number: record.number, skip: 0 }
                : { number: after.number, skip: index + 1 },
          }))
          .slice(after.skip, after.skip + 4)
        const last = records.at(-1)?.record ?? all.at(-1)
        return { records, end: { number: last?.number ?? after.number, skip: 0 } }
      }),
    isFatal: () => false,
    timeoutMessage: '',
  }
  return { ...chain, arrive, source }
}

const collect = async (
  iterator: AsyncIterableIterator<FollowEvent<Tx>>,
  onEvent: (event: FollowEvent<Tx>) => Promise<void>,
) => {
  for await (const event of iterator) await onEvent(event)
}

test('listeners of lists get each record once and in order despite faults', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(turn, { minLength: 20, maxLength: 40 }), { minLength: 1, maxLength: 3 }),
      fc.array(plan, { minLength: 1, maxLength: 5 }),
      // Whether the lists are read after new heads, at a pace of their own, or in turns.
      fc.constantFrom(1, 3, 10),
      // How many follow the heads, too.
      fc.constantFrom(0, 0, 1, 10),
      async (allTurns, plans, fullPaceListeners, others) => {
        const clock = fakeClock()
        const feeds = new Feeds({ clock, random: () => 0.5, windowSize: 20 })
        const chains = allTurns.map((turns, index) => createChain(`c${index}`, clock, turns, fullPaceListeners))
        for (let index = 0; index < others; index += 1)
          for (const { source } of chains) void feeds.heads(source.heads).next()
        const results = plans.map((listener) => run(clock, feeds, chains, listener))
        for (let time = 0; time < 40; time += 1) {
          for (const chain of chains) chain.arrive()
          await clock.advance(second)
        }
        // A slow listener of many records takes longer than the others. Advance until no more come.
        const count = () => results.reduce((sum, { seen }) => sum + seen.length, 0)
        for (let before = -1; count() > before; ) {
          before = count()
          await clock.advance(400 * second)
        }
        for (const { seen, starts, account } of results) {
          for (const { key, txs } of chains) {
            const start = starts.get(key)
            const numbers = seen.flatMap((event) => (event.key === key ? [event.number] : []))
            const expected = txs
              .filter(({ number, names }) => start !== undefined && number > start && names.includes(account))
              .map(({ number }) => number)
            expect([key, numbers]).toEqual([key, expected])
          }
        }
        feeds.close()
      },
    ),
    { numRuns: runs(60) },
  )
})

/** Follows all chains, leaves and comes back with its last places. */
function run(
  clock: FakeClock,
  feeds: Feeds,
  chains: readonly ReturnType<typeof createChain>[],
  { account, joinsAt, connections, slowness }: Plan,
) {
  const seen: { key: string; number: bigint }[] = []
  /** The first place that was told for each chain. */
  const starts = new Map<string, bigint>()
  let places: ReadonlyMap<string, ListOffset> = new Map()
  const connect = async (index: number) => {
    const sources = chains.map(({ source }) => source)
    const iterator = feeds.follow(sources, { key: account, after: places })
    const connection = connections[index]
    let hasLeft = false
    if (connection) {
      clock.after(connection.lasts * second, () => {
        hasLeft = true
        void iterator.return?.()
        clock.after(connection.away * second, () => void connect(index + 1))
      })
    }
    await collect(iterator, async (event) => {
      if (hasLeft) return
      const before = places
      places = event.places
      for (const [key, { number }] of places) {
        if (before.has(key)) continue
        // The first event of a chain comes after its start.
        const isOwn = event.list === key && event.event.kind === 'record'
        if (!isOwn) starts.set(key, number)
        else if (event.event.kind === 'record') starts.set(key, event.event.record.number - 1n)
      }
      if (event.event.kind === 'record') {
        seen.push({ key: event.list, number: event.event.record.number })
      }
      if (slowness > 0) await new Promise<void>((done) => clock.after(slowness, done))
    })
  }
  clock.after(joinsAt * second, () => void connect(0))
  return { seen, starts, account }
}
