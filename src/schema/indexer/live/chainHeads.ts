import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import type { Network, ServedChain } from '../../../engine/upstream/network.ts'
import type { NewHead } from '../../../engine/watch/feeds.ts'
import { mapIterator, mergeLatest } from '../../../engine/watch/iterators.ts'
import { Chain } from '../../chain/chain.ts'
import { chainShape } from '../../chain/knownChain.ts'
import { Block, blockAt, readBlock } from '../block/block.ts'
import type { BlockRecord } from '../block/wire.ts'
import { blockFeed } from './blockFeed.ts'
import { chainToWatch, followChain } from './watchedChain.ts'

interface Head extends NewHead<BlockRecord> {
  readonly chain: ServedChain
}

const ChainHead = builder.objectRef<Head>('ChainHead').implement({
  description: 'The newest block of a chain.',
  fields: (t) => ({
    chain: t.value(Chain, 'The chain.', ({ chain }) => chainShape(chain)),
    height: t.nullable(
      'UInt53',
      'Height of the block. Null before the first answer.',
      ({ position }) => position ?? null,
    ),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block. Null before the first answer.',
      resolve: ({ chain, position, record }, _args, context) =>
        record ? readBlock(context, chain, record) : position === undefined ? null : blockAt(chain, position),
    }),
    isLate: t.value('Boolean', 'Whether no new block came for long, usually 30 seconds.', ({ isLate }) => isLate),
  }),
})

/** The feed of a chain that failed has retried for minutes. It is opened again, unless the chain is gone. */
const again =
  ({ chains }: Pick<Network, 'chains'>, ids: Iterable<string>) =>
  (error: unknown): undefined => {
    if (![...ids].every((id) => chains.has(id))) throw error
  }

builder.subscriptionField('chainHeads', (t) =>
  t.field({
    type: ChainHead,
    description:
      'The newest block of each chain, then each newer one. Says when a chain is late. A slow reader misses blocks in between. Never completes. Ends with an error if a chain is removed.',
    args: {
      chainIds: t.arg({ type: ['ChainId'], description: 'Chains of `chains`. Default: all.' }),
    },
    complexity: ({ chainIds }, { network }) => callCost * (chainIds?.length ?? network.chains.size),
    subscribe(_root, { chainIds }, subscription) {
      const context = liveOf(subscription)
      const { network, feeds } = context
      const ids = [...new Set(chainIds ?? network.chains.keys())]
      for (const chainId of ids) chainToWatch(network, chainId)
      const headsOf = (chainId: string) => {
        let above: bigint | undefined
        return followChain(
          network,
          chainId,
          (chain) => feeds.heads(blockFeed(chain, context), { above }),
          (head, chain): Head => {
            above = head.position
            return { ...head, chain }
          },
        )
      }
      return mapIterator(mergeLatest(ids, headsOf, again(network, ids)), ({ value }) => value)
    },
    resolve: (head) => head,
  }),
)
