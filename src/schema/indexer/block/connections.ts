import { builder, callCost, keepable } from '../../../graphql/builder.ts'
import { connectionType } from '../../../graphql/connection.ts'
import { pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { resolveConnection } from '../../../graphql/resolveConnection.ts'
import { checkHeight } from '../../../graphql/scalars.ts'
import { recordOf } from '../../../upstream/upstreamError.ts'
import { Chain } from '../../chain/chain.ts'
import { Block, blockShape, findBlock } from './block.ts'
import { blockList, countBlocks, newestBlocksRequest } from './wire.ts'

const BlockConnection = connectionType(Block, 'blocks')

builder.objectFields(Chain, (t) => ({
  block: t.field({
    ...keepable,
    type: Block,
    nullable: true,
    description:
      'The block at this height. Null if it is not indexed. Nearby blocks requested together are fetched in one upstream request.',
    args: {
      height: t.arg({ type: 'UInt53', required: true, description: 'Block height, from 1.' }),
    },
    complexity: callCost,
    resolve: ({ served }, { height }, context) =>
      served && findBlock(context, served, checkHeight(height)),
  }),
  latestBlock: t.field({
    ...keepable,
    type: Block,
    nullable: true,
    description: 'The newest indexed block. Null if there is none. Costs one upstream request.',
    complexity: callCost,
    resolve: async ({ served }, _args, context) => {
      if (!served) return null
      const page = await context.scope.fetch(served.indexer, newestBlocksRequest(1))
      const block = recordOf(served.chainId, page, () => true)
      return block && blockShape(served, block)
    },
  }),
  blocks: t.field({
    ...keepable,
    type: BlockConnection,
    nullable: true,
    description: 'Blocks ordered by height.',
    args: pageArgs(),
    complexity: pageCost,
    resolve: ({ served }, args, context, info) =>
      served &&
      resolveConnection(
        context,
        served.indexer,
        { ...blockList, total: () => countBlocks(context, served), isTotalEstimate: true },
        args,
        (block) => blockShape(served, block),
        info,
      ),
  }),
}))
