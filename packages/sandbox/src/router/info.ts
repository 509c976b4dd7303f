import { assetBody } from './assets.ts'
import { bridges } from './bridges/bridges.ts'
import { hubVenue, outsideVenues, type RouterChain } from './chains.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { invalidArgument } from './replyError.ts'

/** The reply to GET /v2/info/chains. `chain_ids` may be repeated, comma-separated, or both. */
export function chainsReply(network: Network, query: URLSearchParams): JsonObject {
  const requested = chainIds(network, query)
  const chains = [...network.chains.values()].filter(
    ({ chainId, type }) =>
      query.get('only_testnets') !== 'true' &&
      (requested === undefined ? type !== 'evm' || includesEvm(query) : requested.has(chainId)),
  )
  return { chains: chains.map(chainBody) }
}

/** The reply to GET /v2/fungible/assets. */
export function assetsReply(network: Network, query: URLSearchParams): JsonObject {
  const requested = chainIds(network, query)
  const groups: Record<string, { assets: JsonObject[] }> = {}
  for (const asset of network.assets.values()) {
    if (query.get('only_testnets') === 'true') continue
    if (requested !== undefined && !requested.has(asset.chainId)) continue
    if (query.get('native_only') === 'true' && asset.originChainId !== asset.chainId) continue
    const chain = network.chains.get(asset.chainId)
    if (requested === undefined && chain?.type === 'evm' && !includesEvm(query, 'include_evm_assets')) {
      continue
    }
    const group = groups[asset.chainId] ?? { assets: [] }
    groups[asset.chainId] = group
    group.assets.push(assetBody(asset))
  }
  return { chain_to_assets_map: groups }
}

/** The reply to GET /v2/info/bridges. */
export function bridgesReply(): JsonObject {
  return {
    bridges: bridges.map(({ id, name }) => ({ id, name, logo_uri: logo(id) })),
  }
}

/** The reply to GET /v2/fungible/venues. */
export function venuesReply(network: Network, hub: string | undefined): JsonObject {
  const hubVenues = hub === undefined ? [] : [hubVenue({ chainId: hub })]
  const venues = [...hubVenues, ...outsideVenues].filter(({ chainId }) => network.chains.has(chainId))
  return {
    venues: venues.map(({ name, chainId }) => ({ name, chain_id: chainId, logo_uri: logo(name) })),
  }
}

function logo(of: string): string {
  return `https://assets.example/${of.toLowerCase()}.png`
}

function chainIds(network: Network, query: URLSearchParams): ReadonlySet<string> | undefined {
  const ids = query.getAll('chain_ids').flatMap((text) => text.split(','))
  const named = ids.filter((id) => id !== '')
  if (!named.every((id) => network.chains.has(id))) throw invalidArgument('Invalid chain_id')
  return named.length === 0 ? undefined : new Set(named)
}

/** EVM chains are listed unless the request excludes them. */
function includesEvm(query: URLSearchParams, name = 'include_evm'): boolean {
  return query.get(name) !== 'false'
}

function chainBody(chain: RouterChain): JsonObject {
  const cosmos = chain.type === 'cosmos'
  const host = `${chain.name}.example`
  return {
    chain_name: chain.name,
    chain_id: chain.chainId,
    pretty_name: chain.prettyName,
    chain_type: chain.type,
    logo_uri: logo(chain.name),
    bech32_prefix: chain.bech32Prefix,
    fee_assets: chain.gasPrice ? [{ denom: chain.feeDenom, gas_price: chain.gasPrice }] : [],
    pfm_enabled: cosmos,
    supports_memo: cosmos,
    cosmos_module_support: { authz: cosmos, feegrant: cosmos },
    ibc_capabilities: {
      cosmos_pfm: cosmos,
      cosmos_ibc_hooks: cosmos,
      cosmos_memo: cosmos,
      cosmos_autopilot: false,
    },
    is_testnet: false,
    ...(chain.evmFee ? { evm_fee_asset: chain.evmFee } : {}),
    rpc: `https://rpc.${host}`,
    rest: `https://rest.${host}`,
  }
}
