import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { badInput } from '../../../upstream/error.ts'

// Operations can hold quotes that expire and keys that the gateway does not know, and the router expects
// them back unchanged. A token carries their text from `route` to `transferMessages` byte for byte, so
// that neither the gateway nor the client has to store or understand it. It is not a secret or a
// signature: tampering affects only the sender's own transfer.

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

/** What the router needs back of a route that it quoted. */
export interface QuotedRoute extends z.output<typeof header> {
  /** The operations as the router wrote them: a JSON array, sent back as it is. */
  readonly operations: string
}

const maxTokenLength = 192 * 1024
const maxOperationsLength = 1024 * 1024
/** Bytes of the checksum at the start of a token. */
const checksumLength = 8

const checksum = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update('route 1').update(bytes).digest().subarray(0, checksumLength)

/** Packs a route into a token. Undefined if the token would be too large to send back. */
export function packRoute({ operations, ...fields }: QuotedRoute): string | undefined {
  const text = `${JSON.stringify(fields)}\n${operations}`
  const bytes = deflateRawSync(text)
  const token = Buffer.concat([checksum(bytes), bytes]).toString('base64url')
  return token.length <= maxTokenLength && text.length <= maxOperationsLength ? token : undefined
}

/** Unpacks a token. Throws `BAD_USER_INPUT` if it is damaged or not a token. */
export function unpackRoute(token: string): QuotedRoute {
  if (token.length > maxTokenLength) throw damaged()
  const packed = Buffer.from(token, 'base64url')
  const bytes = packed.subarray(checksumLength)
  if (!checksum(bytes).equals(packed.subarray(0, checksumLength))) throw damaged()
  try {
    const text = inflateRawSync(bytes, { maxOutputLength: 4 * maxOperationsLength }).toString()
    const end = text.indexOf('\n')
    const operations = text.slice(end + 1)
    // The text is pasted into a request: anything but one JSON array would change that request.
    z.array(z.unknown()).parse(JSON.parse(operations))
    return { ...header.parse(JSON.parse(text.slice(0, end))), operations }
  } catch (cause) {
    throw damaged(cause)
  }
}

const damaged = (cause?: unknown) => badInput('Invalid route token. Query the route again.', cause)
