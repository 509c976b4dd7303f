import { expect, test } from 'vitest'
import type { CacheRegion } from '../../src/kit/cache/cache.ts'
import { createRequestScope, type RequestScope } from '../../src/upstream/requestScope.ts'
import { deferred } from '../support/deferred.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { scopeSources } from '../support/scopeSources.ts'

const never = new AbortController().signal
const forever = Number.POSITIVE_INFINITY
const prices: CacheRegion<string> = { name: 'prices', maxEntries: 9, ttlMs: 1_000 }
const lists: CacheRegion<string> = {
  ...{ name: 'lists', maxEntries: 9, ttlMs: 1_000 },
  staleWhileRevalidate: { retryDelayMs: 100 },
}

function start() {
  const clock = fakeClock(undefined, 7_000)
  const sources = scopeSources(clock)
  const open = () => createRequestScope(never, sources)
  /** Until when an operation is fresh that does nothing but this. */
  const freshAfter = async (work: (scope: RequestScope) => unknown) => {
    const scope = open()
    await Promise.resolve(work(scope)).catch(() => {})
    return scope.freshUntil
  }
  return { clock, open, freshAfter }
}

test('a cached value is true until its entry expires, for all who read it', async () => {
  const { clock, freshAfter } = start()
  const load = async () => 'value'
  expect(await freshAfter((scope) => scope.cached(prices, 'a', load))).toBe(1_000)
  await clock.advance(400)
  expect(await freshAfter((scope) => scope.cached(prices, 'a', load))).toBe(1_000)
  expect(await freshAfter((scope) => scope.cached(prices, 'b', load))).toBe(1_400)
  const both = async (scope: RequestScope) => {
    await scope.cached(prices, 'b', load)
    await scope.cached(prices, 'a', load)
  }
  expect(await freshAfter(both)).toBe(1_000)
})

test('callers that share a load are fresh alike, and not before it ends', async () => {
  const { open } = start()
  const gate = deferred<string>()
  const [first, second] = [open(), open()]
  const reads = [first, second].map((scope) => scope.cached(prices, 'a', () => gate.promise))
  expect([first.freshUntil, second.freshUntil]).toEqual([0, 0])
  gate.resolve('value')
  expect(await Promise.all(reads)).toEqual(['value', 'value'])
  expect([first.freshUntil, second.freshUntil]).toEqual([1_000, 1_000])
})

test('a value that has expired, and a load that fails, are true for no time', async () => {
  const { clock, freshAfter } = start()
  await freshAfter((scope) => scope.cached(lists, 'a', async () => 'old'))
  await clock.advance(1_001)
  const refreshed = (scope: RequestScope) => scope.cached(lists, 'a', async () => 'new')
  expect(await freshAfter(refreshed)).toBe(0)
  await clock.advance(0)
  expect(await freshAfter(refreshed)).toBe(2_001)
  const failing = (scope: RequestScope) =>
    scope.cached(lists, 'b', () => Promise.reject(new Error('down')))
  expect(await freshAfter(failing)).toBe(0)
})

test('a value that was cached by hand is true for its own time', async () => {
  const { clock, open } = start()
  const scope = open()
  const region: CacheRegion<string | null> = { name: 'shown', maxEntries: 9 }
  const values = scope.cachedValues(region)
  expect([values.get('a'), scope.freshUntil]).toEqual([undefined, forever])
  values.set('a', 'found')
  expect(scope.freshUntil).toBe(forever)
  values.set('b', null, 60)
  expect(scope.freshUntil).toBe(60)
  await clock.advance(20)
  const later = open()
  expect(later.cachedValues(region).get('a')).toBe('found')
  expect(later.freshUntil).toBe(forever)
  expect(later.cachedValues(region).get('b')).toBeNull()
  expect(later.freshUntil).toBe(60)
})

test('another source is believed until the time that it says, and else for no time', async () => {
  const { freshAfter } = start()
  const fails = () => {
    throw new Error('down')
  }
  expect(await freshAfter((scope) => scope.read(({ onFresh }) => onFresh(80)))).toBe(80)
  expect(await freshAfter((scope) => scope.read(async ({ onFresh }) => onFresh(80)))).toBe(80)
  expect(await freshAfter((scope) => scope.read(() => 1))).toBe(0)
  expect(await freshAfter(async (scope) => scope.read(async () => 1))).toBe(0)
  expect(await freshAfter(async (scope) => scope.read(fails))).toBe(0)
  const failsLate = async ({ onFresh }: { onFresh: (until: number) => void }) => {
    onFresh(80)
    throw new Error('down')
  }
  expect(await freshAfter((scope) => scope.read(failsLate))).toBe(0)
})

test('the date is true for no time', async () => {
  const { freshAfter } = start()
  expect(await freshAfter((scope) => expect(scope.date()).toBe(7_000))).toBe(0)
})

test('what stands for late work is true for no time, also when the work ends after all', async () => {
  const { clock, open } = start()
  const gate = deferred<string>()
  const scope = open()
  const read = scope
    .within({ milliseconds: 100 }, () => scope.cached(prices, 'a', () => gate.promise))
    .catch(() => 'fallback')
  await clock.advance(100)
  expect(await read).toBe('fallback')
  gate.resolve('value')
  await clock.advance(0)
  expect(scope.freshUntil).toBe(0)
  const early = open()
  await early.within({ milliseconds: 100 }, () => early.cached(prices, 'a', async () => 'value'))
  expect(early.freshUntil).toBe(1_100)
})

test('a noted value is true for no time, and neither is that there is none', async () => {
  const { freshAfter } = start()
  const names: CacheRegion<string> = { name: 'names', maxEntries: 9 }
  expect(await freshAfter((scope) => expect(scope.noted(names, 'a')).toBeUndefined())).toBe(0)
  expect(await freshAfter((scope) => scope.note(names, 'a', 'first'))).toBe(forever)
  expect(await freshAfter((scope) => expect(scope.noted(names, 'a')).toBe('first'))).toBe(0)
  await freshAfter((scope) => scope.note(names, 'a', 'second'))
  expect(await freshAfter((scope) => expect(scope.noted(names, 'a')).toBe('second'))).toBe(0)
})

test('a hint changes nothing of how long an answer is true', async () => {
  const { freshAfter } = start()
  const note = (scope: RequestScope) => {
    const hints = scope.hints.open<true>({ name: 'long', maxEntries: 9, ttlMs: 10 })
    hints.set('a', true)
    return hints.get('a')
  }
  expect(await freshAfter(note)).toBe(forever)
})
