import { bareAssetBody } from './assets.ts'
import { bridgeOf, feeOf, isWithdrawal, usdText } from './edges.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { ends, groupSteps, impactOf, operationsOf } from './operations.ts'
import { priceIssue, priceMessage, type Quote, quoteOf } from './quote.ts'
import { type QuoteTerms, signOperations } from './quoteSignature.ts'
import type { PathStep } from './search.ts'

/** How long the relay fees of a quote are valid, in milliseconds. */
const quoteLifetime = 300_000

/** The reply to POST /v2/fungible/route. */
export function routeReply(network: Network, seed: string, now: number, body: JsonObject): JsonObject {
  const quote = quoteOf(network, body)
  const { steps, source, dest } = quote
  const swaps = steps.filter((step) => 'venue' in step.edge.via)
  const issue = priceIssue(quote)
  const withdraws = steps.some(({ edge }) => isWithdrawal(edge))
  const terms = quoteTerms(quote)
  return {
    ...terms,
    operations: signOperations(seed, terms, operations(network, quote, now + quoteLifetime, body)),
    chain_ids: chainIds(quote, true),
    required_chain_addresses: requiredChains(quote),
    does_swap: swaps.length > 0,
    estimated_amount_out: `${quote.estimatedOut}`,
    swap_venues: venuesOf(swaps),
    txs_required: 1 + (steps.at(-1)?.txIndex ?? 0),
    usd_amount_in: usdText(source, quote.amountIn),
    usd_amount_out: usdText(dest, quote.estimatedOut),
    swap_price_impact_percent: swaps.length > 0 ? impactOf(swaps).toFixed(4) : null,
    estimated_fees: relayFees(steps),
    estimated_route_duration_seconds: steps.reduce((sum, { edge }) => sum + edge.seconds, 0),
    warning:
      issue === undefined
        ? null
        : {
            type: issue === 'LOW_INFO' ? 'LOW_INFO_WARNING' : 'BAD_PRICE_WARNING',
            message: priceMessage(quote, issue),
          },
    required_op_hook: steps.some(needsHook),
    extra_infos: steps.some(needsHook) ? ['A second signature lets the rollup convert the coin when it arrives.'] : [],
    extra_warnings: withdraws ? ['This withdrawal can be claimed after 7 days.'] : null,
  }
}

/** The terms of a quote that its signature covers. A messages request must repeat them. */
export function quoteTerms(quote: Pick<Quote, 'source' | 'dest' | 'amountIn' | 'amountOut'>): QuoteTerms {
  return {
    amount_in: `${quote.amountIn}`,
    amount_out: `${quote.amountOut}`,
    source_asset_chain_id: quote.source.chainId,
    source_asset_denom: quote.source.denom,
    dest_asset_chain_id: quote.dest.chainId,
    dest_asset_denom: quote.dest.denom,
  }
}

/** Whether the step needs a signed rollup transaction. */
export function needsHook({ edge: { via } }: PathStep): boolean {
  return 'bridge' in via && via.rollup?.hasHook === true
}

/** The chains that need an address, in order. A send within one chain lists it twice. */
export function requiredChains(quote: Pick<Quote, 'source' | 'steps'>): readonly string[] {
  return quote.steps.length === 0 ? [quote.source.chainId, quote.source.chainId] : chainIds(quote, false)
}

function chainIds({ source, steps }: Pick<Quote, 'source' | 'steps'>, relays: boolean): readonly string[] {
  const ids = [source.chainId]
  for (const { edge } of steps) {
    const ownChainId = bridgeOf(edge)?.ownChainId
    if (relays && ownChainId !== undefined) ids.push(ownChainId)
    if (edge.to.chainId !== ids.at(-1)) ids.push(edge.to.chainId)
  }
  return ids
}

function operations(network: Network, quote: Quote, expiresAt: number, body: JsonObject): readonly JsonObject[] {
  if (quote.steps.length === 0) {
    const amount = `${quote.amountIn}`
    const send = { chain_id: quote.source.chainId, denom: quote.source.denom }
    return [{ bank_send: send, tx_index: 0, amount_in: amount, amount_out: amount }]
  }
  const options = body.smart_swap_options
  const splitRoutes =
    typeof options === 'object' && options !== null && 'split_routes' in options && options.split_routes === true
  return operationsOf(network, quote.steps, { exactOut: quote.exactOut, splitRoutes, expiresAt })
}

function venuesOf(swaps: readonly PathStep[]): readonly JsonObject[] {
  const venues = new Map<string, JsonObject>()
  for (const { edge } of swaps) {
    if (!('venue' in edge.via)) continue
    venues.set(edge.via.venue, { name: edge.via.venue, chain_id: edge.from.chainId })
  }
  return [...venues.values()]
}

/** The fees of relayers. Fees of bridges are in the operations. */
export function relayFees(steps: readonly PathStep[]): readonly JsonObject[] {
  return groupSteps(steps).flatMap((group, index) => {
    const [{ edge, amountIn, txIndex }] = ends(group)
    const fee = feeOf(edge, amountIn)
    const bridge = bridgeOf(edge)
    if (!bridge?.hasRelayFee || fee === 0n) return []
    return [
      {
        fee_type: 'SMART_RELAY',
        bridge_id: bridge.id,
        amount: `${fee}`,
        usd_amount: usdText(edge.from, fee),
        origin_asset: bareAssetBody(edge.from),
        chain_id: edge.from.chainId,
        tx_index: txIndex,
        operation_index: index,
        fee_behavior: 'FEE_BEHAVIOR_DEDUCTED',
      },
    ]
  })
}
