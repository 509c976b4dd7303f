import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { badInput } from '../../../upstream/error.ts'

// Routers may put quotes that expire, and keys nobody knows, into operations and expect them back
// unchanged. A token carries their text from `route` to `transferMessages` byte for byte, so that
// neither the gateway nor the client has to keep or understand it. It is no secret and proves nothing:
// who alters one harms only the transfer that is his own.

const terms = z.object({
  amount_in: z.string(),
  amount_out: z.string(),
  estimated_amount_out: z.string().optional(),
  source_asset_chain_id: z.string(),
  source_asset_denom: z.string(),
  dest_asset_chain_id: z.string(),
  dest_asset_denom: z.string(),
})

const header = z.object({
  terms,
  requiredChainIds: z.array(z.string()),
  requiresOpHook: z.boolean(),
})

/** What the router has to be told of a route it quoted. */
export interface QuotedRoute extends z.output<typeof header> {
  /** The operations as the router wrote them: a JSON array, to be sent back as it is. */
  readonly operations: string
}

const maxTokenLength = 192 * 1024
const maxOperationsLength = 1024 * 1024
const sealLength = 8

const seal = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update('route 1').update(bytes).digest().subarray(0, sealLength)

/** Packs a route; undefined when it is too large to be given back. */
export function packRoute({ operations, ...head }: QuotedRoute): string | undefined {
  const text = `${JSON.stringify(head)}\n${operations}`
  const bytes = deflateRawSync(text)
  const token = Buffer.concat([seal(bytes), bytes]).toString('base64url')
  return token.length <= maxTokenLength && text.length <= maxOperationsLength ? token : undefined
}

/** Unpacks a route. Throws `BAD_USER_INPUT` for a token that is damaged, or none at all. */
export function unpackRoute(token: string): QuotedRoute {
  if (token.length > maxTokenLength) throw damaged()
  const packed = Buffer.from(token, 'base64url')
  const bytes = packed.subarray(sealLength)
  if (!seal(bytes).equals(packed.subarray(0, sealLength))) throw damaged()
  try {
    const text = inflateRawSync(bytes, { maxOutputLength: 4 * maxOperationsLength }).toString()
    const end = text.indexOf('\n')
    const operations = text.slice(end + 1)
    // Anything else would become part of the request it is pasted into.
    z.array(z.unknown()).parse(JSON.parse(operations))
    return { ...header.parse(JSON.parse(text.slice(0, end))), operations }
  } catch (cause) {
    throw damaged(cause)
  }
}

const damaged = (cause?: unknown) =>
  badInput('The route is not a token this gateway has given; quote the route again.', cause)
