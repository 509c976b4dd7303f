import type { Context } from '../../graphql/builder.ts'
import type { Upstream } from '../../upstream/client.ts'
import { badInput, GatewayError } from '../../upstream/error.ts'
import { type ChainShape, chainShape } from '../indexer/chain.ts'

/** The router. Throws `UPSTREAM_UNAVAILABLE` when none is configured. */
export function routerOf({ network }: Pick<Context, 'network'>): Upstream {
  if (network.router) return network.router
  throw new GatewayError('UPSTREAM_UNAVAILABLE', 'This gateway has no router configured.', {
    service: 'router',
  })
}

/** A chain of that id, where this gateway serves it. */
export function servedChain({ network }: Context, chainId: string | null): ChainShape | null {
  const served = chainId === null ? undefined : network.chains.get(chainId)
  return served ? chainShape(served) : null
}

/** A chain id from an argument, which need not be of a chain served here. */
export function checkChainId(chainId: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/i.test(chainId)) return chainId
  throw badInput('A chain id has up to 64 letters, digits, dots, dashes and underscores.')
}

/** True for an id of an EVM chain outside the interchain, such as `1` for Ethereum. */
export const isEvmChainId = (chainId: string): boolean => /^\d+$/.test(chainId)

/** A transaction hash of any chain family, from an argument: 64 hex digits, or base58. */
export function checkTxHash(txHash: string): string {
  if (isHexHash(txHash) || isBase58Hash(txHash)) return txHash
  throw badInput('A transaction hash is 64 hex digits, with or without 0x, or base58 text.')
}

const isHexHash = (txHash: string): boolean => /^(0x)?[0-9a-f]{64}$/i.test(txHash)

/** What is hex all through is a hash cut short. */
const isBase58Hash = (txHash: string): boolean =>
  /^[1-9A-HJ-NP-Za-km-z]{43,90}$/.test(txHash) && !/^[0-9a-f]*$/i.test(txHash)

/** The hash by which equal transactions are told: lower-case hex without prefix, or base58 as it is. */
export const hashKey = (txHash: string): string =>
  isHexHash(txHash) ? txHash.replace(/^0x/i, '').toLowerCase() : txHash

/** The hash as the chain's own tools write it, which every router takes. */
export function routerHash(chainId: string, txHash: string): string {
  if (!isHexHash(txHash)) return txHash
  return isEvmChainId(chainId) ? `0x${hashKey(txHash)}` : hashKey(txHash).toUpperCase()
}
