import { z } from 'zod'
import { type KnownDenoms, knownDenoms } from '#words/balanceChanges/denoms'
import type { Context } from '../../engine/graphql/builder.ts'
import type { CachedReads, LoadSignal, SharedFetch } from '../../engine/upstream/cachedReads.ts'
import type { Upstream } from '../../engine/upstream/client.ts'
import { createJoinedLoads, type JoinedLoads } from '../../engine/upstream/joinedLoads.ts'
import { get } from '../../engine/upstream/request.ts'
import { UpstreamHttpError } from '../../engine/upstream/upstreamError.ts'
import {
  bodyWith,
  chainIdString,
  lenient,
  lenientBoolean,
  lenientDecimals,
  lenientItems,
  lenientString,
} from '../../engine/wire/lenient.ts'
import { ifReadable } from '../../engine/wire/optional.ts'
import { lenientDescription, lenientName, lenientSymbol } from '../../engine/wire/shownText.ts'
import type { Awaitable } from '../../kit/awaitable.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { catalogFreshness, indexBy, type Lookup } from '../chain/lookup.ts'
import { loadRouterChains, type RouterChainRecord } from '../chain/routerRecords.ts'
import { type NamedList, namedList } from './asset/assetNames.ts'
import { type ChannelIndex, channelIndex } from './asset/channels.ts'
import { routerOf } from './routerClient.ts'
import { readRouterValue } from './routerFields.ts'

/** An asset in a response of the router. */
export const asset = z.object({
  // Routers list the native coin of some EVM chains with an empty denom.
  denom: z.string(),
  chain_id: chainIdString,
  origin_denom: lenientString,
  origin_chain_id: lenientString,
  symbol: lenientSymbol,
  recommended_symbol: lenientSymbol,
  name: lenientName,
  logo_uri: lenientString,
  decimals: lenientDecimals,
  token_contract: lenientString,
  trace: lenientString,
  is_cw20: lenientBoolean,
  description: lenientDescription,
  coingecko_id: lenientString,
  hidden: lenientBoolean,
})

/** An asset as the lists of the router have it. */
export type AssetBody = z.output<typeof asset>

export type AssetList = NamedList<AssetBody>

const assets = bodyWith(
  z.object({
    // A list that cannot be read is no empty list.
    chain_to_assets_map: z.record(z.string(), lenient(z.object({ assets: lenientItems(asset) }))).nullish(),
  }),
)

/** The assets of a chain, by denom or by the address of their contract, and by their names. */
export type ChainAssets = Lookup<AssetBody> &
  AssetList &
  ChannelIndex & {
    /** Their denoms by what they are called in events. */
    readonly known: KnownDenoms
    /** How many of them have a symbol, in any case. */
    countOfSymbol(symbol: string): number
  }

/** The router's lists of chains and assets. Operations share them through the cache. */
interface RouterCatalog {
  chains(): Promise<Lookup<RouterChainRecord>>
  /**
   * The assets of one chain. Empty for a chain that the router does not know. A list that the router
   * refuses is an error, and is not kept. The lists of several chains in one tick are one request.
   */
  assets(chainId: string): Promise<ChainAssets>
  /** The assets of all chains. One large request in five minutes. */
  allAssets(): Promise<AssetList>
}

/** One entry per chain. Some chains have thousands of assets. */
const assetRegion: CacheRegion<ChainAssets> = {
  name: 'router assets',
  maxEntries: 256,
  ...catalogFreshness,
}

const allAssetsRegion: CacheRegion<AssetList> = {
  name: 'all router assets',
  maxEntries: 1,
  ...catalogFreshness,
}

/** The catalog of the configured router. Throws `NOT_CONFIGURED` if there is none. */
export const openCatalog = (context: Pick<Context, 'network' | 'scope'>): RouterCatalog =>
  context.scope.memory.get('router catalog', () => createCatalog(routerOf(context), context.scope.cache))

/** The assets of a chain, which an operation loads once. */
export const loadedAssets = (context: Pick<Context, 'network' | 'scope'>, chainId: string): Awaitable<ChainAssets> =>
  context.scope.memory.load(`assets of ${chainId}`, () => openCatalog(context).assets(chainId))

