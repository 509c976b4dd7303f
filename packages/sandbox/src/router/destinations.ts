import { assetBody, assetKey, type RouterAsset } from './assets.ts'
import { fieldReader, isJsonObject, type JsonObject, parseJsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { invalidArgument, rpcError, validationError } from './replyError.ts'
import { maxHops } from './search.ts'

/** The reply to POST /v2/fungible/assets_from_source: the assets that an asset can be turned into. */
export function destinationsReply(network: Network, text: string): JsonObject {
  const fields = fieldReader(parseJsonObject(text))
  const source = readSource(network, fields)
  const options = {
    swaps: fields.flag('include_swaps') ?? false,
    maxTxs: fields.flag('allow_multi_tx') === true ? 4 : 1,
  }
  fields.check()
  const groups: Record<string, { assets: JsonObject[] }> = {}
  for (const asset of reachable(network, source, options)) {
    const group = groups[asset.chainId] ?? { assets: [] }
    groups[asset.chainId] = group
    group.assets.push(assetBody(asset))
  }
  return { dest_assets: groups }
}

/** The reply to POST /v2/fungible/recommend_assets. Each request has an entry, or an error in its place. */
export function recommendationsReply(network: Network, text: string): JsonObject {
  const { requests } = parseJsonObject(text)
  if (!Array.isArray(requests)) throw validationError(['requests must be an array'])
  return {
    recommendation_entries: requests.map((request: unknown) => {
      const fields = fieldReader(isJsonObject(request) ? request : {})
      const source = readSource(network, fields)
      const chainIds = fields.has('dest_chain_id')
        ? [fields.text('dest_chain_id')]
        : [...network.chains.keys()].filter((chainId) => chainId !== source.chainId)
      fields.check()
      return {
        recommendations: chainIds.flatMap((chainId) => recommended(network, source, chainId)),
      }
    }),
  }
}

function readSource(network: Network, fields: ReturnType<typeof fieldReader>): RouterAsset {
  const denom = fields.text('source_asset_denom')
  const chainId = fields.text('source_asset_chain_id')
  fields.check()
  if (!network.chains.has(chainId)) throw invalidArgument('Invalid source_asset_chain_id')
  const asset = network.assets.get(assetKey(chainId, denom))
  if (asset === undefined) throw invalidArgument('Invalid source_asset_denom')
  return asset
}

/** The same token on the chain, and the token that pays for its gas. */
function recommended(network: Network, source: RouterAsset, chainId: string): JsonObject[] {
  const chain = network.chains.get(chainId)
  if (chain === undefined) throw rpcError(404, 5, 'dest chain not found')
  const there = [...network.assets.values()].filter((asset) => asset.chainId === chainId)
  const same = there.find((asset) => asset.token === source.token && !asset.hidden)
  const base = network.assets.get(assetKey(chainId, chain.feeDenom))
  const entry = (asset: RouterAsset | undefined, reason: string): JsonObject[] =>
    asset === undefined ? [] : [{ asset: assetBody(asset), reason }]
  return [...entry(same, 'DIRECT'), ...(base === same ? [] : entry(base, 'BASE_TOKEN'))]
}

/** All assets but the source that bridges lead to, and swaps too if they are allowed. */
function reachable(
  network: Network,
  source: RouterAsset,
  { swaps, maxTxs }: { readonly swaps: boolean; readonly maxTxs: number },
): ReadonlySet<RouterAsset> {
  const found = new Set<RouterAsset>()
  let frontier = [{ asset: source, txs: 1, open: true }]
  const seen = new Set<string>()
  for (let hop = 0; hop < maxHops && frontier.length > 0; hop++) {
    frontier = frontier.flatMap(({ asset, txs, open }) =>
      (network.edgesFrom.get(assetKey(asset.chainId, asset.denom)) ?? []).flatMap((edge) => {
        const next = { asset: edge.to, txs: open ? txs : txs + 1, open: edge.carriesOn }
        const state = `${assetKey(edge.to.chainId, edge.to.denom)} ${next.txs} ${next.open}`
        const isSwap = 'venue' in edge.via
        if (seen.has(state) || (isSwap && !swaps) || next.txs > maxTxs) return []
        seen.add(state)
        if (edge.to !== source) found.add(edge.to)
        return [next]
      }),
    )
  }
  return found
}
