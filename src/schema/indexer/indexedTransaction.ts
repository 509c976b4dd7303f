import { builder, callCost } from '../../engine/graphql/builder.ts'
import { Node } from '../../engine/graphql/node.ts'
import { Chain } from '../chain/chain.ts'
import { chainShape } from '../chain/knownChain.ts'
import { Block } from './block/block.ts'
import type { ChainNodeShape } from './chainNode.ts'

const ofType = (): never => {
  throw new Error('every type of transaction resolves its own fields')
}

/** A transaction of any kind. */
export const IndexedTransaction = builder.interfaceRef<ChainNodeShape>('IndexedTransaction').implement({
  description: 'A transaction in the indexer of its chain.',
  interfaces: [Node],
  fields: (t) => ({
    chain: t.value(Chain, 'The chain.', ({ chain }) => chainShape(chain)),
    hash: t.value('Hash', 'Transaction hash, as `Hash` has it for either kind.', ofType),
    height: t.value('UInt53', 'Height of its block.', ofType),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block of the transaction.',
      complexity: callCost,
      resolve: ofType,
    }),
    timestamp: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Time of its block. For the EVM, nearby blocks share one upstream request.',
      complexity: callCost,
      resolve: ofType,
    }),
    isSuccessful: t.ifKnown('Boolean', 'Whether execution succeeded.', ofType),
  }),
})
