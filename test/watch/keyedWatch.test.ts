import { expect, test } from 'vitest'
import { createFeeds, type FeedOptions } from '../../src/watch/feed.ts'
import type { KeyedSource, NewRecords } from '../../src/watch/keyedSource.ts'
import { defineTopic } from '../../src/watch/topic.ts'
import { fakeClock } from '../support/fakeClock.ts'

const second = 1_000

interface Tx {
  readonly number: bigint
}

const topic = defineTopic<Tx>('blocks of one transaction')

/** A list that a test lets grow, and how often it and its heads are read. */
function setUp(options: FeedOptions = {}) {
  const clock = fakeClock()
  const feeds = createFeeds({ clock, random: () => 0.5, windowSize: 1_000, ...options })
  const state = {
    size: 500n,
    /** The newest head, each with a record. */
    head: 500n,
    polls: 0,
    reads: [] as string[],
    /** The newest head without records. */
    emptyTo: 0n,
    /** Set to replace the response to a poll. */
    poll: undefined as (() => Promise<never>) | undefined,
    /** Set to replace the number of the newest record. */
    newest: undefined as (() => Promise<bigint>) | undefined,
    /** Set to replace the response to a read. */
    after: undefined as ((number: bigint) => Promise<NewRecords<Tx>>) | undefined,
    history: async (): Promise<null> => null,
    grow(by = 1n) {
      state.size += by
      state.head += by
    },
  }
  const upTo = (number: bigint, count: bigint): Tx[] =>
    Array.from({ length: Math.max(0, Number(count)) }, (_, index) => ({
      number: number + BigInt(index) + 1n,
    }))
  const source: KeyedSource<Tx, Tx> = {
    key: 'list',
    heads: {
      topic,
      key: 'list',
      upstream: {},
      async head() {
        state.polls += 1
        if (state.poll) return state.poll()
        return { position: state.head, records: [{ number: state.head }] }
      },
      range: async () => [],
      rangeSize: 10,
      positionOf: ({ number }) => number,
      intervalMs: second,
      fullPaceListeners: 5,
      lateAfterMs: 60 * second,
      isFatal: () => false,
      messages: { timeout: '', invalid: '' },
    },
    hasRecords: ({ number }) => number > state.emptyTo,
    headOf: ({ number }) => number,
    newest: async () => state.newest?.() ?? state.size,
    async after(number) {
      state.reads.push(`${clock.now()}`)
      if (state.after) return state.after(number)
      const records = upTo(number, state.size - number)
      return { records: records.map((record) => ({ number: record.number, record })), isEnd: true }
    },
    keysOf: () => new Set(['key']),
    history: () => state.history(),
    isFatal: (error) => error instanceof RangeError,
    timeoutMessage: '',
  }
  const listen = (place?: bigint) => {
    const after = new Map(place === undefined ? [] : [['list', { number: place, skip: 0 }]])
    const events = feeds.follow([source], { key: 'key', after })
    const got = { seen: [] as string[], end: undefined as unknown, leave: () => events.return?.() }
    const run = async () => {
      for await (const { event } of events)
        got.seen.push(event.kind === 'record' ? `${event.record.number}` : event.kind)
      got.end = 'completed'
    }
    run().catch((error: unknown) => {
      got.end = error
    })
    return got
  }
  /** The reads of the list, and the polls of its heads, within that time. */
  const sentIn = async (milliseconds: number) => {
    const [reads, polls] = [state.reads.length, state.polls]
    await clock.advance(milliseconds)
    return { reads: state.reads.length - reads, polls: state.polls - polls }
  }
  return { clock, feeds, state, source, listen, sentIn, upTo }
}

test('one listener has the list read at its pace, and no head polled while the list grows', async () => {
  const { state, listen, sentIn } = setUp()
  const { seen } = listen()
  await sentIn(0)
  for (let time = 0; time < 20; time += 1) {
    state.grow()
    expect(await sentIn(5 * second)).toEqual({ reads: 1, polls: 0 })
  }
  expect(seen).toHaveLength(20)
})

test('a list that is quiet has its heads polled, and is read only after one with records', async () => {
  const { state, listen, sentIn } = setUp()
  const { seen } = listen()
  expect((await sentIn(29 * second)).polls).toBe(0)
  expect((await sentIn(11 * second)).polls).toBeGreaterThan(0)
  // The head at the start has records that may still come.
  await sentIn(60 * second)
  const quiet = await sentIn(20 * second)
  expect(quiet).toEqual({ reads: 0, polls: 4 })
  state.grow()
  await sentIn(10 * second)
  // No head has come for more than a minute.
  expect(seen).toEqual(['late', '501'])
  // It is read by its pace again.
  expect(await sentIn(20 * second)).toEqual({ reads: 4, polls: 0 })
})

