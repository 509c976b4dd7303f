import { z } from 'zod'
import type { CacheRegion, CacheStore } from '../../cache/cache.ts'
import type { Context } from '../../graphql/builder.ts'
import type { Upstream } from '../../upstream/client.ts'
import {
  chainIdString,
  lenient,
  lenientBoolean,
  lenientInt,
  lenientList,
  lenientString,
} from '../../upstream/lenient.ts'
import { get } from '../../upstream/request.ts'
import { UpstreamHttpError } from '../../upstream/upstreamError.ts'
import { routerOf } from './routerInput.ts'

/** An asset in a response of the router. */
export const asset = z.object({
  denom: z.string().min(1),
  chain_id: chainIdString,
  origin_denom: lenientString,
  origin_chain_id: lenientString,
  symbol: lenientString,
  recommended_symbol: lenientString,
  name: lenientString,
  logo_uri: lenientString,
  decimals: lenientInt,
  token_contract: lenientString,
  description: lenientString,
  coingecko_id: lenientString,
  hidden: lenientBoolean,
})
export type AssetBody = z.output<typeof asset>

const chain = z.object({
  chain_id: chainIdString,
  chain_name: lenientString,
  pretty_name: lenientString,
  chain_type: lenientString,
  logo_uri: lenientString,
  bech32_prefix: lenientString,
  fee_assets: lenientList(z.object({ denom: z.string() })),
  supports_memo: lenientBoolean,
  is_testnet: lenientBoolean,
  hidden: lenientBoolean,
})
export type RouterChainBody = z.output<typeof chain>

const chains = z.object({ chains: lenientList(chain) })

const assets = z.object({
  chain_to_assets_map: z
    .record(z.string(), lenient(z.object({ assets: lenientList(asset) })))
    .nullish(),
})

/** All records of one kind, in the router's order and by key. */
interface Lookup<T> {
  readonly all: readonly T[]
  find(key: string): T | null
}

/** The router's lists of chains and assets. Operations share them through the cache. */
interface RouterCatalog {
  chains(): Promise<Lookup<RouterChainBody>>
  /** The assets of one chain. Empty for a chain that the router does not know. */
  assets(chainId: string): Promise<Lookup<AssetBody>>
}

/** A list is fresh for five minutes. After that it is served stale while one request refreshes it. */
const freshness = {
  ttlMs: 5 * 60_000,
  staleWhileRevalidate: { retryDelayMs: 10_000 },
}

const chainRegion: CacheRegion<Lookup<RouterChainBody>> = {
  name: 'router chains',
  maxEntries: 1,
  ...freshness,
}

/** One entry per chain. Some chains have thousands of assets. */
const assetRegion: CacheRegion<Lookup<AssetBody>> = {
  name: 'router assets',
  maxEntries: 256,
  ...freshness,
}

/** The catalog of the configured router. Throws `UPSTREAM_UNAVAILABLE` if there is none. */
export const catalogOf = (context: Pick<Context, 'network' | 'cache'>): RouterCatalog =>
  createCatalog(routerOf(context), context.cache)

/** A catalog that loads its lists from `router` and keeps them in `cache`. */
export function createCatalog(router: Pick<Upstream, 'send'>, cache: CacheStore): RouterCatalog {
  const chainLists = cache.open(chainRegion)
  const assetLists = cache.open(assetRegion)
  // All operations share a load, so it must not end with the one that started it.
  const fetchList = <T extends z.ZodType>(path: string, schema: T, query: Record<string, string>) =>
    router.send(get(path, schema, { query }), new AbortController().signal)

  const loadChains = async () => {
    const response = await fetchList('/v2/info/chains', chains, {
      include_evm: 'true',
      include_svm: 'true',
    })
    return indexBy(response?.chains ?? [], ({ chain_id }) => chain_id)
  }
  const loadAssets = async (chainId: string) => {
    const response = await fetchList('/v2/fungible/assets', assets, {
      chain_ids: chainId,
      include_evm_assets: 'true',
      include_svm_assets: 'true',
      include_cw20_assets: 'true',
    }).catch(nullIfBadRequest)
    const list = response?.chain_to_assets_map?.[chainId]?.assets ?? []
    return indexBy(list, ({ denom }) => denom, denomKey)
  }
  return {
    chains: () => chainLists.fetch('', loadChains),
    assets: (chainId) => assetLists.fetch(chainId, () => loadAssets(chainId)),
  }
}

/** A lookup of `all`. Two keys that `normalize` makes equal are the same key. */
function indexBy<T>(
  all: readonly T[],
  keyOf: (item: T) => string,
  normalize: (key: string) => string = (key) => key,
): Lookup<T> {
  const byKey = new Map(all.map((item) => [normalize(keyOf(item)), item]))
  return { all, find: (key) => byKey.get(normalize(key)) ?? null }
}

/** Contract addresses of EVM chains are case-insensitive. Other denoms are case-sensitive. */
const denomKey = (denom: string): string =>
  /^(evm\/|0x)/i.test(denom) ? denom.toLowerCase() : denom

/** Null for status 400, which is how the router answers for a chain it does not know. */
function nullIfBadRequest(error: unknown): null {
  if (error instanceof UpstreamHttpError && error.status === 400) return null
  throw error
}
