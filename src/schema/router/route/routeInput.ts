import { builder } from '../../../graphql/builder.ts'
import { badInput } from '../../../upstream/error.ts'
import { Bridge } from '../bridges/bridge.ts'
import { checkChainId } from '../routerInput.ts'

const SwapVenueInput = builder.inputType('SwapVenueInput', {
  description: 'A place where assets are swapped.',
  fields: (t) => ({
    name: t.string({ required: true, description: "The router's name of it." }),
    chainId: t.string({ required: true, description: 'The chain it is on.' }),
  }),
})

const SmartSwapInput = builder.inputType('SmartSwapInput', {
  description: 'Ways of swapping that are off unless asked for.',
  fields: (t) => ({
    splitRoutes: t.boolean({ description: 'Whether to split a swap along several paths.' }),
    evmSwaps: t.boolean({ description: 'Whether to swap on EVM chains too.' }),
  }),
})

export const RouteInput = builder.inputType('RouteInput', {
  description: 'What is to go where. All that is left out is as the router has it.',
  fields: (t) => ({
    sourceAssetChainId: t.string({ required: true, description: 'The chain to send from.' }),
    sourceAssetDenom: t.string({
      required: true,
      description: 'Base denom to send, or the address of its contract.',
    }),
    destAssetChainId: t.string({ required: true, description: 'The chain to send to.' }),
    destAssetDenom: t.string({
      required: true,
      description: 'Base denom to arrive as, or the address of its contract.',
    }),
    amountIn: t.field({
      type: 'BigInt',
      required: true,
      description: 'How much to send, in base units: above 0.',
    }),
    allowUnsafe: t.boolean({
      description:
        'Whether to give routes at a bad or unknown price, with a `warning`; else they are refused with a reason.',
    }),
    allowMultiTransaction: t.boolean({
      description: 'Whether to give routes that need several signed transactions.',
    }),
    allowSwaps: t.boolean({ description: 'Whether to give routes that swap.' }),
    smartRelay: t.boolean({
      description: 'Whether to use relayers who pay for the delivery, against a fee.',
    }),
    smartSwap: t.field({
      type: SmartSwapInput,
      description: 'Ways of swapping that are off unless asked for.',
    }),
    goFast: t.boolean({ description: 'Whether to use solvers that pay in advance.' }),
    isOpWithdrawal: t.boolean({
      description: "Whether to force a withdrawal by the rollup's own bridge, slow but plain.",
    }),
    bridges: t.field({
      type: [Bridge],
      description: 'The only bridges to use; `UNKNOWN` cannot be asked for.',
    }),
    swapVenues: t.field({
      type: [SwapVenueInput],
      description: 'The only places to swap at.',
    }),
    affiliateFeeBps: t.int({
      description: 'What affiliates will take in all, in hundredths of a percent of swaps.',
    }),
  }),
})

/** The request for a quote, in the field names of the router. Throws `BAD_USER_INPUT`. */
export function routeBody(input: typeof RouteInput.$inferInput): string {
  const { amountIn, bridges, affiliateFeeBps } = input
  if (amountIn <= 0n) throw badInput('`amountIn` is a whole number above 0, in base units.')
  if (bridges?.includes('UNKNOWN')) throw badInput('`UNKNOWN` is no bridge to choose.')
  if (affiliateFeeBps != null && (affiliateFeeBps < 0 || affiliateFeeBps > 10_000)) {
    throw badInput('`affiliateFeeBps` goes from 0 to 10000.')
  }
  return JSON.stringify({
    amount_in: String(amountIn),
    source_asset_chain_id: checkChainId(input.sourceAssetChainId),
    source_asset_denom: checkDenom(input.sourceAssetDenom),
    dest_asset_chain_id: checkChainId(input.destAssetChainId),
    dest_asset_denom: checkDenom(input.destAssetDenom),
    allow_unsafe: given(input.allowUnsafe),
    allow_multi_tx: given(input.allowMultiTransaction),
    allow_swaps: given(input.allowSwaps),
    smart_relay: given(input.smartRelay),
    smart_swap_options: input.smartSwap
      ? {
          split_routes: given(input.smartSwap.splitRoutes),
          evm_swaps: given(input.smartSwap.evmSwaps),
        }
      : undefined,
    go_fast: given(input.goFast),
    is_op_withdraw: given(input.isOpWithdrawal),
    bridges: given(bridges),
    swap_venues: input.swapVenues?.map(({ name, chainId }) => ({
      name: checkVenue(name),
      chain_id: checkChainId(chainId),
    })),
    cumulative_affiliate_fee_bps: affiliateFeeBps == null ? undefined : String(affiliateFeeBps),
  })
}

const given = <T>(value: T | null | undefined): T | undefined => value ?? undefined

function checkVenue(name: string): string {
  if (/^[^\p{Cc}\p{Cs}]{1,64}$/u.test(name)) return name
  throw badInput('The name of a swap venue has up to 64 characters.')
}

function checkDenom(denom: string): string {
  if (/^[^\s\p{Cc}\p{Cs}]{1,256}$/u.test(denom)) return denom
  throw badInput('A denom has up to 256 characters, none of them blank.')
}
