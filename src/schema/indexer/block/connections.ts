import { builder, type Context, callCost, keepable } from '../../../graphql/builder.ts'
import { pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { checkHash, checkHeight } from '../../../graphql/scalars.ts'
import { badInput } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { recordOf } from '../../../upstream/upstreamError.ts'
import { Chain } from '../../chain/chain.ts'
import { minHeightArg, readAt, waitingCost } from '../height.ts'
import { connectIndexed, indexedConnectionType } from '../indexedList.ts'
import { Block, type BlockShape, blockShape, findBlock } from './block.ts'
import { findBlockByHash, searchedBlocks, searchPrice } from './byHash.ts'
import { blockList, countBlocks, newestBlocksRequest } from './wire.ts'

const BlockConnection = indexedConnectionType(Block, 'blocks')

/** What finds the block of the arguments. Throws `BAD_USER_INPUT` unless they name one. */
function finderOf({
  height,
  hash,
}: {
  readonly height?: bigint | null | undefined
  readonly hash?: string | null | undefined
}): (context: Context, chain: ServedChain) => Promise<BlockShape | null> {
  if ((height == null) === (hash == null)) throw badInput('Use either `height` or `hash`.')
  if (hash == null) {
    const checked = checkHeight(height ?? 0n)
    return (context, chain) => findBlock(context, chain, checked)
  }
  const checked = checkHash(hash)
  return (context, chain) => findBlockByHash(context, chain, checked)
}

builder.objectFields(Chain, (t) => ({
  block: t.field({
    ...keepable,
    type: Block,
    nullable: true,
    description: `The block at this height, or with this hash: one of both is required. Null if it is not indexed. Nearby blocks requested together by their heights are fetched in one upstream request. Indexers cannot look up a hash, so the gateway looks for it among the newest ${searchedBlocks.toLocaleString('en')} blocks: null for an older block, unless it was found before.`,
    args: {
      height: t.arg({ type: 'UInt53', description: 'Block height, from 1.' }),
      hash: t.arg({ type: 'Hash', description: 'Hash of the block, in any case.' }),
      ...minHeightArg(),
    },
    complexity: waitingCost(({ hash }) => ({
      field: callCost * (hash == null ? 1 : searchPrice),
    })),
    resolve: ({ served }, args, context) => {
      const find = finderOf(args)
      return readAt(context, served, args, (chain) => find(context, chain))
    },
  }),
  latestBlock: t.field({
    ...keepable,
    type: Block,
    nullable: true,
    description: 'The newest indexed block. Null if there is none. Costs one upstream request.',
    args: minHeightArg(),
    complexity: waitingCost(callCost),
    resolve: ({ served }, args, context) =>
      readAt(context, served, args, async (chain) => {
        const page = await context.scope.fetch(chain.indexer, newestBlocksRequest(1))
        const block = recordOf(chain.chainId, page, () => true)
        return block && blockShape(chain, block)
      }),
  }),
  blocks: t.field({
    ...keepable,
    type: BlockConnection,
    nullable: true,
    description: 'Blocks ordered by height.',
    args: { ...minHeightArg(), ...pageArgs() },
    complexity: waitingCost(pageCost),
    resolve: ({ served }, args, context, info) =>
      readAt(context, served, args, (chain) =>
        connectIndexed(
          context,
          chain,
          { isTotalEstimate: true, ...blockList, total: () => countBlocks(context, chain) },
          args,
          (block) => blockShape(chain, block),
          info,
        ),
      ),
  }),
}))
