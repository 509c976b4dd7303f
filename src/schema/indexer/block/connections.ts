import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { checkHash, checkHeight } from '../../../engine/graphql/scalars.ts'
import { findRecord } from '../../../engine/upstream/upstreamError.ts'
import { Chain } from '../../chain/chain.ts'
import { listedRecords, listField } from '../listField.ts'
import { timeArg } from '../time/timeFilter.ts'
import { timedBlocks } from '../time/timeRange.ts'
import { Block, findBlock, heightArg, readBlock } from './block.ts'
import { findBlockByHash, searchedBlocks, searchPrice } from './byHash.ts'
import { blocksPath, countBlocks, newestBlocksRequest } from './wire.ts'

const listedBlocks = listedRecords(Block, 'blocks', {
  source: timedBlocks.all.source,
  timed: timedBlocks,
})

builder.objectFields(Chain, (t) => ({
  block: t.field({
    type: Block,
    nullable: true,
    description: 'The block at this height. Null if not indexed. Nearby blocks share one upstream request.',
    args: heightArg,
    complexity: callCost,
    resolve: ({ served }, args, context) => served && findBlock(context, served, checkHeight(args.height)),
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
      return served && findBlockByHash(context, served, hash)
    },
  }),
  latestBlock: t.field({
    type: Block,
    nullable: true,
    description: 'The newest indexed block. Null if none. Costs one upstream request.',
    complexity: callCost,
    resolve: async ({ served }, _args, context) => {
      const page = served && (await context.scope.fetch(served.indexer, newestBlocksRequest(1)))
      const block = page && findRecord(served.chainId, page, () => true)
      return block && readBlock(context, served, block)
    },
  }),
  blocks: listField(t, listedBlocks, {
    description: 'Blocks ordered by height.',
    args: timeArg(),
    list: ({ chain, context }) => ({
      path: blocksPath,
      total: () => countBlocks(context, chain),
      isTotalEstimate: true,
    }),
    nodeOf: (block, { chain, context }) => readBlock(context, chain, block),
  }),
}))
