import { badInput } from '../../../engine/upstream/error.ts'
import { pasted } from '../../../kit/pasted.ts'
import { isEvmChainId } from '../../chain/chainId.ts'

/** Checks that an argument is a transaction hash of some chain family: 64 hex digits, or base58. */
export function checkTxHash(text: string): string {
  const txHash = pasted(text)
  if (isHexHash(txHash) || isBase58Hash(txHash)) return txHash
  throw badInput('A transaction hash is 64 hex digits, with or without 0x, or base58.', 'INVALID_HASH')
}

/** Whether a text has the form of a hash of a Cosmos or EVM transaction, in any spelling. */
export const isHexHash = (txHash: string): boolean => /^(0x)?[0-9a-f]{64}$/i.test(txHash)

/** A text of hex digits only is a truncated hex hash, not base58. */
const isBase58Hash = (txHash: string): boolean =>
  /^[1-9A-HJ-NP-Za-km-z]{43,90}$/.test(txHash) && !/^[0-9a-f]*$/i.test(txHash)

/** The hash in one spelling, for comparison: lower-case hex without prefix, or base58 unchanged. */
export const hashKey = (txHash: string): string =>
  isHexHash(txHash) ? txHash.replace(/^0x/i, '').toLowerCase() : txHash

declare const spelling: unique symbol

/** A hash as the chain's own tools write it. Every router accepts this form. Only `routerHash` makes one. */
export type RouterHash = string & { readonly [spelling]: 'router' }

/** The hash as the chain's own tools write it. */
export const routerHash = (chainId: string, txHash: string): RouterHash => spelledFor(chainId, txHash) as RouterHash

function spelledFor(chainId: string, txHash: string): string {
  if (!isHexHash(txHash)) return txHash
  return isEvmChainId(chainId) ? `0x${hashKey(txHash)}` : hashKey(txHash).toUpperCase()
}
