import { assetKey, type RouterAsset, usdOf } from './assets.ts'
import { type Edge, isWithdrawal } from './edges.ts'
import { type FieldReader, fieldReader, isJsonObject, type JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { invalidArgument, ReplyError, rpcError } from './replyError.ts'
import { type Bounds, bestPath, leastAmountIn, type PathStep } from './search.ts'

/** The source and the destination asset of a route. */
export interface AssetPair {
  readonly source: RouterAsset
  readonly dest: RouterAsset
}

/** A path with its amounts. */
export interface Quote extends AssetPair {
  readonly exactOut: boolean
  readonly amountIn: bigint
  /** The requested amount of an exact-out quote, otherwise what the last step delivers. */
  readonly amountOut: bigint
  /** What the last step delivers. */
  readonly estimatedOut: bigint
  /** Empty if source and destination are the same asset. */
  readonly steps: readonly PathStep[]
}

/** Reads the four fields that name the two assets. */
export function readAssetNames(fields: FieldReader): Record<keyof typeof assetFields, string> {
  return {
    sourceChain: fields.text(assetFields.sourceChain),
    sourceDenom: fields.text(assetFields.sourceDenom),
    destChain: fields.text(assetFields.destChain),
    destDenom: fields.text(assetFields.destDenom),
  }
}

const assetFields = {
  sourceChain: 'source_asset_chain_id',
  sourceDenom: 'source_asset_denom',
  destChain: 'dest_asset_chain_id',
  destDenom: 'dest_asset_denom',
} as const

/** The assets with these names. An unknown chain is an invalid argument, and an unknown denom is not found. */
export function resolveAssets(network: Network, names: ReturnType<typeof readAssetNames>): AssetPair {
  if (!network.chains.has(names.sourceChain)) {
    throw invalidArgument(`Invalid ${assetFields.sourceChain}`)
  }
  if (!network.chains.has(names.destChain)) throw invalidArgument(`Invalid ${assetFields.destChain}`)
  const source = network.assets.get(assetKey(names.sourceChain, names.sourceDenom))
  const dest = network.assets.get(assetKey(names.destChain, names.destDenom))
  if (source === undefined) throw rpcError(404, 5, 'source asset not found')
  if (dest === undefined) throw rpcError(404, 5, 'destination asset not found')
  return { source, dest }
}

/** The quote for a route request. Unknown fields are ignored. */
export function quoteOf(network: Network, body: JsonObject): Quote {
  const fields = fieldReader(body)
  const exactOut = !fields.has('amount_in') && fields.has('amount_out')
  const amount = fields.amount(exactOut ? 'amount_out' : 'amount_in')
  const names = readAssetNames(fields)
  const bounds = readSearchBounds(fields, body)
  fields.check()
  if (fields.has('amount_in') && fields.has('amount_out')) {
    throw invalidArgument('only one of amount_in and amount_out can be given')
  }
  const leg = resolveAssets(network, names)
  const { source, dest } = leg
  if (amount >= 10n ** 48n) {
    throw new ReplyError({
      status: 500,
      json: { error_message: 'amount does not fit 160 bits', source: 'quote engine' },
    })
  }
  if (source === dest) {
    return {
      ...leg,
      exactOut,
      amountIn: amount,
      amountOut: amount,
      estimatedOut: amount,
      steps: [],
    }
  }
  const amountIn = exactOut ? leastAmountIn(network, source, dest, amount, bounds) : amount
  if (amountIn === undefined) throw noRoutes()
  const steps = bestPath(network, source, dest, amountIn, bounds)
  const estimatedOut = steps?.at(-1)?.amountOut
  if (steps === undefined || estimatedOut === undefined) {
    throw tooLittle(network, leg, bounds) ?? noRoutes()
  }
  const amountOut = exactOut ? amount : estimatedOut
  const quote = { ...leg, exactOut, amountIn, amountOut, estimatedOut, steps }
  if (fields.flag('allow_unsafe') === false) refuseUnsafe(quote)
  return quote
}

/** What is wrong with the price of a quote. */
export type PriceIssue = 'LOW_INFO' | 'BAD_PRICE' | 'HIGH_LOSS'

/** The problem with the price of a quote, if any: a loss over 5 % is a bad price, over 50 % a high loss. */
export function priceIssue(quote: Quote): PriceIssue | undefined {
  if (!quote.steps.some((step) => 'venue' in step.edge.via)) return undefined
  const before = usdOf(quote.source, quote.amountIn)
  const after = usdOf(quote.dest, quote.estimatedOut)
  if (before === undefined || after === undefined) return 'LOW_INFO'
  const loss = before === 0 ? 0 : 1 - after / before
  return loss > 0.5 ? 'HIGH_LOSS' : loss > 0.05 ? 'BAD_PRICE' : undefined
}

/** The message for a problem with the price. */
export function priceMessage(quote: Quote, issue: PriceIssue): string {
  if (issue === 'LOW_INFO') return 'usd value of route input or output is not known'
  const [before, after] = [usdOf(quote.source, quote.amountIn) ?? 0, usdOf(quote.dest, quote.estimatedOut) ?? 0]
  const values = `input usd value: ${before.toFixed(2)} output usd value: ${after.toFixed(2)}`
  return `difference in usd value of route input and output is too large. ${values}`
}

function refuseUnsafe(quote: Quote): void {
  const issue = priceIssue(quote)
  if (issue !== undefined) {
    throw rpcError(400, 3, priceMessage(quote, issue), `${issue}_ERROR`)
  }
}

function readSearchBounds(fields: FieldReader, body: JsonObject): Bounds {
  const bridges = fields.has('bridges') ? fields.list('bridges') : undefined
  const venues = fields.has('swap_venues')
    ? fields.list('swap_venues').map((venue) => (isJsonObject(venue) ? venue.name : undefined))
    : undefined
  const swaps = fields.flag('allow_swaps') ?? true
  const goFast = fields.flag('go_fast')
  const withdrawals = fields.flag('is_op_withdraw') ?? false
  fields.flag('allow_unsafe')
  const options = body.smart_swap_options
  const evmSwaps = !isJsonObject(options) || options.evm_swaps !== false

  const allowed = (edge: Edge): boolean => {
    const { via, from, seconds } = edge
    if (!('bridge' in via)) {
      if (via.kind === 'evm_swap' && !evmSwaps) return false
      return swaps && (venues === undefined || venues.includes(via.venue))
    }
    if (bridges !== undefined && !bridges.includes(via.bridge.id)) return false
    // Who names the bridge knows that a withdrawal takes days.
    if (isWithdrawal(edge)) return withdrawals || bridges !== undefined
    if (via.bridge.isFast) return goFast !== false
    // A fast route does not wait for the finality of Ethereum.
    return !(goFast === true && from.chainId === '1' && seconds > 600)
  }
  return { maxTxs: fields.flag('allow_multi_tx') === true ? 4 : 1, allowed }
}

/** The error for an amount that the fees eat up. Undefined if no amount has a route. */
function tooLittle(network: Network, { source, dest }: AssetPair, bounds: Bounds): ReplyError | undefined {
  if (bestPath(network, source, dest, 10n ** 40n, bounds) === undefined) return undefined
  const least = leastAmountIn(network, source, dest, 1n, bounds)
  return new ReplyError({
    status: 400,
    json: {
      code: 3,
      message: 'amount in is less than the fees of the route',
      info: `Send at least ${least} ${source.denom}.`,
      details: [],
    },
  })
}

function noRoutes(): ReplyError {
  return rpcError(404, 5, 'no routes found')
}
