import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { type Context, callCost } from '../../../engine/graphql/builder.ts'
import { type Signer, signatureBytes } from '../../../engine/signing/signer.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import type { Network } from '../../../engine/upstream/network.ts'

// Operations can hold quotes that expire and keys that the gateway does not know, and the router expects
// them back unchanged. A token carries their text from `route` to `transferMessages` byte for byte, so
// that neither the gateway nor the client has to store or understand it. It is signed: the text of a token
// that a client made up could be large, and is pasted into a request.

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

/** The parts of a quoted route that the router needs back. */
export interface QuotedRoute extends z.output<typeof header> {
  /** The operations as the router wrote them: a JSON array, sent back as it is. */
  readonly operations: string
}

/** The longest token, in characters. */
const maxTokenLength = 192 * 1024
/** The longest text in a token, in bytes. */
const maxTextBytes = 1024 * 1024

/** Characters of a token that cost a point. */
const charactersPerPoint = 100

/** The cost of a field that unpacks a token and sends its route to the router. */
export const tokenCost = (token: string): number => callCost + Math.ceil(token.length / charactersPerPoint)

/** The purpose of the signature. The number changes with the form of a token. */
const purpose = 'route 1'

/** Packs a route into a token. Undefined if the token would be too large to send back. */
export function packRoute(signer: RouteSigner, { operations, ...fields }: QuotedRoute): string | undefined {
  const text = Buffer.from(`${JSON.stringify(fields)}\n${operations}`)
  if (text.length > maxTextBytes) return undefined
  const bytes = deflateRawSync(text)
  const token = Buffer.concat([signer.sign(purpose, bytes), bytes]).toString('base64url')
  return token.length <= maxTokenLength ? token : undefined
}

/** Signs and verifies tokens for one router. */
export type RouteSigner = Pick<Signer, 'sign' | 'verify'>

interface TokenContext extends Pick<Context, 'signer'> {
  readonly network: Pick<Network, 'routerSite'>
}

/** Signs tokens for the router of this gateway: no other one is to be sent what this one has quoted. */
export function tokenSigner({ signer, network }: TokenContext): RouteSigner {
  const forRouter = (text: string) => `${text} ${network.routerSite ?? ''}`
  return {
    sign: (text, data) => signer.sign(forRouter(text), data),
    verify: (text, data, signature) => signer.verify(forRouter(text), data, signature),
  }
}

/**
 * The route in a token, which is unpacked once in an operation. Throws `BAD_USER_INPUT` unless the token
 * was packed with one of the signer's keys, for the router of this gateway.
 */
export const parseRouteToken = (context: TokenContext & Pick<Context, 'scope'>, token: string): QuotedRoute =>
  context.scope.memory.get(`route token ${token}`, () => unpackRoute(tokenSigner(context), token))

/** Unpacks a token. Throws like `routeOf`. */
export function unpackRoute(signer: RouteSigner, token: string): QuotedRoute {
  if (token.length > maxTokenLength) throw invalidToken()
  const packed = Buffer.from(token, 'base64url')
  const bytes = packed.subarray(signatureBytes)
  if (!signer.verify(purpose, bytes, packed.subarray(0, signatureBytes))) throw invalidToken()
  const text = inflateRawSync(bytes, { maxOutputLength: maxTextBytes }).toString()
  const end = text.indexOf('\n')
  return { ...header.parse(JSON.parse(text.slice(0, end))), operations: text.slice(end + 1) }
}

const invalidToken = () =>
  badInput('Invalid route token. Query the route again, and send its token unchanged.', 'INVALID_ROUTE_TOKEN')
