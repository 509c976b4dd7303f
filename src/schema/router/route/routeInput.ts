import { builder } from '../../../engine/graphql/builder.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import { checkChainId, isEvmChainId } from '../../chain/chainId.ts'
import { AssetInput } from '../asset/assetInput.ts'
import { Bridge } from '../bridges/bridge.ts'
import { withExtra } from '../extra.ts'

const SwapVenueInput = builder.inputType('SwapVenueInput', {
  description: 'A venue for swaps, such as a DEX.',
  fields: (t) => ({
    name: t.string({ required: true, description: "The router's name of the venue." }),
    chainId: t.field({
      type: 'ChainId',
      required: true,
      description: 'The chain that the venue is on.',
    }),
  }),
})

const SmartSwapInput = builder.inputType('SmartSwapInput', {
  description: 'Swap options. All are off by default.',
  fields: (t) => ({
    splitRoutes: t.boolean({ description: 'Whether a swap may be split over several paths.' }),
    evmSwaps: t.boolean({ description: 'Whether to allow swaps on EVM chains.' }),
  }),
})

export const RouteInput = builder.inputType('RouteInput', {
  description: 'The asset to send and its destination.',
  fields: (t) => ({
    source: t.field({
      type: AssetInput,
      required: true,
      description: 'The asset to send, on the chain to send from.',
    }),
    destination: t.field({
      type: AssetInput,
      required: true,
      description: 'The asset to receive, on the chain to send to.',
    }),
    amountIn: t.field({
      type: 'BigInt',
      description: 'Amount to send, in base units, above 0. Or give `amountOut`.',
    }),
    amountOut: t.field({
      type: 'BigInt',
      description: 'Exact amount to receive, in base units, above 0.',
    }),
    allowUnsafe: t.boolean({
      description: 'Return routes with a bad or unknown price, with a `warning`, not as an error.',
    }),
    allowMultiTransaction: t.boolean({
      description: 'Return routes that need several signatures.',
    }),
    allowSwaps: t.boolean({ description: 'Whether to return routes with swaps.' }),
    smartRelay: t.boolean({ description: 'Use relayers that pay for delivery, for a fee.' }),
    smartSwap: t.field({
      type: SmartSwapInput,
      description: 'Swap options. All are off by default.',
    }),
    goFast: t.boolean({ description: 'Whether to use Go Fast, where solvers deliver in advance.' }),
    isOpWithdrawal: t.boolean({
      description: 'Force a withdrawal over the slow optimistic bridge.',
    }),
    bridges: t.field({
      type: [Bridge],
      description: 'Bridges to use. All by default. `UNKNOWN` is not allowed.',
    }),
    swapVenues: t.field({
      type: [SwapVenueInput],
      description: 'Swap venues to use. All by default.',
    }),
    affiliateFeeBps: t.int({
      description: 'Fee of all affiliates on swaps, in hundredths of a percent.',
    }),
    fastTransfer: t.boolean({
      description: 'Prefer routes that deliver before the source is final.',
    }),
    ignoreBlacklist: t.boolean({ description: 'Include networks that the router leaves out.' }),
    experimentalFeatures: t.stringList({ description: 'Features on request, such as `eureka`.' }),
    extra: t.field({
      type: 'JSON',
      description: 'Further fields for the router, in its own names.',
    }),
  }),
})

/** The JSON body of a route request, with the field names of the router. Throws `BAD_USER_INPUT`. */
export function routeBody(input: typeof RouteInput.$inferInput): string {
  const { source, destination, bridges, affiliateFeeBps } = input
  if (bridges?.includes('UNKNOWN')) throw badInput('`UNKNOWN` is not allowed in `bridges`.')
  if (affiliateFeeBps != null && (affiliateFeeBps < 0 || affiliateFeeBps > 10_000)) {
    throw badInput('`affiliateFeeBps` must be between 0 and 10000.')
  }
  return withExtra(input.extra, {
    ...amounts(input),
    source_asset_chain_id: checkChainId(source.chainId),
    source_asset_denom: checkDenom(source),
    dest_asset_chain_id: checkChainId(destination.chainId),
    dest_asset_denom: checkDenom(destination),
    allow_unsafe: orUndefined(input.allowUnsafe),
    allow_multi_tx: orUndefined(input.allowMultiTransaction),
    allow_swaps: orUndefined(input.allowSwaps),
    smart_relay: orUndefined(input.smartRelay),
    smart_swap_options: input.smartSwap
      ? {
          split_routes: orUndefined(input.smartSwap.splitRoutes),
          evm_swaps: orUndefined(input.smartSwap.evmSwaps),
        }
      : undefined,
    go_fast: orUndefined(input.goFast),
    fast_transfer: orUndefined(input.fastTransfer),
    is_op_withdraw: orUndefined(input.isOpWithdrawal),
    ignore_blacklist: orUndefined(input.ignoreBlacklist),
    bridges: orUndefined(bridges),
    swap_venues: input.swapVenues?.map(({ name, chainId }) => ({
      name: checkVenue(name),
      chain_id: checkChainId(chainId),
    })),
    experimental_features: input.experimentalFeatures?.map(checkFeature),
    cumulative_affiliate_fee_bps: affiliateFeeBps == null ? undefined : String(affiliateFeeBps),
  })
}

/** Exactly one amount: what is sent, or what is received. */
function amounts({ amountIn, amountOut }: typeof RouteInput.$inferInput) {
  if ((amountIn == null) === (amountOut == null)) {
    throw badInput('Give either `amountIn` or `amountOut`.')
  }
  if ((amountIn ?? amountOut ?? 0n) <= 0n) {
    throw badInput(`\`${amountIn == null ? 'amountOut' : 'amountIn'}\` must be greater than 0.`)
  }
  return {
    amount_in: amountIn == null ? undefined : String(amountIn),
    amount_out: amountOut == null ? undefined : String(amountOut),
  }
}

const orUndefined = <T>(value: T | null | undefined): T | undefined => value ?? undefined

function checkVenue(name: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,64}$/u.test(name)) return name
  throw badInput('The name of a swap venue must have 1 to 64 characters.')
}

function checkFeature(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name
  throw badInput('The name of a feature must have 1 to 64 letters, digits, dots and dashes.')
}

/** A denom. Only that of the native coin of an EVM chain may be empty. */
function checkDenom({ chainId, denom }: typeof AssetInput.$inferInput): string {
  if (/^[^\s\p{Cc}\p{Cs}]{1,256}$/u.test(denom)) return denom
  if (denom === '' && isEvmChainId(chainId)) return denom
  throw badInput('A denom must have 1 to 256 characters and no spaces.', 'INVALID_DENOM')
}
