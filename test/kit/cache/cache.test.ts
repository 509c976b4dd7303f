import { expect, test } from 'vitest'
import { createMemoryCacheStore, sweepRegularly } from '../../../src/kit/cache/cache.ts'
import { sizeOf } from '../../../src/kit/cache/sizeOf.ts'
import { typedCache } from '../../../src/kit/cache/typedCache.ts'
import { createMemo, typedKey } from '../../../src/kit/cache/typedKey.ts'
import { deferred } from '../../support/deferred.ts'
import { fakeClock } from '../../support/fakeClock.ts'

const setup = () => {
  const clock = fakeClock()
  return { clock, store: createMemoryCacheStore(clock) }
}

test('a region opened twice by one name holds the same entries, and no other region does', () => {
  const { store } = setup()
  store.open<number>({ name: 'a', maxEntries: 2 }).set('key', 1)
  expect(store.open<number>({ name: 'a', maxEntries: 2 }).get('key')).toBe(1)
  expect(store.open<number>({ name: 'b', maxEntries: 2 }).get('key')).toBeUndefined()
})

test('the least recently used entry goes first when there are too many', () => {
  const cache = setup().store.open<number>({ name: 'a', maxEntries: 2 })
  cache.set('one', 1)
  cache.set('two', 2)
  cache.get('one')
  cache.set('three', 3)
  expect(['one', 'two', 'three'].map((key) => cache.get(key))).toEqual([1, undefined, 3])
  expect(cache.size).toBe(2)
})

test('a region with a byte bound keeps no more bytes than that, and nothing larger', () => {
  const cache = setup().store.open<string>({ name: 'a', maxEntries: 100, maxBytes: 10 })
  cache.set('large', 'x', 11)
  expect([cache.get('large'), cache.bytes]).toEqual([undefined, 0])
  cache.set('six', 'x', 6)
  cache.set('five', 'x', 5)
  expect([cache.get('six'), cache.get('five'), cache.bytes]).toEqual([undefined, 'x', 5])
})

test('a value expires after its time, and null is a value', async () => {
  const { clock, store } = setup()
  const cache = store.open<null>({ name: 'a', maxEntries: 2, ttlMs: 1_000 })
  cache.set('key', null)
  await clock.advance(1_000)
  expect(cache.get('key')).toBeNull()
  await clock.advance(1)
  expect(cache.get('key')).toBeUndefined()
})

test('a sweep drops expired values that nobody asks for, and no other', async () => {
  const { clock, store } = setup()
  const cache = store.open<number>({ name: 'a', maxBytes: 10_000, ttlMs: 1_000 })
  const served = store.open<number>({
    ...{ name: 'b', maxEntries: 10, ttlMs: 1_000 },
    staleWhileRevalidate: { retryDelayMs: 1_000 },
  })
  const lasting = store.open<number>({ name: 'c', maxEntries: 10 })
  for (const region of [served, lasting]) region.set('key', 1)
  for (let i = 0; i < 500; i += 1) cache.set(`old ${i}`, i, 10)
  await clock.advance(1_001)
  for (let i = 0; i < 300; i += 1) cache.set(`new ${i}`, i, 10)
  store.sweep()
  expect([cache.size, cache.bytes, served.size, lasting.size]).toEqual([300, 3_000, 1, 1])
  expect(cache.get('new 0')).toBe(0)
})

