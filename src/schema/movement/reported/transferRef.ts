import { splitKey } from '../../../engine/graphql/node.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { checkTxHash, hashKey, type RouterHash, routerHash } from './txHash.ts'

/** The first transaction of a transfer. */
export interface TransferRef {
  readonly chainId: string
  readonly txHash: RouterHash
}

/** The transfer that began with a transaction, whose hash can be in any spelling. */
export const transferRef = (chainId: string, hash: string): TransferRef => ({
  chainId,
  txHash: routerHash(chainId, hash),
})

/** Checks the arguments that identify a transfer, and writes them in one form: an id has one value. Throws `BAD_USER_INPUT`. */
export function parseTransferRef(input: { chainId: string; hash: string }): TransferRef {
  const chainId = checkChainId(input.chainId)
  return transferRef(chainId, checkTxHash(input.hash))
}

/** The key of a transfer. It is the same for every notation of a hash. */
export const transferKey = ({ chainId, txHash }: TransferRef): string => `${chainId}/${hashKey(txHash)}`

/** The transfer with this key. Throws `BAD_USER_INPUT`. */
export function refOfKey(key: string): TransferRef {
  const [chainId, hash] = splitKey(key)
  return parseTransferRef({ chainId, hash })
}
