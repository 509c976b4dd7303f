import { expect, test } from 'vitest'
import { createFeeds } from '../../src/watch/feed.ts'
import type { KeyedSource, KeyPage, ListOffset } from '../../src/watch/keyedSource.ts'
import { defineTopic } from '../../src/watch/topic.ts'
import { fakeClock } from '../support/fakeClock.ts'

const second = 1_000

interface Tx {
  readonly number: bigint
}

const topic = defineTopic<Tx>('blocks of one transaction')

/** A list of that many records, all of them of the key, and what its history answers. */
function createList(
  size: bigint,
  history: (after: ListOffset) => KeyPage<Tx> | null,
): KeyedSource<Tx, Tx> {
  return {
    key: 'list',
    heads: {
      topic,
      key: 'list',
      upstream: {},
      head: async () => ({ position: size, records: [{ number: size }] }),
      range: async () => [],
      rangeSize: 10,
      positionOf: ({ number }) => number,
      intervalMs: second,
      lateAfterMs: 30 * second,
      isFatal: () => false,
      messages: { timeout: '', invalid: '' },
    },
    hasRecords: () => true,
    headOf: ({ number }) => number,
    newest: async () => size,
    after: async (number) => {
      const count = Number(size - number)
      const numbers = Array.from({ length: count }, (_, index) => number + BigInt(index) + 1n)
      return {
        records: numbers.map((own) => ({ number: own, record: { number: own } })),
        isEnd: true,
      }
    },
    keysOf: () => new Set(['key']),
    history: async (_key, after) => history(after),
    isFatal: () => false,
    timeoutMessage: '',
  }
}

/** What a listener gets from the newest record on, as text. */
function listenTo(source: KeyedSource<Tx, Tx>) {
  const clock = fakeClock()
  const stuck: unknown[] = []
  const onStuck = (list: string, error: unknown) => stuck.push([list, error])
  const feeds = createFeeds({ clock, random: () => 0.5, windowSize: 1_000, onStuck })
  const seen: string[] = []
  const run = async () => {
    for await (const { event } of feeds.follow([source], { key: 'key', after: new Map() })) {
      if (event.kind === 'record') seen.push(`${event.record.number}`)
      else seen.push('error' in event ? `${event.kind}: ${event.error}` : event.kind)
    }
  }
  void run()
  return { clock, feeds, seen, stuck }
}

/** A list that grows by one record with each head. */
function createGrowingList() {
  const state = { size: 500n }
  const source: KeyedSource<Tx, Tx> = {
    ...createList(0n, () => ({ records: [], end: { number: state.size, skip: 0 } })),
    newest: async () => state.size,
    after: async (number) =>
      createList(state.size, () => null).after(number, new AbortController().signal),
  }
  const heads = {
    ...source.heads,
    lateAfterMs: 600 * second,
    head: async () => ({ position: state.size, records: [{ number: state.size }] }),
  }
  return { state, source: { ...source, heads } }
}

test('a record whose keys cannot be read has none, and does not stop those after it', async () => {
  const { state, source } = createGrowingList()
  const unreadable = new RangeError('too deep')
  const keysOf = ({ number }: Tx) => {
    if (number === 501n) throw unreadable
    return new Set(['key'])
  }
  const { clock, feeds, seen, stuck } = listenTo({ ...source, keysOf })
  await clock.advance(2 * second)
  for (let step = 0; step < 3; step += 1) {
    state.size += 1n
    await clock.advance(2 * second)
  }
  feeds.close()
  expect(seen).toEqual(['502', '503'])
  expect(stuck).toEqual([['list', unreadable]])
})

test('a list that cannot be read again and again is told once, and goes on when it can', async () => {
  const { state, source } = createGrowingList()
  const fault = new Error('no list')
  let isBroken = false
  const after: typeof source.after = async (...args) => {
    if (isBroken) throw fault
    return source.after(...args)
  }
  const { clock, feeds, seen, stuck } = listenTo({ ...source, after })
  await clock.advance(2 * second)
  isBroken = true
  state.size += 1n
  await clock.advance(4 * second)
  expect([seen, stuck]).toEqual([[], []])
  await clock.advance(20 * second)
  expect(seen).toEqual(['late: Error: no list'])
  expect(stuck).toEqual([['list', fault]])
  isBroken = false
  await clock.advance(10 * second)
  expect(seen.slice(1)).toEqual(['501'])
  isBroken = true
  state.size += 1n
  await clock.advance(20 * second)
  expect(seen.slice(2)).toEqual(['late: Error: no list'])
  feeds.close()
})