test('callers of one key share a load, and a failed load is not cached', async () => {
  const cache = setup().store.open<number>({ name: 'a', maxEntries: 2 })
  let loads = 0
  const load = async () => {
    loads += 1
    if (loads === 1) throw new Error('down')
    return loads
  }
  const failed = await Promise.allSettled([cache.fetch('key', load), cache.fetch('key', load)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(loads).toBe(1)
  expect(await Promise.all([cache.fetch('key', load), cache.fetch('key', load)])).toEqual([2, 2])
  expect(await cache.fetch('key', load)).toBe(2)
})

test('an expired value is loaded again before it is returned', async () => {
  const { clock, store } = setup()
  const cache = store.open<number>({ name: 'a', maxEntries: 2, ttlMs: 1_000 })
  await cache.fetch('key', async () => 1)
  await clock.advance(1_001)
  expect(await cache.fetch('key', async () => 2)).toBe(2)
})

test('a stale value is served while one load refreshes it, and longer when that fails', async () => {
  const { clock, store } = setup()
  const cache = store.open<number>({
    name: 'a',
    maxEntries: 2,
    ttlMs: 60_000,
    staleWhileRevalidate: { retryDelayMs: 10_000 },
  })
  let loads = 0
  const load = async () => {
    loads += 1
    if (loads === 2) throw new Error('down')
    return loads
  }
  const settled = () => new Promise((done) => setImmediate(done))
  expect(await cache.fetch('key', load)).toBe(1)
  await clock.advance(60_001)
  expect([await cache.fetch('key', load), await cache.fetch('key', load), loads]).toEqual([1, 1, 2])
  await settled()
  await clock.advance(10_000)
  expect([await cache.fetch('key', load), loads]).toEqual([1, 2])
  await clock.advance(1)
  expect([await cache.fetch('key', load), loads]).toEqual([1, 3])
  await settled()
  expect([await cache.fetch('key', load), loads]).toEqual([3, 3])
})

test('a load whose entry is evicted before it ends still resolves for its callers', async () => {
  const cache = setup().store.open<number>({ name: 'a', maxEntries: 1 })
  let finish = (_value: number) => {}
  const load = new Promise<number>((resolve) => {
    finish = resolve
  })
  const evicted = cache.fetch('first', () => load)
  expect(await cache.fetch('second', async () => 2)).toBe(2)
  finish(1)
  expect(await evicted).toBe(1)
})

test('a value set during a load survives the load', async () => {
  for (const outcome of ['resolve', 'reject'] as const) {
    const cache = setup().store.open<number>({ name: 'a', maxEntries: 2 })
    const load = deferred<number>()
    const loading = cache.fetch('key', () => load.promise).catch(() => undefined)
    cache.set('key', 2)
    load[outcome](1)
    expect([await loading, cache.get('key')]).toEqual([outcome === 'resolve' ? 1 : undefined, 2])
  }
})

test('an expired value that was read in vain is still served stale', async () => {
  const { clock, store } = setup()
  const cache = store.open<number>({
    name: 'a',
    maxEntries: 2,
    ttlMs: 1_000,
    staleWhileRevalidate: { retryDelayMs: 1_000 },
  })
  cache.set('key', 1)
  await clock.advance(1_001)
  expect(cache.get('key')).toBeUndefined()
  expect(await cache.fetch('key', async () => 2)).toBe(1)
})

test('a first load that fails rejects also where stale values are served', async () => {
  const cache = setup().store.open<number>({
    name: 'a',
    maxEntries: 2,
    ttlMs: 1_000,
    staleWhileRevalidate: { retryDelayMs: 1_000 },
  })
  const failing = async () => {
    throw new Error('down')
  }
  await expect(cache.fetch('key', failing)).rejects.toThrow('down')
  expect(await cache.fetch('key', async () => 1)).toBe(1)
})

test('an expired value is gone when its reload fails, where stale values are not served', async () => {
  const { clock, store } = setup()
  const cache = store.open<number>({ name: 'a', maxEntries: 2, ttlMs: 1_000 })
  cache.set('key', 1)
  await clock.advance(1_001)
  const reload = cache.fetch('key', async () => {
    throw new Error('down')
  })
  await expect(reload).rejects.toThrow('down')
  expect(cache.size).toBe(0)
})

test('a region may be bounded by bytes alone', () => {
  const cache = setup().store.open<number>({ name: 'a', maxBytes: 2 })
  for (const key of ['one', 'two', 'three']) cache.set(key, 1)
  expect([cache.size, cache.bytes, cache.get('one')]).toEqual([2, 2, undefined])
})

test('a typed key reads back the type that was set, and a memo makes each value once', () => {
  const cache = typedCache(setup().store.open({ name: 'a', maxEntries: 2 }))
  const [count, name] = [typedKey<number>('count'), typedKey<string>('name')]
  cache.set(count, 1)
  cache.set(name, 'one')
  expect([cache.get(count)?.toFixed(1), cache.get(name)?.toUpperCase()]).toEqual(['1.0', 'ONE'])
  const memo = createMemo()
  let made = 0
  const make = () => {
    made += 1
    return undefined
  }
  memo.get(typedKey('key'), make)
  memo.get(typedKey('key'), make)
  expect(made).toBe(1)
  memo.clear()
  memo.get(typedKey('key'), make)
  expect(made).toBe(2)
})

test('what expired is gone within half a minute, until the sweeps are stopped', async () => {
  const { clock, store } = setup()
  const cache = store.open<number>({ name: 'a', maxEntries: 10, ttlMs: 1_000 })
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

test('the size of a value grows with all that it holds, and nothing counts twice', () => {
  const text = 'x'.repeat(1_000)
  expect(sizeOf(text)).toBeGreaterThanOrEqual(1_000)
  const hops = Array.from({ length: 10 }, (_, i) => ({ hash: `${text}${i}`, amount: BigInt(i) }))
  expect(sizeOf({ hops })).toBeGreaterThan(10_000)
  expect(sizeOf({ hops, again: hops })).toBeLessThan(sizeOf({ hops }) + 100)
  expect(sizeOf(new Map([[text, new Set([`${text}!`])]]))).toBeGreaterThan(2_000)
})
