import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { pageArgs } from '../../../engine/graphql/pageArgs.ts'
import { checkHash, checkHeight } from '../../../engine/graphql/scalars.ts'
import { recordOf } from '../../../engine/upstream/upstreamError.ts'
import { Chain } from '../../chain/chain.ts'
import { readFrom } from '../height.ts'
import { connectIndexed, indexedConnectionType } from '../indexedList.ts'
import { spanOf, timeArg, timedPageCost } from '../time/timeFilter.ts'
import { listOf, timedBlocks } from '../time/timeRange.ts'
import { Block, findBlock, heightArg, readBlock } from './block.ts'
import { findBlockByHash, searchedBlocks, searchPrice } from './byHash.ts'
import { blocksPath, countBlocks, newestBlocksRequest } from './wire.ts'

const BlockConnection = indexedConnectionType(Block, 'blocks')

builder.objectFields(Chain, (t) => ({
  block: t.field({
    type: Block,
    nullable: true,
    description: 'The block at this height. Null if not indexed. Nearby blocks share one upstream request.',
    args: heightArg,
    complexity: callCost,
    resolve: ({ served }, args, context) =>
      readFrom(served, (chain) => findBlock(context, chain, checkHeight(args.height))),
  }),
  blockByHash: t.field({
    type: Block,
    nullable: true,
    description: `The block with this hash among the newest ${searchedBlocks.toLocaleString('en')}, or found before. Null for others: use \`block\`. Costs one large upstream request.`,
    args: {
      hash: t.arg({ type: 'Hash', required: true, description: 'Hash of the block, in any case.' }),
    },
    complexity: callCost * searchPrice,
    resolve: ({ served }, args, context) => {
      const hash = checkHash(args.hash)
      return readFrom(served, (chain) => findBlockByHash(context, chain, hash))
    },
  }),
  latestBlock: t.field({
    type: Block,
    nullable: true,
    description: 'The newest indexed block. Null if none. Costs one upstream request.',
    complexity: callCost,
    resolve: ({ served }, _args, context) =>
      readFrom(served, async (chain) => {
        const page = await context.scope.fetch(chain.indexer, newestBlocksRequest(1))
        const block = recordOf(chain.chainId, page, () => true)
        return block && readBlock(context, chain, block)
      }),
  }),
  blocks: t.field({
    type: BlockConnection,
    nullable: true,
    description: 'Blocks ordered by height.',
    args: { ...timeArg(), ...pageArgs() },
    complexity: timedPageCost,
    resolve: ({ served }, args, context, info) => {
      const span = spanOf(args.filter)
      return readFrom(served, (chain) =>
        connectIndexed(
          context,
          chain,
          listOf(context, chain, timedBlocks, {
            path: blocksPath,
            total: () => countBlocks(context, chain),
            isTotalEstimate: true,
            span,
          }),
          args,
          (block) => readBlock(context, chain, block),
          info,
        ),
      )
    },
  }),
}))