test('a listener whose own records cannot be read is told, and gets them later', async () => {
  let isBroken = true
  const { source } = createGrowingList()
  const history: typeof source.history = async () => {
    if (isBroken) throw new Error('no history')
    return {
      records: [{ record: { number: 400n }, place: { number: 500n, skip: 0 } }],
      end: { number: 500n, skip: 0 },
    }
  }
  const clock = fakeClock()
  const feeds = createFeeds({ clock, random: () => 0.5, windowSize: 1_000 })
  const seen: string[] = []
  const run = async () => {
    const options = { key: 'key', after: new Map([['list', { number: 300n, skip: 0 }]]) }
    for await (const { event } of feeds.follow([{ ...source, history }], options))
      seen.push(event.kind === 'record' ? `${event.record.number}` : event.kind)
  }
  void run()
  await clock.advance(20 * second)
  expect(seen).toEqual(['late'])
  isBroken = false
  await clock.advance(10 * second)
  expect(seen).toEqual(['late', '400'])
  feeds.close()
})

/** The numbers of the records that a listener gets from a place on. */
async function follow(source: KeyedSource<Tx, Tx>, after: ListOffset) {
  const clock = fakeClock()
  const feeds = createFeeds({ clock, random: () => 0.5, windowSize: 1_000 })
  const numbers: bigint[] = []
  const run = async () => {
    const events = feeds.follow([source], { key: 'key', after: new Map([['list', after]]) })
    for await (const { event } of events)
      if (event.kind === 'record') numbers.push(event.record.number)
  }
  void run()
  await clock.advance(120 * second)
  feeds.close()
  return numbers
}

const size = 500n

test('records that were delivered do not come again from a list that is behind', async () => {
  let asked = 0
  const source = createList(size, ({ number, skip }) => {
    asked += 1
    // Of the three records after the place, two were delivered. The list has one of them at first.
    if (asked < 4) return null
    const end = { number: size, skip: 0 }
    if (number === size) return { records: [], end }
    expect(skip).toBe(2)
    return { records: [{ record: { number: size }, place: end }], end }
  })
  expect(await follow(source, { number: size - 3n, skip: 2 })).toEqual([size])
})

test('what was delivered up to the end of the list does not come again', async () => {
  const source = createList(size, () => ({ records: [], end: { number: size, skip: 0 } }))
  expect(await follow(source, { number: size - 3n, skip: 3 })).toEqual([])
})

test('a list that has lost records is not waited for without end', async () => {
  const source = createList(size, () => null)
  expect(await follow(source, { number: size - 3n, skip: 5 })).toEqual([size - 2n, size - 1n, size])
})

test('records that the shared reads left out come from the history of their key', async () => {
  let newest = size
  const placeOf = (number: bigint) => ({ number, skip: 0 })
  const source: KeyedSource<Tx, Tx> = {
    ...createList(size, () => null),
    newest: async () => newest,
    after: async (number) => ({
      // Of more than two, the oldest are left out.
      records: [newest - 1n, newest]
        .filter((own) => own > number)
        .map((own) => ({ number: own, record: { number: own } })),
      isEnd: true,
      hasGap: newest - number > 2n,
    }),
    history: async (_key, { number }) => ({
      records: Array.from({ length: Number(newest - number) }, (_, index) => {
        const own = number + BigInt(index) + 1n
        return { record: { number: own }, place: placeOf(own) }
      }),
      end: placeOf(newest),
    }),
  }
  const heads = {
    ...source.heads,
    head: async () => ({ position: newest, records: [{ number: newest }] }),
  }
  const clock = fakeClock()
  const feeds = createFeeds({ clock, random: () => 0.5, windowSize: 1_000 })
  const numbers: bigint[] = []
  const run = async () => {
    const options = { key: 'key', after: new Map() }
    for await (const { event } of feeds.follow([{ ...source, heads }], options))
      if (event.kind === 'record') numbers.push(event.record.number)
  }
  void run()
  await clock.advance(10 * second)
  newest += 1n
  await clock.advance(10 * second)
  newest += 5n
  await clock.advance(10 * second)
  feeds.close()
  expect(numbers).toEqual([1n, 2n, 3n, 4n, 5n, 6n].map((step) => size + step))
})
