import { z } from 'zod'
import { readCoins } from '#words/balanceChanges/coins'
import { builder } from '../../../engine/graphql/builder.ts'
import {
  lenientAmount,
  lenientList,
  lenientLossPercent,
  lenientOrNull,
  lenientString,
} from '../../../engine/wire/lenient.ts'
import { type Optional, unreadable } from '../../../engine/wire/optional.ts'
import { Coin } from '../../indexer/coin.ts'
import { formattedField } from '../asset/assetAmount.ts'
import { defineOperation, type OperationDefinition } from '../bridges/defineBridge.ts'
import { ifSent, readRouterValue, sent } from '../routerFields.ts'

/** A swap venue on the wire. */
export const venue = z.object({
  name: lenientString,
  chain_id: lenientString,
  logo_uri: lenientString,
})

export const SwapVenue = builder.objectRef<z.output<typeof venue>>('SwapVenue').implement({
  description: 'A venue for swaps, such as a DEX.',
  fields: (t) => ({
    name: ifSent(t, 'String', "The router's name of the venue.", ({ name }) => name),
    chainId: ifSent(t, 'ChainId', 'The chain that the venue is on.', ({ chain_id }) => chain_id),
    logoUrl: ifSent(t, 'URL', 'URL of the logo.', ({ logo_uri }) => logo_uri),
  }),
})

const step = z.object({
  pool: lenientString,
  denom_in: lenientString,
  denom_out: lenientString,
  interface: lenientString,
})

const SwapStep = builder.objectRef<z.output<typeof step>>('SwapStep').implement({
  description: 'A pool that a swap uses.',
  fields: (t) => ({
    pool: ifSent(t, 'String', "The venue's id of the pool.", ({ pool }) => pool),
    denomIn: ifSent(t, 'Denom', 'Denom in.', ({ denom_in }) => denom_in),
    denomOut: ifSent(t, 'Denom', 'Denom out.', ({ denom_out }) => denom_out),
    interface: ifSent(t, 'String', 'Interface of the pool.', (pool) => pool.interface),
  }),
})

const path = z.object({
  swap_amount_in: lenientAmount,
  swap_amount_out: lenientAmount,
  denom_in: lenientString,
  swap_operations: lenientList(step),
})
type Path = z.output<typeof path>

/** A path, with the chain of its swap. */
interface PathShape extends Path {
  readonly chainId: Optional<string>
}

const SwapPath = builder.objectRef<PathShape>('SwapPath').implement({
  description: 'A sequence of pools. A split swap uses several paths.',
  fields: (t) => ({
    amountIn: ifSent(t, 'BigInt', 'Amount that uses this path, in base units.', ({ swap_amount_in }) => swap_amount_in),
    formattedAmountIn: formattedField(t, 'Amount that uses this path, in whole units.', (path) => ({
      chainId: path.chainId,
      // Routers seldom send it beside the pools.
      denom: path.denom_in ?? path.swap_operations[0]?.denom_in,
      amount: path.swap_amount_in,
    })),
    steps: t.value([SwapStep], 'Pools of the path, in order.', ({ swap_operations }) => swap_operations),
  }),
})

const direction = path.extend({
  swap_venue: lenientOrNull(venue),
  price_impact_percent: lenientLossPercent,
  swap_routes: lenientList(path),
})

interface SwapDetails {
  readonly venues: z.output<typeof venue>[]
  readonly paths: Path[]
  readonly isExactOut: boolean
  readonly priceImpactPercent: Optional<string>
  /** Coins as the bank module writes them. */
  readonly affiliateFee: Optional<string>
}

const swapBody = z
  .object({
    swap_in: lenientOrNull(direction),
    swap_out: lenientOrNull(direction),
    smart_swap_in: lenientOrNull(direction),
    swap_venues: lenientList(venue),
    estimated_affiliate_fee: lenientString,
  })
  .transform((body): SwapDetails => {
    const swap = body.swap_in ?? body.swap_out ?? body.smart_swap_in
    const paths: Path[] = swap?.swap_routes.length ? swap.swap_routes : swap ? [swap] : []
    const venues = swap?.swap_venue ? [swap.swap_venue] : []
    return {
      venues: body.swap_venues.length > 0 ? body.swap_venues : venues,
      paths,
      isExactOut: body.swap_out !== null,
      priceImpactPercent: swap?.price_impact_percent ?? null,
      affiliateFee: body.estimated_affiliate_fee,
    }
  })

const swap = defineOperation({
  kind: 'SWAP',
  keys: ['swap'],
  details: {
    type: 'SwapDetails',
    description: 'A swap on a Cosmos chain.',
    schema: swapBody,
    fields: (t) => ({
      venues: t.value([SwapVenue], 'Venues of the swap.', ({ details }) => details.venues),
      paths: t.value([SwapPath], 'Paths of the swap. A split swap has several.', ({ details, fromChainId }) =>
        details.paths.map((path) => ({ ...path, chainId: fromChainId })),
      ),
      isExactOut: t.value(
        'Boolean',
        'Whether the amount out is fixed instead of the amount in.',
        ({ details }) => details.isExactOut,
      ),
      priceImpactPercent: ifSent(t, 'Decimal', 'Price impact in percent.', ({ details }) => details.priceImpactPercent),
      affiliateFee: t.ifKnown(Coin, 'Fee of the affiliates.', ({ details, fromChainId }) => {
        const text = readRouterValue(details.affiliateFee)
        const chainId = readRouterValue(fromChainId)
        if (text === null || chainId === null) return null
        const fee = readRouterValue(readCoins(text)[0] ?? unreadable)
        return fee && { ...fee, chainId }
      }),
    }),
  },
})

const evmSwap = defineOperation({
  kind: 'EVM_SWAP',
  keys: ['evm_swap'],
  details: {
    type: 'EvmSwapDetails',
    description: 'A swap on an EVM chain.',
    schema: z.object({
      input_token: lenientString,
      swap_calldata: lenientString,
      swap_venues: lenientList(venue),
    }),
    fields: (t) => ({
      venues: t.value([SwapVenue], 'Venues of the swap.', ({ details }) => details.swap_venues),
      inputToken: sent(
        t,
        'Address',
        'Contract address of the asset in. Null for the native coin of the chain.',
        ({ details }) => details.input_token,
      ),
      calldata: ifSent(t, 'String', 'Call data for the venue, in hex.', ({ details }) => details.swap_calldata),
    }),
  },
})

const bankSend = defineOperation({ kind: 'SEND', keys: ['bank_send'] })

/** The kinds of operations that stay on one chain. */
export const localOperations: readonly OperationDefinition[] = [swap, evmSwap, bankSend]