/** A catalog of the lists of `router`, read through the cache. */
export function createCatalog(router: Pick<Upstream, 'send'>, reads: CachedReads): RouterCatalog {
  const fetchList = <T extends z.ZodType>(path: string, schema: T, query: Record<string, string>, fetch: SharedFetch) =>
    fetch(router, get(path, schema, { query, is404Error: true }))

  /** Some routers refuse a query with flags that they do not know. They list all assets anyway. */
  const fetchAssets = async (query: Record<string, string>, fetch: SharedFetch) => {
    const path = '/v2/fungible/assets'
    const refused = (error: unknown) => {
      if (!isBadRequest(error)) throw error
      return fetchList(path, assets, query, fetch)
    }
    const response = await fetchList(path, assets, { ...query, ...allKinds }, fetch).catch(refused)
    return response?.chain_to_assets_map ?? {}
  }
  const isUnknownChain = async (chainId: string) => (await catalog.chains().catch(() => null))?.find(chainId) === null
  const loadAssets = async (chainId: string, fetch: SharedFetch) => {
    const map = await fetchAssets({ chain_ids: chainId }, fetch).catch(async (error: unknown) => {
      if (isRefusal(error) && (await isUnknownChain(chainId))) return null
      throw error
    })
    return assetLookup(readRouterValue(map?.[chainId])?.assets ?? [])
  }
  /** Initia's router reads several ids between commas. Any other router is asked for each chain alone. */
  const loadTogether = async (chainIds: readonly string[], fetch: SharedFetch) => {
    const map = await fetchAssets({ chain_ids: chainIds.join(',') }, fetch)
    const lists = chainIds.map((chainId) => [chainId, ifReadable(map[chainId])?.assets] as const)
    return new Map(lists.flatMap(([chainId, list]) => (list ? [[chainId, assetLookup(list)]] : [])))
  }
  const loadAllAssets = async (fetch: SharedFetch) => {
    const map = await fetchAssets({}, fetch)
    return namedList(Object.values(map).flatMap((chain) => ifReadable(chain)?.assets ?? []))
  }
  // Its loads are those of one operation, which all send in the same way.
  let loadJoined: JoinedLoads<ChainAssets> | undefined
  const catalog: RouterCatalog = {
    chains: () => loadRouterChains(router, reads),
    assets: (chainId) =>
      reads.read(assetRegion, chainId, (fetch, ending) => {
        const fetchUntil =
          (end: LoadSignal): SharedFetch =>
          (upstream, request) =>
            fetch(upstream, request, end)
        loadJoined ??= createJoinedLoads({
          together: (chainIds, end) => loadTogether(chainIds, fetchUntil(end)),
          alone: (id, end) => loadAssets(id, fetchUntil(end)),
        })
        return loadJoined(chainId, ending)
      }),
    allAssets: () => reads.read(allAssetsRegion, '', loadAllAssets),
  }
  return catalog
}

const allKinds = {
  include_evm_assets: 'true',
  include_svm_assets: 'true',
  include_cw20_assets: 'true',
}

/** Contract addresses of EVM chains are case-insensitive. Other denoms are case-sensitive. */
export const denomKey = (denom: string): string => (/^(evm\/|0x)/i.test(denom) ? denom.toLowerCase() : denom)

function assetLookup(all: readonly AssetBody[]): ChainAssets {
  const byDenom = indexBy(all, ({ denom }) => denom, denomKey)
  const byContract = indexBy(all, ({ token_contract }) => ifReadable(token_contract) ?? '', denomKey)
  // The denom of a contract on an EVM chain that is a Cosmos chain too.
  const evmDenom = (contract: string) => contract.replace(/^0x/i, 'evm/')
  const find = (key: string) =>
    byDenom.find(key) ?? (key === '' ? null : byContract.find(key)) ?? byDenom.find(evmDenom(key))
  const known = knownDenoms(
    all.map(({ denom, token_contract }) => ({ denom, tokenContract: ifReadable(token_contract) })),
  )
  const symbols = once(() => {
    const counts = new Map<string, number>()
    for (const each of all) {
      const symbol = ifReadable(each.symbol)?.toLowerCase()
      if (symbol) counts.set(symbol, (counts.get(symbol) ?? 0) + 1)
    }
    return counts
  })
  const countOfSymbol = (symbol: string) => symbols().get(symbol.toLowerCase()) ?? 0
  return { ...namedList(all), ...channelIndex(all), find, known, countOfSymbol }
}

const isBadRequest = (error: unknown): boolean => error instanceof UpstreamHttpError && error.status === 400

const isRefusal = (error: unknown): boolean =>
  isBadRequest(error) || (error instanceof UpstreamHttpError && error.status === 404)

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
