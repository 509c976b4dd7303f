import { z } from 'zod'
import { builder } from '../../../graphql/builder.ts'
import {
  type JsonObject,
  lenient,
  lenientBigInt,
  lenientList,
  lenientString,
} from '../../../upstream/lenient.ts'
import { operationType } from './operation.ts'

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

const how = path.extend({
  swap_venue: lenient(venue),
  price_impact_percent: lenientString,
  swap_routes: lenientList(path),
})

const swap = z.object({
  swap_in: lenient(how),
  swap_out: lenient(how),
  smart_swap_in: lenient(how),
  swap_venues: lenientList(venue),
  estimated_affiliate_fee: lenientString,
})

function swapIn(body: JsonObject) {
  const read = swap.parse(body)
  const found = read.swap_in ?? read.swap_out ?? read.smart_swap_in
  const venues = read.swap_venues
  const paths: Path[] = found?.swap_routes.length ? found.swap_routes : found ? [found] : []
  return {
    venues: venues.length > 0 ? venues : found?.swap_venue ? [found.swap_venue] : [],
    paths,
    isExactOut: read.swap_out !== null,
    priceImpactPercent: found?.price_impact_percent ?? null,
    affiliateFee: read.estimated_affiliate_fee,
  }
}

const SwapOperation = operationType('SwapOperation', {
  description: 'A swap on a Cosmos chain.',
  keys: ['swap'],
  bridgeId: null,
})

builder.objectFields(SwapOperation, (t) => ({
  venues: t.field({
    type: [SwapVenue],
    description: 'Where it swaps.',
    resolve: ({ body }) => swapIn(body).venues,
  }),
  paths: t.field({
    type: [SwapPath],
    description: 'The pools it goes through; several paths where it is split.',
    resolve: ({ body }) => swapIn(body).paths,
  }),
  isExactOut: t.boolean({
    description: 'Whether the amount that comes out is fixed, not the one that goes in.',
    resolve: ({ body }) => swapIn(body).isExactOut,
  }),
  priceImpactPercent: t.string({
    nullable: true,
    description: 'By how much it moves the price, in percent.',
    resolve: ({ body }) => swapIn(body).priceImpactPercent,
  }),
  affiliateFee: t.string({
    nullable: true,
    description: 'What affiliates get: an amount with its denom behind it.',
    resolve: ({ body }) => swapIn(body).affiliateFee,
  }),
}))

const evmSwap = z.object({
  input_token: lenientString,
  swap_calldata: lenientString,
  swap_venues: lenientList(venue),
})

const EvmSwapOperation = operationType('EvmSwapOperation', {
  description: 'A swap on an EVM chain.',
  keys: ['evm_swap'],
  bridgeId: null,
})

builder.objectFields(EvmSwapOperation, (t) => ({
  venues: t.field({
    type: [SwapVenue],
    description: 'Where it swaps.',
    resolve: ({ body }) => evmSwap.parse(body).swap_venues,
  }),
  inputToken: t.string({
    nullable: true,
    description: "Contract of what goes in; null for the chain's own coin.",
    resolve: ({ body }) => evmSwap.parse(body).input_token,
  }),
  calldata: t.string({
    nullable: true,
    description: 'The call of the venue, in hex.',
    resolve: ({ body }) => evmSwap.parse(body).swap_calldata,
  }),
}))

operationType('BankSendOperation', {
  description: 'A plain send on one chain.',
  keys: ['bank_send'],
  bridgeId: null,
})
