import { builder, callCost } from '../../../graphql/builder.ts'
import { readable } from '../../../upstream/decode.ts'
import { badInput } from '../../../upstream/error.ts'
import { Chain } from '../../chain/chain.ts'
import { type BlockRecord, newestBlocksRequest } from '../block/wire.ts'
import { chainAt } from '../height.ts'

const ChainFreshness = builder.objectRef<BlockRecord>('ChainFreshness').implement({
  description: 'How new the data of an indexer is.',
  fields: (t) => ({
    height: t.expose('height', {
      type: 'UInt53',
      description: 'Height of its newest block. What it returns is complete up to this height.',
    }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Time of that block.' }),
    ageMs: t.field({
      type: 'UInt53',
      description:
        'How far the indexer is behind the clock, in milliseconds: the time since that block. Up to a block time is normal.',
      resolve: ({ timestamp }, _args, { feeds }) =>
        BigInt(Math.max(0, Math.round(feeds.age(timestamp)))),
    }),
  }),
})

builder.objectFields(Chain, (t) => ({
  freshness: t.field({
    type: ChainFreshness,
    nullable: true,
    description:
      'How new the data of its indexer is. Null if no indexer serves the chain, or if it has no blocks. Costs one upstream request.',
    complexity: callCost,
    async resolve({ served }, _args, { scope }) {
      const page = served && (await scope.fetch(served.indexer, newestBlocksRequest(1)))
      return readable(page?.items ?? [])[0] ?? null
    },
  }),
  indexed: t.field({
    type: Chain,
    nullable: true,
    description:
      'This chain, once its indexer has a block. The look-ups and lists below it then include that block, such as one that has just been written to. An error with the code `UPSTREAM_TIMEOUT` and the reason `HEIGHT_NOT_REACHED` if that takes too long. All who wait share one poll.',
    args: {
      minHeight: t.arg({
        type: 'UInt53',
        required: true,
        description: 'The least height that the indexer must have.',
      }),
    },
    complexity: callCost,
    async resolve(chain, { minHeight }, context) {
      if (!chain.served) throw badInput('No indexer serves this chain.')
      return { ...chain, served: await chainAt(context, chain.served, minHeight) }
    },
  }),
}))
