import { Repeater } from '@repeaterjs/repeater'
import { expect, test } from 'vitest'
import { type MapEventsOptions, mapEvents } from '../../../src/server/operation/mapEvents.ts'

interface Event {
  readonly key: string
  readonly value: number
}

/** A stream of events whose results are made when the test says so. */
function setUp(events: readonly Event[], options: Partial<MapEventsOptions<Event, string>> = {}) {
  const started: string[] = []
  const makes = new Map<string, (result: string) => void>()
  const leaving = new AbortController()
  let isReturned = false
  const source = new Repeater<Event>(async (push, stop) => {
    stop.then(() => {
      isReturned = true
    })
    for (const event of events) await push(event)
    if (!events.some(({ key }) => key === 'open')) stop()
    await stop
  })
  const results = mapEvents<Event, string>(source, {
    run: ({ key, value }) => {
      const name = `${key}${value}`
      started.push(name)
      return new Promise((resolve) => makes.set(name, resolve))
    },
    signal: leaving.signal,
    onEnd() {},
    formatError: (error) => new Error(`formatted ${error}`),
    ...options,
  })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  return {
    results,
    started,
    leaving,
    turn,
    isReturned: () => isReturned,
    make: (name: string) => makes.get(name)?.(name),
  }
}

const abc = [
  { key: 'a', value: 1 },
  { key: 'b', value: 1 },
  { key: 'a', value: 2 },
  { key: 'c', value: 1 },
]
const byKey = { keyOf: ({ key }: Event) => key, eventsAtOnce: 10 }

test('by default, an event waits until the previous result is read', async () => {
  const { results, started, make, turn } = setUp(abc)
  const first = results.next()
  await turn()
  expect(started).toEqual(['a1'])
  make('a1')
  expect(await first).toEqual({ value: 'a1', done: false })
  void results.next()
  await turn()
  expect(started).toEqual(['a1', 'b1'])
})

test('a slow event does not delay other keys, and keeps the order of its key', async () => {
  const { results, started, make, turn } = setUp(abc, byKey)
  const all: string[] = []
  const read = (async () => {
    for await (const result of results) all.push(result)
  })()
  for (let i = 0; i < 10; i += 1) await turn()
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1'])
  make('a2')
  make('c1')
  await turn()
  make('b1')
  await turn()
  expect(all).toEqual(['c1', 'b1'])
  make('a1')
  await read
  expect(all).toEqual(['c1', 'b1', 'a1', 'a2'])
})

test('with isInTurn, an event waits only for the previous event of its key', async () => {
  const { results, started, make, turn } = setUp(abc, { ...byKey, isInTurn: true })
  void results.next()
  for (let i = 0; i < 10; i += 1) await turn()
  expect(started).toEqual(['a1', 'b1', 'c1'])
  make('a1')
  for (let i = 0; i < 3; i += 1) await turn()
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2'])
})

test('eventsAtOnce bounds the events that run at once', async () => {
  const { results, started, make, turn } = setUp(abc, { ...byKey, eventsAtOnce: 2 })
  const first = results.next()
  for (let i = 0; i < 10; i += 1) await turn()
  expect(started).toEqual(['a1', 'b1'])
  make('b1')
  expect(await first).toEqual({ value: 'b1', done: false })
})

test('a source error ends the stream after the results of all events', async () => {
  const source = new Repeater<Event>(async (push, stop) => {
    await push({ key: 'a', value: 1 })
    stop('fault')
  })
  let made = (_result: string) => {}
  const results = mapEvents<Event, string>(source, {
    ...{ ...byKey, signal: new AbortController().signal, onEnd() {} },
    run: () =>
      new Promise((resolve) => {
        made = resolve
      }),
    formatError: (error) => new Error(`formatted ${error}`),
  })
  const first = results.next()
  await new Promise((resolve) => setImmediate(resolve))
  made('late')
  expect(await first).toEqual({ value: 'late', done: false })
  await expect(results.next()).rejects.toThrow('formatted fault')
  expect(await results.next()).toEqual({ value: undefined, done: true })
})

test('an abort ends the source at once, even during an event', async () => {
  const { results, leaving, turn, isReturned } = setUp([...abc, { key: 'open', value: 1 }], byKey)
  const first = results.next()
  await turn()
  leaving.abort()
  expect(await first).toEqual({ value: undefined, done: true })
  expect(isReturned()).toBe(true)
})