test('many listeners have the heads polled, and the list is read when one brings records', async () => {
  const { state, listen, sentIn } = setUp()
  const all = Array.from({ length: 5 }, () => listen())
  await sentIn(15 * second)
  expect(await sentIn(10 * second)).toEqual({ reads: 0, polls: 10 })
  state.grow(3n)
  expect(await sentIn(second)).toEqual({ reads: 1, polls: 1 })
  for (const { seen } of all) expect(seen).toEqual(['501', '502', '503'])
  await all[0]?.leave()
  await sentIn(5 * second)
  // Fewer have it read at their pace.
  expect((await sentIn(10 * second)).polls).toBe(0)
})

test('one read is under way at a time, however many heads come meanwhile', async () => {
  const { state, listen, sentIn } = setUp()
  for (let count = 0; count < 5; count += 1) listen()
  await sentIn(2 * second)
  let release = (_page: NewRecords<Tx>) => {}
  state.after = () =>
    new Promise((resolve) => {
      release = resolve
    })
  state.grow()
  expect((await sentIn(second)).reads).toBe(1)
  state.grow()
  expect((await sentIn(2 * second)).reads).toBe(0)
  release({ records: [], isEnd: true })
  state.after = undefined
  expect((await sentIn(second)).reads).toBeGreaterThan(0)
})

test('few listeners read no more often where others have the heads polled', async () => {
  const { feeds, state, source, listen, sentIn } = setUp()
  const heads = feeds.heads(source.heads, { isUrgent: true })
  void heads.next()
  listen()
  await sentIn(second)
  let reads = 0
  for (let time = 0; time < 20; time += 1) {
    state.grow()
    reads += (await sentIn(second)).reads
  }
  expect(reads).toBe(4)
  await heads.return?.()
})

test('lists that begin to be read together do not stay together', async () => {
  for (const [random, every] of [
    [0, 3_750],
    [0.5, 5_000],
  ] as const) {
    const { state, listen, sentIn } = setUp({ random: () => random })
    listen()
    await sentIn(0)
    state.reads.length = 0
    await sentIn(2 * every)
    expect(state.reads).toEqual([`${every}`, `${2 * every}`])
  }
})

test('a list that lacks what its heads have is late, though they move', async () => {
  const { state, listen, sentIn } = setUp()
  const all = Array.from({ length: 5 }, () => listen())
  await sentIn(2 * second)
  for (let time = 0; time < 59; time += 1) {
    state.head += 1n
    await sentIn(second)
  }
  expect(all[0]?.seen).toEqual([])
  for (let time = 0; time < 3; time += 1) {
    state.head += 1n
    await sentIn(second)
  }
  for (const { seen } of all) expect(seen).toEqual(['late'])
})

test('small pages that may be cut are read on later, and equal ones at once', async () => {
  const { state, listen, sentIn, upTo } = setUp()
  listen()
  await sentIn(0)
  const pages = (size: (number: bigint) => bigint) => {
    state.after = async (number) => {
      const [left, most] = [state.size - number, size(number)]
      const records = upTo(number, left < most ? left : most)
      const placed = records.map((record) => ({ number: record.number, record }))
      return { records: placed, isEnd: records.length === 0 }
    }
  }
  let size = 2n
  // Pages of different sizes are all that there is.
  pages(() => {
    size = size === 2n ? 3n : 2n
    return size
  })
  state.grow(100n)
  expect((await sentIn(20 * second)).reads).toBe(4)
  // Pages of one size are cut: the fourth shows it, and the rest is read with it.
  pages(() => 3n)
  expect((await sentIn(15 * second)).reads).toBe(3)
  expect((await sentIn(5 * second)).reads).toBeGreaterThan(20)
  // Large pages are read on at once.
  pages(() => 10n)
  state.grow(100n)
  expect((await sentIn(5 * second)).reads).toBe(11)
})

test('an error that no retry can mend ends the list and its reads', async () => {
  const { state, listen, sentIn } = setUp()
  const all = Array.from({ length: 5 }, () => listen())
  await sentIn(2 * second)
  const fault = new RangeError('no list')
  state.after = () => Promise.reject(fault)
  state.grow()
  await sentIn(2 * second)
  for (const { seen, end } of all) expect([seen, end]).toEqual([['failed'], fault])
  expect(await sentIn(30 * second)).toEqual({ reads: 0, polls: 0 })
})

test('who joins later begins at the newest record, not at where the list was opened', async () => {
  const { state, listen, sentIn } = setUp()
  listen()
  await sentIn(0)
  state.grow(5n)
  await sentIn(5 * second)
  const later = listen()
  state.grow()
  await sentIn(10 * second)
  expect(later.seen).toEqual(['506'])
})

