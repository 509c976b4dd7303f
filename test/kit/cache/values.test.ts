import { expect, test } from 'vitest'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { sizeOf } from '../../../src/kit/cache/sizeOf.ts'
import { typedCache } from '../../../src/kit/cache/typedCache.ts'
import { Memo, typedKey } from '../../../src/kit/cache/typedKey.ts'
import { fakeClock } from '../../support/fakeClock.ts'

test('typed keys return the type that was set, and memo makes each value once', () => {
  const cache = typedCache(new CacheStore(fakeClock()).open({ name: 'b', maxEntries: 2 }))
  const [count, name] = [typedKey<number>('count'), typedKey<string>('name')]
  cache.set(count, 1)
  cache.set(name, 'one')
  expect([cache.get(count)?.toFixed(1), cache.get(name)?.toUpperCase()]).toEqual(['1.0', 'ONE'])
  const memo = new Memo()
  let made = 0
  const make = () => {
    made += 1
    return undefined
  }
  const get = () => memo.get(typedKey('key'), make)
  get()
  get()
  expect(made).toBe(1)
  memo.clear()
  get()
  expect(made).toBe(2)
})

test('sizeOf grows with all contents, and counts shared ones once', () => {
  const text = 'x'.repeat(1_000)
  expect(sizeOf(text)).toBeGreaterThanOrEqual(1_000)
  const hops = Array.from({ length: 10 }, (_, i) => ({ hash: `${text}${i}`, amount: BigInt(i) }))
  expect(sizeOf({ hops })).toBeGreaterThan(10_000)
  expect(sizeOf({ hops, again: hops })).toBeLessThan(sizeOf({ hops }) + 100)
  expect(sizeOf(new Map([[text, new Set([`${text}!`])]]))).toBeGreaterThan(2_000)
})
