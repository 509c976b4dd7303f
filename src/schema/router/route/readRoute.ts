import { createScanner } from 'jsonc-parser'
import { z } from 'zod'
import { decode } from '../../../engine/wire/compiledSchema.ts'
import { amount } from '../../../engine/wire/decode.ts'
import {
  chainIdString,
  ifThere,
  jsonObject,
  lenient,
  lenientAmount,
  lenientBoolean,
  lenientCount,
  lenientList,
  lenientLossPercent,
  lenientNumber,
  lenientOrNull,
  lenientPrice,
  lenientString,
  lenientStrings,
} from '../../../engine/wire/lenient.ts'
import { ifReadable, type Optional, unreadable } from '../../../engine/wire/optional.ts'
import { fee } from './fee.ts'
import { type OperationShape, readOperations } from './readOperation.ts'
import { packRoute, type RouteSigner } from './routeToken.ts'
import { venue } from './swapOperations.ts'

const warning = z.object({ type: lenientString, message: lenientString })

export type QuoteWarning = z.output<typeof warning>

/** Fields of the request that a quote may leave out. */
const quoteParams = z.object({
  amount_in: z.string().optional(),
  amount_out: z.string().optional(),
  source_asset_chain_id: z.string(),
  source_asset_denom: z.string(),
  dest_asset_chain_id: z.string(),
  dest_asset_denom: z.string(),
})

const body = z.object({
  amount_in: amount,
  amount_out: amount,
  estimated_amount_out: lenientAmount,
  source_asset_chain_id: chainIdString,
  source_asset_denom: z.string(),
  dest_asset_chain_id: chainIdString,
  dest_asset_denom: z.string(),
  operations: z.array(z.unknown()),
  chain_ids: lenientStrings,
  required_chain_addresses: lenientStrings,
  does_swap: lenientBoolean,
  swap_venues: lenientList(venue),
  swap_venue: lenientOrNull(venue),
  swap_price_impact_percent: lenientLossPercent,
  usd_amount_in: lenientPrice,
  usd_amount_out: lenientPrice,
  txs_required: lenientCount,
  estimated_fees: lenientList(fee),
  estimated_route_duration_seconds: lenientNumber.transform(ifThere(seconds)),
  warning: lenient(warning),
  required_op_hook: lenientBoolean,
  extra_infos: lenientStrings,
  extra_warnings: lenientStrings,
})

/** Whole seconds, as far as a GraphQL `Int` holds them. */
function seconds(value: number) {
  const whole = Math.ceil(value)
  return whole >= 0 && whole < 2 ** 31 ? whole : unreadable
}

/** A route as the router quoted it. */
export interface RouteShape extends Omit<z.output<typeof body>, 'operations'> {
  readonly operations: readonly OperationShape[]
  /** When the first of its quotes expires. Null if none does. */
  readonly expiresAt: Optional<string>
  /** Undefined if the operations are too large for a token. */
  readonly token: string | undefined
}

/**
 * Reads a quote. `request` is the JSON body of the request: its values hold for fields that the response leaves
 * out. `raw` is the text of the response: the token holds its operations unchanged.
 */
export function readRoute(signer: RouteSigner, request: string, response: unknown, raw: string): RouteShape {
  const nonNull = Object.fromEntries(Object.entries(decode(jsonObject, response)).filter(([, value]) => value !== null))
  const quote = decode(body, {
    amount_out: nonNull.estimated_amount_out,
    ...decode(quoteParams, JSON.parse(request)),
    ...nonNull,
  })
  // Without a list, the router needs an address on every chain.
  const listed = quote.required_chain_addresses
  const requiredChainIds = listed.length > 0 ? listed : quote.chain_ids
  const token = packRoute(signer, {
    terms: {
      amount_in: String(quote.amount_in),
      amount_out: String(quote.amount_out),
      ...(quote.estimated_amount_out !== null && {
        estimated_amount_out: String(quote.estimated_amount_out),
      }),
      source_asset_chain_id: quote.source_asset_chain_id,
      source_asset_denom: quote.source_asset_denom,
      dest_asset_chain_id: quote.dest_asset_chain_id,
      dest_asset_denom: quote.dest_asset_denom,
    },
    requiredChainIds,
    requiresOpHook: quote.required_op_hook,
    operations: operationsText(raw),
  })
  const operations = readOperations(quote.operations)
  return {
    ...quote,
    required_chain_addresses: requiredChainIds,
    operations,
    expiresAt: earliest(operations.map(({ relayQuoteExpiresAt }) => relayQuoteExpiresAt)),
    token,
  }
}

/** The earliest time. `unreadable` if one of them is. */
function earliest(times: readonly Optional<string>[]): Optional<string> {
  if (times.includes(unreadable)) return unreadable
  const known = times.flatMap((time) => ifReadable(time) ?? [])
  return known.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0]
}

/**
 * The operations in the text of a response, byte for byte. Of a repeated key JSON readers take the last, so
 * this does too. It goes from token to token, since an operation may be nested deeper than the stack.
 */
function operationsText(raw: string): string {
  const scanner = createScanner(raw, true)
  let depth = 0
  let key = ''
  let start: number | undefined
  let found: string | undefined
  for (scanner.scan(); scanner.getTokenOffset() < raw.length; scanner.scan()) {
    const offset = scanner.getTokenOffset()
    const token = raw.charAt(offset)
    if (token === '{' || token === '[') depth += 1
    if (token === '}' || token === ']') depth -= 1
    const isEnd = (depth === 1 && token === ',') || depth === 0
    if (isEnd && start !== undefined) {
      found = raw.slice(start, offset).trim()
      start = undefined
    }
    if (depth !== 1) continue
    if (token === ':' && key === 'operations') start = scanner.getPosition()
    key = scanner.getTokenValue()
  }
  if (found === undefined) throw new TypeError('no operations in the text of the response')
  return found
}
