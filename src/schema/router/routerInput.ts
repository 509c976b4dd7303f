import type { Context } from '../../graphql/builder.ts'
import type { Upstream } from '../../upstream/client.ts'
import { badInput, GatewayError } from '../../upstream/error.ts'
import { type ChainShape, chainShape } from '../indexer/chain.ts'

/** The configured router. Throws `UPSTREAM_UNAVAILABLE` if there is none. */
export function routerOf({ network }: Pick<Context, 'network'>): Upstream {
  if (network.router) return network.router
  throw new GatewayError('UPSTREAM_UNAVAILABLE', 'No router is configured.', {
    service: 'router',
  })
}

/** The chain with that id. Null if this gateway does not serve it. */
export function servedChain({ network }: Context, chainId: string | null): ChainShape | null {
  const served = chainId === null ? undefined : network.chains.get(chainId)
  return served ? chainShape(served) : null
}

/** Checks the form of a chain id from an argument. The gateway need not serve the chain. */
export function checkChainId(chainId: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(chainId)) return chainId
  throw badInput('A chain id has at most 64 letters, digits, dots, dashes and underscores.')
}

/** Whether the id is an EVM chain number, such as `1` for Ethereum. A Cosmos chain has a name. */
export const isEvmChainId = (chainId: string): boolean => /^\d+$/.test(chainId)

/** Checks that an argument is a transaction hash of some chain family: 64 hex digits, or base58. */
export function checkTxHash(txHash: string): string {
  if (isHexHash(txHash) || isBase58Hash(txHash)) return txHash
  throw badInput('A transaction hash is 64 hex digits, with or without 0x, or base58.')
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
