import type { Context } from '../../../engine/graphql/builder.ts'
import { loadIndexed } from '../../indexer/evm/loadIndexed.ts'
import { isHexHash } from '../reported/txHash.ts'

/** The transaction in the indexer of its chain. Null if it is not indexed yet or the chain is not served. */
export async function loadFromChain(context: Context, chainId: string | null, txHash: string | null) {
  const chain = chainId === null ? undefined : context.network.chains.get(chainId)
  if (!chain || txHash === null || !isHexHash(txHash)) return null
  return loadIndexed(context, chain, txHash)
}
