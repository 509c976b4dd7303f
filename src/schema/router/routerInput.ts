import type { z } from 'zod'
import type { Context } from '../../graphql/builder.ts'
import type { Upstream } from '../../upstream/client.ts'
import { badInput, GatewayError } from '../../upstream/error.ts'
import { post, type UpstreamRequest } from '../../upstream/request.ts'
import { decode } from '../../wire/compiledSchema.ts'
import { isEvmChainId } from '../chain/chainId.ts'

/** The configured router. Throws `NOT_CONFIGURED` if there is none. */
export function routerOf({ network }: Pick<Context, 'network'>): Upstream {
  if (network.router) return network.router
  throw new GatewayError('NOT_CONFIGURED', 'No router is configured.', { service: 'router' })
}

/** The router's response to a body in JSON. Null for a 404. Equal requests of an operation are sent once. */
export const postToRouter = <T>(
  context: Context,
  path: string,
  body: string,
  schema: z.ZodType<T>,
  options: Pick<UpstreamRequest<T>, 'isSlow'> = {},
): Promise<T | null> =>
  context.scope.fetch(
    routerOf(context),
    post(path, body, (json) => decode(schema, json), options),
  )

/** Checks that an argument is a transaction hash of some chain family: 64 hex digits, or base58. */
export function checkTxHash(txHash: string): string {
  if (isHexHash(txHash) || isBase58Hash(txHash)) return txHash
  throw badInput(
    'A transaction hash is 64 hex digits, with or without 0x, or base58.',
    'INVALID_HASH',
  )
}

const isHexHash = (txHash: string): boolean => /^(0x)?[0-9a-f]{64}$/i.test(txHash)

/** A text of hex digits only is a truncated hex hash, not base58. */
const isBase58Hash = (txHash: string): boolean =>
  /^[1-9A-HJ-NP-Za-km-z]{43,90}$/.test(txHash) && !/^[0-9a-f]*$/i.test(txHash)

/** The hash in one spelling, for comparison: lower-case hex without prefix, or base58 unchanged. */
export const hashKey = (txHash: string): string =>
  isHexHash(txHash) ? txHash.replace(/^0x/i, '').toLowerCase() : txHash

/** The hash as the chain's own tools write it. Every router accepts this form. */
export function routerHash(chainId: string, txHash: string): string {
  if (!isHexHash(txHash)) return txHash
  return isEvmChainId(chainId) ? `0x${hashKey(txHash)}` : hashKey(txHash).toUpperCase()
}
