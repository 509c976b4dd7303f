import { expect, test } from 'vitest'
import { type Cache, CacheStore, sweepRegularly } from '../../../src/kit/cache/cache.ts'
import type { CacheRegion } from '../../../src/kit/cache/region.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'

const plain: CacheRegion<number> = { name: 'a', maxEntries: 2 }
const timed: CacheRegion<number> = { ...plain, ttlMs: 1_000 }
const served: CacheRegion<number> = { ...timed, staleWhileRevalidate: { retryDelayMs: 100 } }

const open = (region: CacheRegion<number> = plain) => {
  const clock = fakeClock()
  const store = new CacheStore(clock)
  return { clock, store, cache: store.open(region) }
}

/** A load that resolves to how often it ran, except for one time. */
function countedLoad(failing = 0) {
  const load = async () => {
    load.count += 1
    if (load.count === failing) throw new Error('down')
    return load.count
  }
  load.count = 0
  return load
}
const fail = () => Promise.reject(new Error('down'))

test('regions of one name share entries, and others do not', () => {
  const { store, cache } = open()
  cache.set('key', 1)
  expect(store.open(plain).get('key')).toBe(1)
  expect(store.open({ ...plain, name: 'b' }).get('key')).toBeUndefined()
})

test('the least recently used entry is evicted first', () => {
  const { cache } = open()
  cache.set('one', 1)
  cache.set('two', 2)
  cache.get('one')
  cache.set('three', 3)
  expect(['one', 'two', 'three'].map((key) => cache.get(key))).toEqual([1, undefined, 3])
  expect(cache.size).toBe(2)
})

test('maxBytes bounds a region, and larger values are not cached', () => {
  const { cache } = open({ name: 'a', maxEntries: 100, maxBytes: 10 })
  cache.set('large', 1, 11)
  expect([cache.get('large'), cache.bytes]).toEqual([undefined, 0])
  cache.set('six', 6, 6)
  cache.set('five', 5, 5)
  expect([cache.get('six'), cache.get('five'), cache.bytes]).toEqual([undefined, 5, 5])
})

test('maxBytes alone bounds a region, and each value counts at least one byte', () => {
  const { cache } = open({ name: 'a', maxBytes: 2 })
  for (const key of ['one', 'two', 'three']) cache.set(key, 1)
  expect([cache.size, cache.bytes, cache.get('one')]).toEqual([2, 2, undefined])
})

test('values expire after their TTL, and null is a value', async () => {
  const { clock, store } = open()
  const cache = store.open<null>({ name: 'b', maxEntries: 2, ttlMs: 1_000 })
  cache.set('key', null)
  await clock.advance(1_000)
  expect(cache.get('key')).toBeNull()
  await clock.advance(1)
  expect(cache.get('key')).toBeUndefined()
})

const contested: CacheRegion<number> = { name: 'a', maxBytes: 10, ttlMs: 1_000, isContested: true }

/** Asks for a key as often, and then caches it. */
function enter(cache: Cache<number>, key: string, times: number, bytes = 5): boolean {
  for (let i = 0; i < times; i += 1) cache.get(key)
  cache.set(key, times, bytes)
  return cache.freshUntil(key) > 0
}

test('in a contested region, a value must be asked for more often than all that leave for it', () => {
  const { cache } = open(contested)
  expect(enter(cache, 'one', 2)).toBe(true)
  expect(enter(cache, 'two', 4)).toBe(true)
  expect(enter(cache, 'three', 2)).toBe(false)
  expect(enter(cache, 'large', 4, 10)).toBe(false)
  expect(enter(cache, 'four', 3)).toBe(true)
  expect(cache.freshUntil('one')).toBe(0)
  expect(enter(cache, 'large', 1, 10)).toBe(true)
  expect(cache.size).toBe(1)
  expect(enter(cache, 'too large', 9, 11)).toBe(false)
  expect(cache.freshUntil('large')).toBeGreaterThan(0)
})

test('a cached value of a contested region can be replaced, and an expired one stops none', async () => {
  const { cache, clock } = open(contested)
  enter(cache, 'one', 9)
  enter(cache, 'two', 9)
  cache.set('one', 3, 5)
  expect(cache.get('one')).toBe(3)
  await clock.advance(1_001)
  expect(enter(cache, 'three', 1)).toBe(true)
})

