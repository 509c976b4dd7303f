import { expect, test } from 'vitest'
import {
  type CacheRegion,
  createMemoryCacheStore,
  sweepRegularly,
} from '../../../src/kit/cache/cache.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'

const plain: CacheRegion<number> = { name: 'a', maxEntries: 2 }
const timed: CacheRegion<number> = { ...plain, ttlMs: 1_000 }
const served: CacheRegion<number> = { ...timed, staleWhileRevalidate: { retryDelayMs: 100 } }

const open = (region: CacheRegion<number> = plain) => {
  const clock = fakeClock()
  const store = createMemoryCacheStore(clock)
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

test('a region opened twice by one name holds the same entries, and no other region does', () => {
  const { store, cache } = open()
  cache.set('key', 1)
  expect(store.open(plain).get('key')).toBe(1)
  expect(store.open({ ...plain, name: 'b' }).get('key')).toBeUndefined()
})

test('the least recently used entry goes first when there are too many', () => {
  const { cache } = open()
  cache.set('one', 1)
  cache.set('two', 2)
  cache.get('one')
  cache.set('three', 3)
  expect(['one', 'two', 'three'].map((key) => cache.get(key))).toEqual([1, undefined, 3])
  expect(cache.size).toBe(2)
})

test('a region with a byte bound keeps no more bytes than that, and nothing larger', () => {
  const { cache } = open({ name: 'a', maxEntries: 100, maxBytes: 10 })
  cache.set('large', 1, 11)
  expect([cache.get('large'), cache.bytes]).toEqual([undefined, 0])
  cache.set('six', 6, 6)
  cache.set('five', 5, 5)
  expect([cache.get('six'), cache.get('five'), cache.bytes]).toEqual([undefined, 5, 5])
})

test('a region may be bounded by bytes alone, of which each value has one at least', () => {
  const { cache } = open({ name: 'a', maxBytes: 2 })
  for (const key of ['one', 'two', 'three']) cache.set(key, 1)
  expect([cache.size, cache.bytes, cache.get('one')]).toEqual([2, 2, undefined])
})

test('a value expires after its time, and null is a value', async () => {
  const { clock, store } = open()
  const cache = store.open<null>({ name: 'b', maxEntries: 2, ttlMs: 1_000 })
  cache.set('key', null)
  await clock.advance(1_000)
  expect(cache.get('key')).toBeNull()
  await clock.advance(1)
  expect(cache.get('key')).toBeUndefined()
})

test('a sweep drops expired values that nobody asks for, and no other', async () => {
  const { clock, store, cache } = open({ name: 'a', maxBytes: 10_000, ttlMs: 1_000 })
  const others = [
    { ...served, name: 'b' },
    { ...plain, name: 'c' },
  ].map(store.open<number>)
  for (const region of others) region.set('key', 1)
  for (let i = 0; i < 500; i += 1) cache.set(`old ${i}`, i, 10)
  await clock.advance(1_001)
  for (let i = 0; i < 300; i += 1) cache.set(`new ${i}`, i, 10)
  store.sweep()
  expect([cache.size, cache.bytes, ...others.map(({ size }) => size)]).toEqual([300, 3_000, 1, 1])
  expect(cache.get('new 0')).toBe(0)
})

test('what expired is gone within half a minute, until the sweeps are stopped', async () => {
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
  'callers of one key share a load, and a failed load is not cached',
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

test('an expired value is loaded again before it is returned, and gone when that fails', async () => {
  const { clock, cache } = open(timed)
  cache.set('key', 1)
  await clock.advance(1_001)
  expect(await cache.fetch('key', async () => 2)).toBe(2)
  await clock.advance(1_001)
  await expect(cache.fetch('key', fail)).rejects.toThrow('down')
  expect(cache.size).toBe(0)
})

test('a stale value is served while one load refreshes it, and longer when that fails', async () => {
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

test('a load whose entry is evicted before it ends still resolves for its callers', async () => {
  const { cache } = open({ ...plain, maxEntries: 1 })
  const load = deferred<number>()
  const evicted = cache.fetch('first', () => load.promise)
  expect(await cache.fetch('second', async () => 2)).toBe(2)
  load.resolve(1)
  expect(await evicted).toBe(1)
})

test.each(['resolve', 'reject'] as const)(
  'a value set during a load survives it: %s',
  async (end) => {
    const { cache } = open()
    const load = deferred<number>()
    const loading = cache.fetch('key', () => load.promise).catch(() => undefined)
    cache.set('key', 2)
    load[end](1)
    expect([await loading, cache.get('key')]).toEqual([end === 'resolve' ? 1 : undefined, 2])
  },
)
