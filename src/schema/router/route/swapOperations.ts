import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import { lenient, lenientBigInt, lenientList, lenientString } from '../../../upstream/lenient.ts'
import { defineOperation, type OperationDefinition } from '../bridges/defineBridge.ts'

/** A place where assets are swapped, on the wire. */
export const venue = z.object({
  name: z.string(),
  chain_id: lenientString,
  logo_uri: lenientString,
})

export const SwapVenue = builder.objectRef<z.output<typeof venue>>('SwapVenue').implement({
  description: 'A place where assets are swapped.',
  fields: (t) => ({
    name: t.exposeString('name', { description: "The router's name of it." }),
    chainId: t.exposeString('chain_id', { nullable: true, description: 'The chain it is on.' }),
    logoUrl: t.exposeString('logo_uri', { nullable: true, description: 'A picture of it.' }),
  }),
})

const step = z.object({
  pool: lenientString,
  denom_in: lenientString,
  denom_out: lenientString,
  interface: lenientString,
})

const SwapStep = builder.objectRef<z.output<typeof step>>('SwapStep').implement({
  description: 'One pool a swap goes through.',
  fields: (t) => ({
    pool: t.exposeString('pool', { nullable: true, description: "The venue's name of the pool." }),
    denomIn: t.exposeString('denom_in', { nullable: true, description: 'What goes in.' }),
    denomOut: t.exposeString('denom_out', { nullable: true, description: 'What comes out.' }),
    interface: t.exposeString('interface', {
      nullable: true,
      description: 'How the pool is called, where a venue has several ways.',
    }),
  }),
})

const path = z.object({
  swap_amount_in: lenientBigInt,
  swap_amount_out: lenientBigInt,
  denom_in: lenientString,
  swap_operations: lenientList(step),
})
type Path = z.output<typeof path>

const SwapPath = builder.objectRef<Path>('SwapPath').implement({
  description: 'Pools in a row. A split swap sends parts of the amount along several.',
  fields: (t) => ({
    amountIn: t.expose('swap_amount_in', {
      type: 'BigInt',
      nullable: true,
      description: 'The part that goes this way; null where the router does not tell.',
    }),
    steps: t.field({
      type: [SwapStep],
      description: 'The pools, in order.',
      resolve: ({ swap_operations }) => swap_operations,
    }),
  }),
})

const direction = path.extend({
  swap_venue: lenient(venue),
  price_impact_percent: lenientString,
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
  type: 'SwapOperation',
  description: 'A swap on a Cosmos chain.',
  keys: ['swap'],
  details: {
    schema: swapBody,
    fields: (t) => ({
      venues: t.field({
        type: [SwapVenue],
        description: 'Where it swaps.',
        resolve: ({ details }) => details.venues,
      }),
      paths: t.field({
        type: [SwapPath],
        description: 'The pools it goes through; several paths where it is split.',
        resolve: ({ details }) => details.paths,
      }),
      isExactOut: t.boolean({
        description: 'Whether the amount that comes out is fixed, not the one that goes in.',
        resolve: ({ details }) => details.isExactOut,
      }),
      priceImpactPercent: t.string({
        nullable: true,
        description: 'By how much it moves the price, in percent.',
        resolve: ({ details }) => details.priceImpactPercent,
      }),
      affiliateFee: t.string({
        nullable: true,
        description: 'What affiliates get: an amount with its denom behind it.',
        resolve: ({ details }) => details.affiliateFee,
      }),
    }),
  },
})

const evmSwap = defineOperation({
  type: 'EvmSwapOperation',
  description: 'A swap on an EVM chain.',
  keys: ['evm_swap'],
  details: {
    schema: z.object({
      input_token: lenientString,
      swap_calldata: lenientString,
      swap_venues: lenientList(venue),
    }),
    fields: (t) => ({
      venues: t.field({
        type: [SwapVenue],
        description: 'Where it swaps.',
        resolve: ({ details }) => details.swap_venues,
      }),
      inputToken: t.string({
        nullable: true,
        description: "Contract of what goes in; null for the chain's own coin.",
        resolve: ({ details }) => details.input_token,
      }),
      calldata: t.string({
        nullable: true,
        description: 'The call of the venue, in hex.',
        resolve: ({ details }) => details.swap_calldata,
      }),
    }),
  },
})

const bankSend = defineOperation({
  type: 'BankSendOperation',
  description: 'A plain send on one chain.',
  keys: ['bank_send'],
})

/** The kinds of operations that stay on one chain. */
export const localOperations: readonly OperationDefinition[] = [swap, evmSwap, bankSend]
