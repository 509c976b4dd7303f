import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { badInput } from '../../engine/upstream/error.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { Account, accountAt } from '../account/account.ts'
import { Chain } from '../chain/chain.ts'
import { checkChainId } from '../chain/chainId.ts'
import { type ChainShape, chainShape, findChain } from '../chain/knownChain.ts'
import { chainFrom } from './height.ts'

/** The share of the time of an operation that one of several chains is waited for. */
const shareOfMany = 0.4

const ChainHeightInput = builder.inputType('ChainHeightInput', {
  description: 'A height of a chain.',
  fields: (t) => ({
    chainId: t.field({ type: 'ChainId', required: true, description: 'Chain ID.' }),
    height: t.field({ type: 'UInt53', required: true, description: 'Block height.' }),
  }),
})

const without = (chainId: string) =>
  badInput(`No indexer serves ${chainId}, so it cannot be waited for.`, 'CHAIN_NOT_INDEXED')

/** A chain without an indexer. Null if nobody knows it. Throws `BAD_USER_INPUT` if a height is waited for. */
async function unservedChain(context: Context, chainId: string, isWaitedFor: boolean): Promise<ChainShape | null> {
  const chain = await findChain(context, chainId)
  if (chain && isWaitedFor) throw without(chainId)
  return chain
}

builder.queryFields((t) => ({
  chain: t.field({
    type: Chain,
    nullable: true,
    description: 'The chain with this id. Null if unknown.',
    args: {
      chainId: t.arg({ type: 'ChainId', description: 'Chain id. Defaults to the default chain.' }),
      minHeight: t.arg({
        type: 'UInt53',
        description:
          'Reads below wait until the indexer has this block, such as that of a transaction just sent. If late, an error with the reason `HEIGHT_NOT_REACHED`.',
      }),
    },
    complexity: ({ chainId, minHeight }, { network }) =>
      (chainId == null || network.chains.has(chainId) ? 1 : callCost) + (minHeight == null ? 0 : callCost),
    resolve: (_root, { chainId, minHeight }, context): ChainShape | Promise<ChainShape | null> => {
      const { chains, defaultChain } = context.network
      const served = chainId == null ? defaultChain : chains.get(chainId)
      if (served) {
        return chainShape(minHeight == null ? served : chainFrom(context, served, minHeight))
      }
      return unservedChain(context, checkChainId(chainId ?? ''), minHeight != null)
    },
  }),
  account: t.field({
    type: Account,
    nullable: true,
    description: 'This address on all chains, used or not. Null, with an error, for an invalid address.',
    args: {
      address: t.arg({
        type: 'Address',
        required: true,
        description: 'Bech32 with any prefix, or hex with 0x.',
      }),
      minHeights: t.arg({
        type: [ChainHeightInput],
        description:
          'Reads below wait until the indexers have these blocks, such as those of transactions just sent. A late chain is in `unavailableChains`.',
      }),
    },
    complexity: ({ minHeights }) => 1 + callCost * (minHeights?.length ?? 0),
    resolve: (_root, { address, minHeights }, context) =>
      accountAt({ chains: chainsFrom(context, minHeights ?? []) }, address),
  }),
}))

/** All chains. Some wait for a height, the highest one if a chain is named twice. */
function chainsFrom(
  context: Context,
  minHeights: readonly { readonly chainId: string; readonly height: bigint }[],
): ReadonlyMap<string, ServedChain> {
  const { chains } = context.network
  if (minHeights.length === 0) return chains
  const entered = new Map(chains)
  for (const { chainId, height } of minHeights.toSorted((a, b) => Number(a.height - b.height))) {
    const chain = chains.get(checkChainId(chainId))
    if (!chain) throw without(chainId)
    entered.set(chainId, chainFrom(context, chain, height, shareOfMany))
  }
  return entered
}
