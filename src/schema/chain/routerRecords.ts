import { z } from 'zod'
import type { Context } from '../../engine/graphql/builder.ts'
import type { CachedReads } from '../../engine/upstream/cachedReads.ts'
import type { Upstream } from '../../engine/upstream/client.ts'
import { get } from '../../engine/upstream/request.ts'
import { UpstreamHttpError } from '../../engine/upstream/upstreamError.ts'
import {
  bodyWith,
  chainIdString,
  lenient,
  lenientBoolean,
  lenientDecimals,
  lenientList,
  lenientPrice,
  lenientString,
} from '../../engine/wire/lenient.ts'
import { lenientName, lenientSymbol } from '../../engine/wire/shownText.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { catalogFreshness, indexBy, type Lookup } from './lookup.ts'

const chain = z.object({
  chain_id: chainIdString,
  chain_name: lenientName,
  pretty_name: lenientName,
  chain_type: lenientString,
  logo_uri: lenientString,
  bech32_prefix: lenientString,
  fee_assets: lenientList(
    z.object({
      denom: z.string(),
      gas_price: lenient(z.object({ low: lenientPrice, average: lenientPrice, high: lenientPrice })),
    }),
  ),
  evm_fee_asset: lenient(z.object({ name: lenientName, symbol: lenientSymbol, decimals: lenientDecimals })),
  rpc: lenientString,
  rest: lenientString,
  supports_memo: lenientBoolean,
  is_testnet: lenientBoolean,
  hidden: lenientBoolean,
})

export type RouterChainRecord = z.output<typeof chain>

const chains = bodyWith(z.object({ chains: lenientList(chain) }))

const region: CacheRegion<Lookup<RouterChainRecord>> = {
  name: 'router chains',
  maxEntries: 1,
  ...catalogFreshness,
}

/** The chains that a router reaches, from its list. Operations share the list through the cache. */
export const loadRouterChains = (
  router: Pick<Upstream, 'send'>,
  reads: CachedReads,
): Promise<Lookup<RouterChainRecord>> =>
  reads.read(region, '', async (fetch) => {
    const query = { include_evm: 'true', include_svm: 'true' }
    const path = '/v2/info/chains'
    const is404Error = true
    const response = await fetch(router, get(path, chains, { query, is404Error })).catch((error: unknown) => {
      // Some routers refuse a query with flags that they do not know. They list all chains anyway.
      if (!(error instanceof UpstreamHttpError) || error.status !== 400) throw error
      return fetch(router, get(path, chains, { is404Error }))
    })
    return indexBy(response?.chains ?? [], ({ chain_id }) => chain_id)
  })

/** The router's record of a chain. Null if the router does not reach it, or if no router is configured. */
export async function loadRouterRecord(
  { network, scope }: Pick<Context, 'network' | 'scope'>,
  chainId: string,
): Promise<RouterChainRecord | null> {
  if (!network.router) return null
  return (await loadRouterChains(network.router, scope.cache)).find(chainId)
}
