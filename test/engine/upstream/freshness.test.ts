import { expect, test } from 'vitest'
import { get } from '../../../src/engine/upstream/request.ts'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import type { CacheRegion } from '../../../src/kit/cache/region.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { scopeSources } from '../../support/scopeSources.ts'
import { never, record, startClient, thing, value } from '../../support/upstreamClient.ts'

const forever = Number.POSITIVE_INFINITY
const prices: CacheRegion<string> = { name: 'prices', maxEntries: 9, ttlMs: 1_000 }
const lists: CacheRegion<string> = {
  ...{ ...prices, name: 'lists' },
  staleWhileRevalidate: { retryDelayMs: 100 },
}
const names: CacheRegion<string | null> = { name: 'names', maxEntries: 9 }
const notes: CacheRegion<Map<string, string>> = { name: 'notes', maxEntries: 10 }

function start() {
  const clock = fakeClock(undefined, 7_000)
  const sources = scopeSources(clock)
  const open = () => new RequestScope(never, sources)
  /** Until when an operation is fresh that does nothing but this. */
  const freshAfter = async (work: (scope: RequestScope) => unknown) => {
    const scope = open()
    await Promise.resolve(work(scope)).catch(() => {})
    return scope.freshness.until
  }
  return { clock, open, freshAfter }
}

const throws = () => {
  throw new Error('down')
}
const failsLate = async ({ onFresh }: { onFresh: (until: number) => void }) => {
  onFresh(80)
  throws()
}

test('an operation is fresh as long as the response that expires first', async () => {
  const { open } = start()
  const { upstream, attempts, clock } = startClient(undefined, { finalTtl: 1_000 })
  const other = get('/other', value, { isFinal: true })
  const [first, second] = [open(), open()]
  const reads = [first.fetch(upstream, record)]
  await clock.advance(400)
  reads.push(first.fetch(upstream, other), second.fetch(upstream, other))
  for (const attempt of attempts) {
    expect(first.freshness.until).toBe(0)
    attempt.answer({ value: 1 })
    await clock.advance(0)
  }
  await Promise.all(reads)
  expect([first.freshness.until, second.freshness.until]).toEqual([1_000, 1_400])
  await second.fetch(upstream, record)
  expect(second.freshness.until).toBe(1_000)
})

test.each([
  ['a response that may change', thing, 200],
  ['a 404', get('/missing', value, { isFinal: true }), 404],
  ['an error', get('/broken', value, { isFinal: true }), 400],
])('an operation is not fresh after %s', async (_, request, status) => {
  const { upstream } = startClient((it) =>
    it.line === 'GET /record'
      ? it.answer({ value: 1 })
      : it.answer(status === 200 ? { value: 1 } : 'tx not found', status),
  )
  const scope = start().open()
  await scope.fetch(upstream, record)
  expect(scope.freshness.until).toBe(60 * 60 * 1000)
  await scope.fetch(upstream, request).catch(() => {})
  expect(scope.freshness.until).toBe(0)
})

test('an operation is not fresh after an upstream that gives no freshness', async () => {
  const silent = { service: 'evm-2', source: 'evm-2', send: async () => null }
  expect(await start().freshAfter((scope) => scope.fetch(silent, record))).toBe(0)
})

test('a cached value is fresh until its entry expires, for all readers', async () => {
  const { clock, freshAfter } = start()
  const read = (key: string) => (scope: RequestScope) => scope.cache.read(prices, key, async () => 'value')
  expect(await freshAfter(read('a'))).toBe(1_000)
  await clock.advance(400)
  expect(await freshAfter(read('a'))).toBe(1_000)
  expect(await freshAfter(read('b'))).toBe(1_400)
  const both = (scope: RequestScope) => Promise.all([read('b')(scope), read('a')(scope)])
  expect(await freshAfter(both)).toBe(1_000)
})

