import { splitKey } from '../../../engine/graphql/node.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { checkTxHash, hashKey } from './txHash.ts'

/** The first transaction of a transfer, from checked input. */
export interface TransferRef {
  readonly chainId: string
  readonly txHash: string
}

/** Checks the arguments that identify a transfer. Throws `BAD_USER_INPUT`. */
export const parseTransferRef = (input: { chainId: string; hash: string }): TransferRef => ({
  chainId: checkChainId(input.chainId),
  txHash: checkTxHash(input.hash),
})

/** The key of a transfer. It is the same for every notation of a hash. */
export const transferKey = ({ chainId, txHash }: TransferRef): string => `${chainId}/${hashKey(txHash)}`

/** The transfer with this key. Throws `BAD_USER_INPUT`. */
export function refOfKey(key: string): TransferRef {
  const [chainId, hash] = splitKey(key)
  return parseTransferRef({ chainId, hash })
}
