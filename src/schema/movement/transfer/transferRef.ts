import { splitKey } from '../../../engine/graphql/node.ts'
import { checkChainId } from '../../chain/chainId.ts'
import { checkTxHash, hashKey, routerHash } from './txHash.ts'

/** The first transaction of a transfer, from checked input. */
export interface TransferRef {
  readonly chainId: string
  /** As the chain's own tools write it. */
  readonly txHash: string
}

/** Checks the arguments that identify a transfer, and writes them in one form: an id has one value. Throws `BAD_USER_INPUT`. */
export function parseTransferRef(input: { chainId: string; hash: string }): TransferRef {
  const chainId = checkChainId(input.chainId)
  return { chainId, txHash: routerHash(chainId, checkTxHash(input.hash)) }
}

/** The key of a transfer. It is the same for every notation of a hash. */
export const transferKey = ({ chainId, txHash }: TransferRef): string => `${chainId}/${hashKey(txHash)}`

/** The transfer with this key. Throws `BAD_USER_INPUT`. */
export function refOfKey(key: string): TransferRef {
  const [chainId, hash] = splitKey(key)
  return parseTransferRef({ chainId, hash })
}
