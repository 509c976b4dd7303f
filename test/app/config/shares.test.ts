import { expect, test } from 'vitest'
import { limitsOfOne, networkOfOne } from '../../../src/app/config/shares.ts'
import { resolveLimits } from '../../../src/engine/limits/limits.ts'

test('the limits of a machine are divided among workers, rounded up', () => {
  const limits = resolveLimits({ maxIndexerRequests: 7, maxPolls: 1, cacheBytes: 2 ** 20 })
  const part = limitsOfOne(limits, 3)
  expect(part).toMatchObject({ maxIndexerRequests: 3, maxPolls: 1, cacheBytes: 2 ** 20 })
  expect(part.maxRouterRequests).toBe(Math.ceil(limits.maxRouterRequests / 3))
  expect(part.maxWatched).toBe(Math.ceil(limits.maxWatched / 3))
  expect(part.maxWatchedPerClient).toBe(Math.ceil(limits.maxWatchedPerClient / 3))
  expect(part.maxStreamsPerClient).toBe(Math.ceil(limits.maxStreamsPerClient / 3))
  // What one operation may take is not divided.
  expect(part.maxCost).toBe(limits.maxCost)
  expect(limitsOfOne(limits, 1)).toEqual(limits)
})

test('the maxRequests of a service are divided among workers', () => {
  const network = {
    chains: [
      { chainId: 'a-1', url: 'http://a', maxRequests: 5 },
      { chainId: 'b-1', url: 'http://b' },
    ],
    router: { url: 'http://r', maxRequests: 8 },
  }
  const part = networkOfOne(network, 2)
  expect(part.chains.map(({ maxRequests }) => maxRequests)).toEqual([3, undefined])
  expect(part.router).toEqual({ url: 'http://r', maxRequests: 4 })
})
