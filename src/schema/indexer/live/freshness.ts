import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { readable } from '../../../engine/wire/decode.ts'
import { Chain } from '../../chain/chain.ts'
import { type BlockRecord, newestBlocksRequest } from '../block/wire.ts'

const ChainFreshness = builder.objectRef<BlockRecord>('ChainFreshness').implement({
  description: 'How new the data of an indexer is.',
  fields: (t) => ({
    height: t.expose('height', { type: 'UInt53', description: 'Height of its newest block.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'Time of that block.' }),
    ageSeconds: t.float({
      description: 'Seconds since that block. A block time is normal.',
      resolve: ({ timestamp }, _args, { scope }) =>
        Math.max(0, Math.round(scope.date() - Date.parse(timestamp))) / 1_000,
    }),
  }),
})

builder.objectFields(Chain, (t) => ({
  freshness: t.field({
    type: ChainFreshness,
    nullable: true,
    description: 'How new the data of its indexer is. Null without an indexer or blocks. Costs one upstream request.',
    complexity: callCost,
    async resolve({ served }, _args, { scope }) {
      const page = served && (await scope.fetch(served.indexer, newestBlocksRequest(1)))
      return readable(page?.items ?? [])[0] ?? null
    },
  }),
}))
