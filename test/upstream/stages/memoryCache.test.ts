import { expect, test } from 'vitest'
import { createMemoryCacheStore } from '../../../src/kit/cache/cache.ts'
import { typedKey } from '../../../src/kit/cache/typedKey.ts'
import { createSignal } from '../../../src/kit/clock/signal.ts'
import { requestKey, type UpstreamRequest } from '../../../src/upstream/request.ts'
import { createRequestBudget } from '../../../src/upstream/requestBudget.ts'
import type { Result } from '../../../src/upstream/stages/call.ts'
import { createMemoryCache } from '../../../src/upstream/stages/memoryCache.ts'
import { fakeClock } from '../../support/fakeClock.ts'

const plain: UpstreamRequest<string> = {
  ...{ method: 'GET', target: '/thing', route: '/thing', isFinal: true },
  read: (_, text) => text,
}
const decoded = { value: 'a', text: 'a', bytes: 1, sentAt: 0 }

function setup(times: { finalTtl?: number; movingTtl?: number } = {}) {
  const clock = fakeClock()
  const cache = createMemoryCache({
    ...{ cache: createMemoryCacheStore(clock), region: 'results', clock, cacheBytes: 10_000 },
    ...{ finalTtl: 1_000, movingTtl: 0, ...times },
  })
  const keyOf = (request: UpstreamRequest<string>) =>
    cache.keyOf(request, typedKey<Result<string>>(requestKey(request)))
  /** The cached result of a request, or undefined if it is passed on. `sent` counts in its budget. */
  const find = (request: UpstreamRequest<string>) => {
    const found: (Result<string> | undefined)[] = []
    const budget = createRequestBudget({ maxRequests: 10, maxBytes: 10 })
    const asked = {
      ...{ request, key: keyOf(request), cacheKey: keyOf(request) },
      ...{ member: { client: 'a', budget }, signal: createSignal() },
      resolve: (result: Result<string>) => void found.push(result),
      reject: () => {},
    }
    cache.find(asked, () => void found.push(undefined))
    return { found, sent: budget.requests }
  }
  const keep = (request: UpstreamRequest<string>, response: typeof decoded | null = decoded) =>
    cache.keep({ request, cacheKey: keyOf(request) }, response)
  return { clock, find, keep }
}

test('a final response resolves equal requests until its time is over, without counting them', async () => {
  const { clock, find, keep } = setup()
  expect(find(plain)).toEqual({ found: [undefined], sent: 1 })
  const result = { value: 'a', freshUntil: 1_000 }
  expect(keep(plain)).toEqual(result)
  await clock.advance(1_000)
  expect(find(plain)).toEqual({ found: [result], sent: 0 })
  await clock.advance(1)
  expect(find(plain)).toEqual({ found: [undefined], sent: 1 })
})

test('a response that took long is kept for the rest of its time only', async () => {
  const { clock, find, keep } = setup()
  await clock.advance(600)
  expect(keep(plain)).toEqual({ value: 'a', freshUntil: 1_000 })
  await clock.advance(401)
  expect(find(plain).found).toEqual([undefined])
})

test.each<[string, Partial<UpstreamRequest<string>>]>([
  ['that may change', { isFinal: false }],
  ['whose rule finds that it may change', { isFinal: (value) => value !== 'a' }],
  ['that is a text', { isText: true }],
])('a response %s is not cached', async (_, options) => {
  const { find, keep } = setup()
  const request = { ...plain, ...options }
  expect(keep(request)).toEqual({ value: 'a', freshUntil: 0 })
  expect(find(request).found).toEqual([undefined])
})

test('a 404 is null, and is not cached', async () => {
  const { find, keep } = setup()
  expect(keep(plain, null)).toEqual({ value: null, freshUntil: 0 })
  expect(find(plain).found).toEqual([undefined])
})

test('other GETs are cached for their own time, and POSTs are not', async () => {
  const { find, keep } = setup({ movingTtl: 50 })
  const moving = { ...plain, isFinal: false }
  expect(keep(moving)).toEqual({ value: 'a', freshUntil: 50 })
  expect(find(moving).found).toEqual([{ value: 'a', freshUntil: 50 }])
  expect(keep({ ...moving, method: 'POST' })).toEqual({ value: 'a', freshUntil: 0 })
})

test('a consistency token separates results, except for records that never change', async () => {
  const { find, keep } = setup({ movingTtl: 50 })
  const token = { consistencyToken: 'at 7' }
  keep(plain)
  expect(find({ ...plain, ...token }).found).toHaveLength(1)
  expect(find({ ...plain, ...token }).found).not.toEqual([undefined])
  const moving = { ...plain, target: '/moving', isFinal: false }
  keep(moving)
  expect(find({ ...moving, ...token }).found).toEqual([undefined])
})
