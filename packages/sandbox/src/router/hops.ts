import type { HopSnapshot } from './bridges/bridge.ts'
import { bothEnds, stateName } from './bridges/common.ts'
import { bridgeOf, type Edge } from './edges.ts'
import type { JsonObject } from './jsonObject.ts'

/** The entry of `transfer_sequence` for a hop, under the key of its bridge. */
export function hopBody(edge: Edge, moment: HopSnapshot): JsonObject {
  const bridge = bridgeOf(edge)
  if (bridge === undefined) throw new RangeError('a swap is no hop')
  return hopEntry(bridge.hopKey, edge.from.chainId, edge.to.chainId, bridge.hop(moment))
}

/** An entry of `transfer_sequence` between two chains, under a key. */
export const hopEntry = (key: string, from: string, to: string, inner: JsonObject): JsonObject => ({
  [key]: { from_chain_id: from, to_chain_id: to, ...inner, src_chain_id: from, dst_chain_id: to },
})

/** The same entry for a bridge that no client knows. */
export function ferryBody({ from, to }: Edge, moment: HopSnapshot): JsonObject {
  return hopEntry('ferry_transfer', from.chainId, to.chainId, {
    state: `FERRY_TRANSFER_${stateName(moment.progress, ['AT_SEA', 'AT_SEA', 'MOORED'])}`,
    vessel: 'MV Meridian',
    txs: bothEnds(moment),
  })
}
