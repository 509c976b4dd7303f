import { type Node, parseTree } from 'jsonc-parser'
import { z } from 'zod'
import { integer } from '../../../upstream/decode.ts'
import {
  chainIdString,
  jsonObject,
  lenient,
  lenientBigInt,
  lenientBoolean,
  lenientInt,
  lenientList,
  lenientNumber,
  lenientString,
  lenientStrings,
} from '../../../upstream/lenient.ts'
import { fee } from './fee.ts'
import { type OperationShape, readOperations } from './operation.ts'
import { packRoute } from './routeToken.ts'
import { venue } from './swapOperations.ts'

const warning = z.object({ type: lenientString, message: lenientString })

/** Why to look twice at a quote. */
export type QuoteWarning = z.output<typeof warning>

/** What a quote may leave out, as it was asked for. */
const terms = z.object({
  amount_in: z.string(),
  source_asset_chain_id: z.string(),
  source_asset_denom: z.string(),
  dest_asset_chain_id: z.string(),
  dest_asset_denom: z.string(),
})

const body = z.object({
  amount_in: integer,
  amount_out: integer,
  estimated_amount_out: lenientBigInt,
  source_asset_chain_id: chainIdString,
  source_asset_denom: z.string(),
  dest_asset_chain_id: chainIdString,
  dest_asset_denom: z.string(),
  operations: z.array(z.unknown()),
  chain_ids: lenientStrings,
  required_chain_addresses: lenientStrings,
  does_swap: lenientBoolean,
  swap_venues: lenientList(venue),
  swap_venue: lenient(venue),
  swap_price_impact_percent: lenientString,
  usd_amount_in: lenientString,
  usd_amount_out: lenientString,
  txs_required: lenientInt,
  estimated_fees: lenientList(fee),
  estimated_route_duration_seconds: lenientNumber.transform(seconds),
  warning: lenient(warning),
  required_op_hook: lenientBoolean,
  extra_infos: lenientStrings,
  extra_warnings: lenientStrings,
})

/** Whole seconds, as far as a GraphQL `Int` holds them. */
function seconds(value: number | null): number | null {
  const whole = value === null ? -1 : Math.ceil(value)
  return whole >= 0 && whole < 2 ** 31 ? whole : null
}

/** A route as the router quoted it. */
export interface RouteShape extends Omit<z.output<typeof body>, 'operations'> {
  readonly operations: readonly OperationShape[]
  readonly token: string
}

/**
 * Reads the quote that was asked for by the text `asked`, whose terms hold where the answer does not
 * repeat them. `raw` is the text of the answer, from which the token takes the operations.
 */
export function readRoute(asked: string, answer: unknown, raw: string): RouteShape {
  const told = Object.entries(jsonObject.parse(answer)).filter(([, value]) => value !== null)
  const quoted = Object.fromEntries(told)
  const read = body.parse({
    ...terms.parse(JSON.parse(asked)),
    amount_out: quoted.estimated_amount_out,
    ...quoted,
  })
  const node = findOperations(raw)
  if (!node) throw new TypeError('the operations are not where they were read')
  // Where a router does not say for which chains it needs addresses, it is for all it touches.
  const listed = read.required_chain_addresses
  const required = listed.length > 0 ? listed : read.chain_ids
  const token = packRoute({
    terms: {
      amount_in: String(read.amount_in),
      amount_out: String(read.amount_out),
      ...(read.estimated_amount_out !== null && {
        estimated_amount_out: String(read.estimated_amount_out),
      }),
      source_asset_chain_id: read.source_asset_chain_id,
      source_asset_denom: read.source_asset_denom,
      dest_asset_chain_id: read.dest_asset_chain_id,
      dest_asset_denom: read.dest_asset_denom,
    },
    requiredChainIds: required,
    requiresOpHook: read.required_op_hook,
    operations: raw.slice(node.offset, node.offset + node.length),
  })
  if (token === undefined) throw new RangeError('the operations are too large for a token')
  return {
    ...read,
    required_chain_addresses: required,
    operations: readOperations(read.operations),
    token,
  }
}

/** Where a key stands twice, the last one is what every JSON reader takes. */
const findOperations = (raw: string): Node | undefined =>
  parseTree(raw)?.children?.findLast(({ children }) => children?.[0]?.value === 'operations')
    ?.children?.[1]
