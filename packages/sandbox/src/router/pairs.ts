import { assetBody, assetKey } from './assets.ts'
import { bridgeOf, type Edge } from './edges.ts'
import { fieldReader, isJsonObject, type JsonObject, parseJsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { rpcError } from './replyError.ts'
import { bestPath } from './search.ts'

/**
 * The reply to POST /v2/fungible/assets_between_chains: the assets of one chain that bridges bring to
 * another, and what they are there.
 */
export function assetsBetweenReply(network: Network, text: string): JsonObject {
  const fields = fieldReader(parseJsonObject(text))
  const source = readChain(network, fields.text('source_chain_id'), 'source')
  const destination = readChain(network, fields.text('dest_chain_id'), 'dest')
  const maxTxs = fields.flag('allow_multi_tx') === true ? 4 : 1
  fields.check()
  const visible = [...network.assets.values()].filter(({ hidden }) => !hidden)
  const there = visible.filter(({ chainId }) => chainId === destination)
  const bounds = { maxTxs, allowed: (edge: Edge) => bridgeOf(edge) !== undefined }
  const pairs = visible
    .filter(({ chainId }) => chainId === source)
    .flatMap((from) => there.filter(({ token }) => token === from.token).map((to) => ({ from, to })))
  return {
    assets_between_chains: pairs.flatMap(({ from, to }) => {
      // So much that no fee takes all of it.
      const steps = bestPath(network, from, to, 1_000n * 10n ** BigInt(from.decimals), bounds)
      const last = steps?.at(-1)
      if (!steps || !last) return []
      return {
        asset_on_source: assetBody(from),
        asset_on_dest: assetBody(to),
        txs_required: last.txIndex + 1,
        bridges: [...new Set(steps.map(({ edge }) => bridgeOf(edge)?.id))],
      }
    }),
  }
}

function readChain(network: Network, chainId: string, which: string): string {
  if (chainId === '' || network.chains.has(chainId)) return chainId
  throw rpcError(404, 5, `${which} chain not found`)
}

/** The reply to POST /v2/fungible/ibc_origin_assets: where assets were issued. */
export function originsReply(network: Network, text: string): JsonObject {
  const fields = fieldReader(parseJsonObject(text))
  const assets = fields.list('assets')
  fields.check()
  return {
    origin_assets: assets.map((key) => {
      const { chain_id: chainId, denom } = isJsonObject(key) ? key : {}
      const asset = network.assets.get(assetKey(String(chainId), String(denom)))
      const origin = asset && network.assets.get(assetKey(asset.originChainId, asset.originDenom))
      return origin ? { asset: assetBody(origin), asset_found: true } : { asset_found: false }
    }),
  }
}