test('who continues gets what a replica lacked that was read before', async () => {
  const { state, listen, sentIn } = setUp()
  state.size = 450n
  listen()
  await sentIn(0)
  state.size = 500n
  const later = listen(440n)
  await sentIn(second)
  expect(later.seen.slice(0, 1)).toEqual(['441'])
  expect(later.seen.at(-1)).toBe('500')
  expect(later.seen).toHaveLength(60)
})

test('close ends what a listener still requests', async () => {
  const { feeds, state, listen, sentIn } = setUp()
  let asked = 0
  state.history = async () => {
    asked += 1
    return null
  }
  const got = listen(10n)
  await sentIn(second)
  expect(asked).toBeGreaterThan(0)
  feeds.close()
  await sentIn(0)
  const before = asked
  expect(await sentIn(60 * second)).toEqual({ reads: 0, polls: 0 })
  expect([asked, got.seen, got.end]).toEqual([before, [], undefined])
})

test('who continues loses nothing where a read was under way that began later', async () => {
  const { state, listen, sentIn, upTo } = setUp()
  const first = listen()
  await sentIn(0)
  state.grow()
  let release = () => {}
  state.after = (number) =>
    new Promise((resolve) => {
      const records = upTo(number, state.size - number)
      const placed = records.map((record) => ({ number: record.number, record }))
      release = () => resolve({ records: placed, isEnd: true })
    })
  expect((await sentIn(5 * second)).reads).toBe(1)
  const later = listen(440n)
  await sentIn(0)
  release()
  state.after = undefined
  await sentIn(10 * second)
  expect(first.seen).toEqual(['501'])
  expect(later.seen).toEqual(upTo(440n, 61n).map(({ number }) => `${number}`))
})

test('a start that could not be read is read again before the heads can be polled', async () => {
  const { state, listen, sentIn } = setUp()
  const fault = () => Promise.reject(new Error('no answer'))
  state.newest = fault
  state.poll = fault
  const all = Array.from({ length: 5 }, () => listen())
  await sentIn(2 * second)
  state.newest = undefined
  await sentIn(20 * second)
  state.grow()
  state.poll = undefined
  await sentIn(20 * second)
  // A start read only now would be after the record.
  for (const { seen } of all) expect(seen).toContain('501')
})

test('a newest record that cannot be read does not have the list read again and again', async () => {
  const { state, listen, sentIn, upTo } = setUp()
  state.emptyTo = 500n
  state.after = async (number) => {
    const records = upTo(number, 499n - number)
    return { records: records.map((record) => ({ number: record.number, record })), isEnd: true }
  }
  for (let count = 0; count < 5; count += 1) listen(440n)
  await sentIn(5 * second)
  expect(await sentIn(10 * second)).toEqual({ reads: 0, polls: 10 })
})

test('many listeners have a list that lacks what its heads have read after a poll only', async () => {
  const { state, listen, sentIn } = setUp()
  for (let count = 0; count < 5; count += 1) listen()
  await sentIn(2 * second)
  state.head += 1n
  expect(await sentIn(5 * second)).toEqual({ reads: 5, polls: 5 })
  state.poll = () => new Promise(() => {})
  // The poll that gets no answer is given up after four seconds.
  expect(await sentIn(4 * second)).toEqual({ reads: 0, polls: 1 })
})

test('the heads are polled no more from when too few listeners are left', async () => {
  const { listen, sentIn } = setUp()
  const [first] = Array.from({ length: 5 }, () => listen())
  await sentIn(second)
  const before = await sentIn(second)
  expect(before.polls).toBe(1)
  await first?.leave()
  await sentIn(0)
  expect((await sentIn(2 * second)).polls).toBe(0)
})

test('a head polled before the place of the start was known does not make a later one miss its records', async () => {
  const { state, listen, sentIn } = setUp()
  let release = () => {}
  state.newest = () =>
    new Promise((resolve) => {
      release = () => resolve(state.size)
    })
  const all = Array.from({ length: 5 }, () => listen())
  await sentIn(second)
  // The start comes after this record, whose head is polled only later.
  state.grow()
  release()
  await sentIn(30 * second)
  expect((await sentIn(10 * second)).reads).toBe(0)
  for (let time = 0; time < 60; time += 1) {
    state.head += 1n
    state.emptyTo = state.head
    await sentIn(second)
  }
  for (const { seen } of all) expect(seen).toEqual([])
})

test('a head whose records do not come is late, also after a pause in which none was polled', async () => {
  const { state, listen, sentIn } = setUp()
  const [first, ...others] = Array.from({ length: 5 }, () => listen())
  await sentIn(20 * second)
  for (const { leave } of others) await leave()
  expect((await sentIn(8 * second)).polls).toBe(0)
  // The list lacks the record of this head.
  state.head += 1n
  await sentIn(59 * second)
  expect(first?.seen).toEqual([])
  await sentIn(30 * second)
  expect(first?.seen).toEqual(['late'])
  state.size += 1n
  await sentIn(30 * second)
  expect(first?.seen).toContain('501')
})