test('callers that share a load have the same freshness, and none before it ends', async () => {
  const { open } = start()
  const gate = deferred<string>()
  const [first, second] = [open(), open()]
  const reads = [first, second].map((scope) => scope.cache.read(prices, 'a', () => gate.promise))
  expect([first.freshness.until, second.freshness.until]).toEqual([0, 0])
  gate.resolve('value')
  expect(await Promise.all(reads)).toEqual(['value', 'value'])
  expect([first.freshness.until, second.freshness.until]).toEqual([1_000, 1_000])
})

test('expired values and failed loads are not fresh', async () => {
  const { clock, freshAfter } = start()
  const read = (scope: RequestScope) => scope.cache.read(lists, 'a', async () => 'value')
  await freshAfter(read)
  await clock.advance(1_001)
  expect(await freshAfter(read)).toBe(0)
  await clock.advance(0)
  expect(await freshAfter(read)).toBe(2_001)
  expect(await freshAfter((scope) => scope.cache.read(lists, 'b', async () => throws()))).toBe(0)
})

test('a value set in the cache is fresh until its entry expires', async () => {
  const { clock, open } = start()
  const [scope, later] = [open(), open()]
  const values = scope.cache.values(names)
  expect([values.get('a'), scope.freshness.until]).toEqual([undefined, forever])
  values.set('a', 'found')
  expect(scope.freshness.until).toBe(forever)
  values.set('b', null, 60)
  expect(scope.freshness.until).toBe(60)
  await clock.advance(20)
  expect([later.cache.values(names).get('a'), later.freshness.until]).toEqual(['found', forever])
  expect([later.cache.values(names).get('b'), later.freshness.until]).toEqual([null, 60])
})

test.each<[string, (scope: RequestScope) => unknown, number]>([
  ['a source that gives a time', (scope) => scope.read(({ onFresh }) => onFresh(80)), 80],
  ['an async source that gives a time', (scope) => scope.read(async ({ onFresh }) => onFresh(80)), 80],
  ['a source that gives no time', (scope) => scope.read(() => 1), 0],
  ['an async source that gives no time', (scope) => scope.read(async () => 1), 0],
  ['a source that fails', async (scope) => scope.read(throws), 0],
  ['an async source that gives a time and fails', (scope) => scope.read(failsLate), 0],
  ['the date', (scope) => expect(scope.date()).toBe(7_000), 0],
  ['no noted value', (scope) => expect(scope.cache.noted(notes, 'a-1', 'a')).toBeUndefined(), 0],
])('after %s, the freshness of an operation is that of the source', async (_, read, until) => {
  expect(await start().freshAfter(read)).toBe(until)
})

test('a noted value is not fresh, and is replaced by the next one', async () => {
  const { freshAfter } = start()
  for (const name of ['first', 'second']) {
    expect(await freshAfter((scope) => scope.cache.note(notes, 'a-1', 'a', name))).toBe(forever)
    expect(await freshAfter((scope) => expect(scope.cache.noted(notes, 'a-1', 'a')).toBe(name))).toBe(0)
    await freshAfter((scope) => expect(scope.cache.noted(notes, 'b-1', 'a')).toBeUndefined())
  }
})

test('a fallback for late work is not fresh, even if the work ends later', async () => {
  const { clock, open } = start()
  const gate = deferred<string>()
  const [late, early] = [open(), open()]
  const read = (scope: RequestScope, key: string, load: () => Promise<string>) =>
    scope.within({ milliseconds: 100 }, () => scope.cache.read(prices, key, load))
  const fallback = read(late, 'a', () => gate.promise).catch(() => 'fallback')
  await clock.advance(100)
  expect(await fallback).toBe('fallback')
  gate.resolve('value')
  await clock.advance(0)
  expect(late.freshness.until).toBe(0)
  await read(early, 'b', async () => 'value')
  expect(early.freshness.until).toBe(1_100)
})

test('a hint does not change freshness', async () => {
  const { freshAfter } = start()
  const note = (scope: RequestScope) => {
    const hints = scope.cache.hints.open<true>({ name: 'long', maxEntries: 9, ttlMs: 10 })
    hints.set('a', true)
    expect(hints.get('a')).toBe(true)
  }
  expect(await freshAfter(note)).toBe(forever)
})