test('what was asked for long ago counts less and less', () => {
  const { cache } = open(contested)
  enter(cache, 'old', 200, 10)
  expect(enter(cache, 'new', 9, 10)).toBe(false)
  for (let i = 0; i < 6 * 2 ** 16; i += 1) cache.get('old')
  for (let i = 0; i < 8 * 2 ** 16; i += 1) cache.get('')
  expect(enter(cache, 'new', 9, 10)).toBe(true)
})

test('sweep drops expired values, and no others', async () => {
  const { clock, store, cache } = open({ name: 'a', maxBytes: 10_000, ttlMs: 1_000 })
  const others = [
    { ...served, name: 'b' },
    { ...plain, name: 'c' },
  ].map((region) => store.open<number>(region))
  for (const region of others) region.set('key', 1)
  for (let i = 0; i < 500; i += 1) cache.set(`old ${i}`, i, 10)
  await clock.advance(1_001)
  for (let i = 0; i < 300; i += 1) cache.set(`new ${i}`, i, 10)
  store.sweep()
  expect([cache.size, cache.bytes, ...others.map(({ size }) => size)]).toEqual([300, 3_000, 1, 1])
  expect(cache.get('new 0')).toBe(0)
})

test('expired values are swept every half minute, until stopped', async () => {
  const { clock, store, cache } = open(timed)
  const stop = sweepRegularly(store, clock)
  cache.set('key', 1)
  await clock.advance(29_999)
  expect(cache.size).toBe(1)
  await clock.advance(1)
  expect(cache.size).toBe(0)
  cache.set('key', 1)
  stop()
  await clock.advance(120_000)
  expect(cache.size).toBe(1)
})

test.each([plain, served])(
  'concurrent fetches of a key share one load, and failures are not cached',
  async (region) => {
    const { cache } = open(region)
    const load = countedLoad(1)
    const both = () => Promise.allSettled([cache.fetch('key', load), cache.fetch('key', load)])
    const failed = { status: 'rejected', reason: new Error('down') }
    expect(await both()).toEqual([failed, failed])
    const loaded = { status: 'fulfilled', value: 2 }
    expect(await both()).toEqual([loaded, loaded])
    expect([await cache.fetch('key', load), load.count]).toEqual([2, 2])
  },
)

test('an expired value is reloaded, and dropped if that fails', async () => {
  const { clock, cache } = open(timed)
  cache.set('key', 1)
  await clock.advance(1_001)
  expect(await cache.fetch('key', async () => 2)).toBe(2)
  await clock.advance(1_001)
  await expect(cache.fetch('key', fail)).rejects.toThrow('down')
  expect(cache.size).toBe(0)
})

test('a stale value is served during one refresh, and after a failed one', async () => {
  const { clock, cache } = open(served)
  const load = countedLoad(2)
  const ask = async () => [await cache.fetch('key', load), load.count]
  expect(await ask()).toEqual([1, 1])
  await clock.advance(1_001)
  // It was read in vain.
  expect(cache.get('key')).toBeUndefined()
  expect([await ask(), await ask()]).toEqual([
    [1, 2],
    [1, 2],
  ])
  await clock.advance(100)
  expect(await ask()).toEqual([1, 2])
  await clock.advance(1)
  expect(await ask()).toEqual([1, 3])
  await clock.advance(0)
  expect(await ask()).toEqual([3, 3])
})

test('a load resolves even if its entry is evicted', async () => {
  const { cache } = open({ ...plain, maxEntries: 1 })
  const load = deferred<number>()
  const evicted = cache.fetch('first', () => load.promise)
  expect(await cache.fetch('second', async () => 2)).toBe(2)
  load.resolve(1)
  expect(await evicted).toBe(1)
})

test.each(['resolve', 'reject'] as const)('a value set during a load is not overwritten: %s', async (end) => {
  const { cache } = open()
  const load = deferred<number>()
  const loading = cache.fetch('key', () => load.promise).catch(() => undefined)
  cache.set('key', 2)
  load[end](1)
  expect([await loading, cache.get('key')]).toEqual([end === 'resolve' ? 1 : undefined, 2])
})
