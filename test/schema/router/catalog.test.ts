import { expect, test } from 'vitest'
import { createCachedReads } from '../../../src/engine/upstream/cachedReads.ts'
import type { Upstream } from '../../../src/engine/upstream/client.ts'
import { UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'
import { createCatalog } from '../../../src/schema/router/catalog.ts'
import { fakeClock } from '../../support/fakeClock.ts'

const minutes = 60_000

/** A catalog over a router that lists one chain and one asset, both named by the number of the request. */
function startCatalog() {
  const clock = fakeClock()
  const router = {
    requests: 0,
    targets: [] as string[],
    fault: undefined as Error | undefined,
    refuses: (_target: string): boolean => false,
    /** Whether it reads several ids between commas. */
    isJoining: true,
  }
  const send: Upstream['send'] = async (request) => {
    router.requests += 1
    router.targets.push(request.target)
    if (router.fault) throw router.fault
    if (router.refuses(request.target)) throw new UpstreamHttpError('router', 400, 'no')
    const name = `n${router.requests}`
    const ids = new URLSearchParams(request.target.split('?')[1]).get('chain_ids')
    const list = (chainId: string) => [chainId, { assets: [{ denom: 'uinit', chain_id: chainId, name }] }]
    const chainIds = router.isJoining ? ids?.split(',') : ids && [ids]
    return request.read(
      chainIds
        ? { chain_to_assets_map: Object.fromEntries(chainIds.map(list)) }
        : { chains: [{ chain_id: 'harbor-1', pretty_name: name }] },
      '',
    )
  }
  const catalog = createCatalog({ send }, createCachedReads(new CacheStore(clock)))
  const lists = {
    chains: async () => (await catalog.chains()).find('harbor-1')?.pretty_name,
    assets: async () => (await catalog.assets('harbor-1')).find('uinit')?.name,
  }
  return { clock, router, catalog, lists }
}

type FakeRouter = ReturnType<typeof startCatalog>['router']

test.each(['chains', 'assets'] as const)(
  'the list of %s is cached for five minutes, then served stale during a refresh',
  async (kind) => {
    const { clock, router, lists } = startCatalog()
    expect(await Promise.all([lists[kind](), lists[kind]()])).toEqual(['n1', 'n1'])
    await clock.advance(5 * minutes)
    expect([await lists[kind](), router.requests]).toEqual(['n1', 1])
    await clock.advance(1)
    expect(await Promise.all([lists[kind](), lists[kind]()])).toEqual(['n1', 'n1'])
    await clock.advance(0)
    expect([await lists[kind](), router.requests]).toEqual(['n2', 2])
  },
)

test.each(['chains', 'assets'] as const)(
  'a stale list of %s is served while the router is down, with a retry every 10 s',
  async (kind) => {
    const { clock, router, lists } = startCatalog()
    await lists[kind]()
    router.fault = new Error('down')
    await clock.advance(5 * minutes + 1)
    for (const requests of [2, 3, 4]) {
      expect(await lists[kind]()).toBe('n1')
      await clock.advance(10_000)
      expect([await lists[kind](), router.requests]).toEqual(['n1', requests])
      await clock.advance(1)
    }
    router.fault = undefined
    expect(await lists[kind]()).toBe('n1')
    await clock.advance(0)
    expect([await lists[kind](), router.requests]).toEqual(['n5', 5])
    await clock.advance(5 * minutes)
    expect([await lists[kind](), router.requests]).toEqual(['n5', 5])
  },
)

test('a failed first load is an error, and is retried at the next read', async () => {
  const { router, lists } = startCatalog()
  router.fault = new Error('down')
  await expect(lists.assets()).rejects.toThrow('down')
  router.fault = undefined
  expect([await lists.assets(), router.requests]).toEqual(['n2', 2])
})

test.each([400, 404])('a list refused with %i is an error, and is not cached', async (status) => {
  const { router, catalog, lists } = startCatalog()
  router.fault = new UpstreamHttpError('router', status, 'no')
  await expect(catalog.chains()).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
  await expect(catalog.assets('harbor-1')).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
  await expect(catalog.allAssets()).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
  router.fault = undefined
  expect(await lists.assets()).toEqual(expect.stringMatching(/^n\d+$/))
  expect(await lists.chains()).toEqual(expect.stringMatching(/^n\d+$/))
})

test('a router that refuses the flags of a list gets requests without flags', async () => {
  const { router, catalog } = startCatalog()
  router.refuses = (target) => target.includes('include_')
  expect((await catalog.assets('harbor-1')).all).toHaveLength(1)
  expect((await catalog.chains()).all).toHaveLength(1)
  expect(router.targets).toEqual([
    expect.stringContaining('include_cw20_assets=true'),
    '/v2/fungible/assets?chain_ids=harbor-1',
    expect.stringContaining('include_evm=true'),
    '/v2/info/chains',
  ])
})

test('a chain unknown to the router has no assets, even if its list is refused', async () => {
  const { router, catalog } = startCatalog()
  router.refuses = (target) => target.includes('nowhere-1')
  expect((await catalog.assets('nowhere-1')).all).toEqual([])
  const { requests } = router
  expect((await catalog.assets('nowhere-1')).all).toEqual([])
  expect(router.requests).toBe(requests)
  router.refuses = (target) => target.includes('fungible')
  await expect(catalog.assets('elsewhere-1').then(({ all }) => all)).resolves.toEqual([])
  router.refuses = () => true
  await expect(catalog.allAssets()).rejects.toMatchObject({ code: 'UPSTREAM_REJECTED' })
})

test('assets of several chains in one tick take one request', async () => {
  const { router, catalog, clock } = startCatalog()
  const [harbor, galley] = await Promise.all(['harbor-1', 'galley-1'].map(catalog.assets))
  expect([harbor?.all[0]?.chain_id, galley?.all[0]?.chain_id]).toEqual(['harbor-1', 'galley-1'])
  await Promise.all(['galley-1', 'harbor-1'].map(catalog.assets))
  expect(router.targets).toEqual([expect.stringContaining('chain_ids=harbor-1%2Cgalley-1&')])
  // One request refreshes them, too.
  await clock.advance(5 * minutes + 1)
  await Promise.all(['harbor-1', 'galley-1'].map(catalog.assets))
  await clock.advance(0)
  expect(router.requests).toBe(2)
})

test.each([
  ['answers for another chain', (router: FakeRouter) => (router.isJoining = false), 3],
  ['refuses several chains', (router: FakeRouter) => (router.refuses = (target: string) => target.includes('%2C')), 4],
])('a router that %s gets one request per chain', async (_what, set, requests) => {
  const { router, catalog } = startCatalog()
  set(router)
  const lists = await Promise.all(['harbor-1', 'galley-1'].map(catalog.assets))
  expect(lists.map(({ all }) => all[0]?.chain_id)).toEqual(['harbor-1', 'galley-1'])
  expect(router.requests).toBe(requests)
})

test('a router that is down gets one request for several chains', async () => {
  const { router, catalog } = startCatalog()
  router.fault = new UpstreamHttpError('router', 503, 'down')
  const lists = await Promise.allSettled(['harbor-1', 'galley-1'].map(catalog.assets))
  for (const list of lists) expect(list).toMatchObject({ reason: { code: 'UPSTREAM_UNAVAILABLE' } })
  expect(router.requests).toBe(1)
})

test('assets of 256 chains are cached, and the least recently used is evicted first', async () => {
  const { router, catalog } = startCatalog()
  const chainIds = Array.from({ length: 256 }, (_, index) => `chain-${index}`)
  for (const chainId of chainIds) await catalog.assets(chainId)
  await catalog.assets('chain-0')
  expect(router.requests).toBe(256)
  await catalog.assets('chain-256')
  await catalog.assets('chain-0')
  expect(router.requests).toBe(257)
  await catalog.assets('chain-1')
  expect(router.requests).toBe(258)
})
