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
  lenientPrice,
  lenientString,
} from '../../upstream/lenient.ts'
import { get } from '../../upstream/request.ts'
import type { RequestScope } from '../../upstream/requestScope.ts'
import { UpstreamHttpError } from '../../upstream/upstreamError.ts'
import { catalogFreshness, indexBy, type Lookup } from './lookup.ts'

/** Aborts when nobody waits for a load any more. */
export type LoadSignal = RequestScope['signal']

const chain = z.object({
  chain_id: chainIdString,
  chain_name: lenientString,
  pretty_name: lenientString,
  chain_type: lenientString,
  logo_uri: lenientString,
  bech32_prefix: lenientString,
  fee_assets: lenientList(
    z.object({
      denom: z.string(),
      gas_price: lenient(
        z.object({ low: lenientPrice, average: lenientPrice, high: lenientPrice }),
      ),
    }),
  ),
  evm_fee_asset: lenient(
    z.object({ name: lenientString, symbol: lenientString, decimals: lenientInt }),
  ),
  rpc: lenientString,
  rest: lenientString,
  supports_memo: lenientBoolean,
  is_testnet: lenientBoolean,
  hidden: lenientBoolean,
})

/** What the router says of a chain. */
export type RouterChainRecord = z.output<typeof chain>

const chains = z.object({ chains: lenientList(chain) })

const region: CacheRegion<Lookup<RouterChainRecord>> = {
  name: 'router chains',
  maxEntries: 1,
  ...catalogFreshness,
}

/** The chains that a router reaches, from its list. Operations share the list through the cache. */
export async function loadRouterChains(
  router: Pick<Upstream, 'send'>,
  cache: CacheStore,
  signal?: LoadSignal,
): Promise<Lookup<RouterChainRecord>> {
  const load = async (ending: LoadSignal) => {
    const query = { include_evm: 'true', include_svm: 'true' }
    const path = '/v2/info/chains'
    const is404Error = true
    const response = await router
      .send(get(path, chains, { query, is404Error }), ending)
      .catch((error: unknown) => {
        // Some routers refuse a query with flags that they do not know. They list all chains anyway.
        if (!(error instanceof UpstreamHttpError) || error.status !== 400) throw error
        return router.send(get(path, chains, { is404Error }), ending)
      })
    return indexBy(response?.chains ?? [], ({ chain_id }) => chain_id)
  }
  return cache.open(region).fetch('', load, signal)
}

/**
 * The router for a load that operations share. It waits in the queue with the requests of the client that began
 * it, which counts it once, and not before all others as requests without an owner do.
 */
export const shared = (
  router: Upstream,
  { owner }: Pick<RequestScope, 'owner'>,
): Pick<Upstream, 'send'> => ({
  send(request, signal) {
    owner.budget?.send()
    return router.send(request, signal, { client: owner.client, requestId: owner.requestId })
  },
})

/** What the router says of a chain. Null if it does not reach it, or if no router is configured. */
export async function routerRecordOf(
  { network, cache, scope }: Pick<Context, 'network' | 'cache' | 'scope'>,
  chainId: string,
): Promise<RouterChainRecord | null> {
  if (!network.router) return null
  scope.limitFreshness(0)
  const router = shared(network.router, scope)
  return (await loadRouterChains(router, cache, scope.signal)).find(chainId)
}
