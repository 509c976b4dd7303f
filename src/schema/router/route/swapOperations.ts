import { z } from 'zod'
import { readCoins } from '../../../balanceChanges/coins.ts'
import { builder } from '../../../graphql/builder.ts'
import { ifKnown } from '../../../graphql/fields.ts'
import {
  lenient,
  lenientAmount,
  lenientList,
  lenientLossPercent,
  lenientString,
} from '../../../wire/lenient.ts'
import { Coin } from '../../indexer/coin.ts'
import { defineOperation, type OperationDefinition } from '../bridges/defineBridge.ts'
import { readRouterValue } from '../routerInput.ts'

/** A swap venue on the wire. */
export const venue = z.object({
  name: lenientString,
  chain_id: lenientString,
  logo_uri: lenientString,
})

export const SwapVenue = builder.objectRef<z.output<typeof venue>>('SwapVenue').implement({
  description: 'A venue for swaps, such as a DEX.',
  fields: (t) => ({
    name: ifKnown(t, 'String', "The router's name of the venue.", ({ name }) => name),
    chainId: ifKnown(t, 'ChainId', 'The chain that the venue is on.', ({ chain_id }) => chain_id),
    logoUrl: ifKnown(t, 'URL', 'URL of the logo.', ({ logo_uri }) => logo_uri),
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
    pool: ifKnown(t, 'String', "The venue's id of the pool.", ({ pool }) => pool),
    denomIn: ifKnown(t, 'Denom', 'Denom in.', ({ denom_in }) => denom_in),
    denomOut: ifKnown(t, 'Denom', 'Denom out.', ({ denom_out }) => denom_out),
    interface: t.exposeString('interface', {
      nullable: true,
      description: 'Interface of the pool. Null if unknown.',
    }),
  }),
})

const path = z.object({
  swap_amount_in: lenientAmount,
  swap_amount_out: lenientAmount,
  denom_in: lenientString,
  swap_operations: lenientList(step),
})
type Path = z.output<typeof path>

const SwapPath = builder.objectRef<Path>('SwapPath').implement({
  description: 'A sequence of pools. A split swap uses several paths.',
  fields: (t) => ({
    amountIn: ifKnown(
      t,
      'BigInt',
      'Amount that uses this path, in base units.',
      ({ swap_amount_in }) => readRouterValue(swap_amount_in),
    ),
    steps: t.field({
      type: [SwapStep],
      description: 'Pools of the path, in order.',
      resolve: ({ swap_operations }) => swap_operations,
    }),
  }),
})

const direction = path.extend({
  swap_venue: lenient(venue),
  price_impact_percent: lenientLossPercent,
  swap_routes: lenientList(path),
})

const swapBody = z
  .object({
    swap_in: lenient(direction),
    swap_out: lenient(direction),
    smart_swap_in: lenient(direction),
    swap_venues: lenientList(venue),
    estimated_affiliate_fee: lenientString,
  })
  .transform((body) => {
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
      venues: t.field({
        type: [SwapVenue],
        description: 'Venues of the swap.',
        resolve: ({ details }) => details.venues,
      }),
      paths: t.field({
        type: [SwapPath],
        description: 'Paths of the swap. A split swap has several.',
        resolve: ({ details }) => details.paths,
      }),
      isExactOut: t.boolean({
        description: 'Whether the amount out is fixed instead of the amount in.',
        resolve: ({ details }) => details.isExactOut,
      }),
      priceImpactPercent: ifKnown(
        t,
        'Decimal',
        'Price impact in percent.',
        ({ details }) => details.priceImpactPercent,
      ),
      affiliateFee: t.field({
        type: Coin,
        nullable: true,
        description: 'Fee of the affiliates. Null if unknown.',
        resolve: ({ details, fromChainId }) => {
          const [fee] = readCoins(details.affiliateFee ?? '')
          return fee && fromChainId !== null ? { ...fee, chainId: fromChainId } : null
        },
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
      venues: t.field({
        type: [SwapVenue],
        description: 'Venues of the swap.',
        resolve: ({ details }) => details.swap_venues,
      }),
      inputToken: t.field({
        type: 'Address',
        nullable: true,
        description: 'Contract address of the asset in. Null for the native coin of the chain.',
        resolve: ({ details }) => details.input_token,
      }),
      calldata: ifKnown(
        t,
        'String',
        'Call data for the venue, in hex.',
        ({ details }) => details.swap_calldata,
      ),
    }),
  },
})

const bankSend = defineOperation({
  kind: 'SEND',
  keys: ['bank_send'],
})

/** The kinds of operations that stay on one chain. */
export const localOperations: readonly OperationDefinition[] = [swap, evmSwap, bankSend]
