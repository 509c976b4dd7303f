import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { get } from '../../engine/upstream/request.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { Chain } from '../chain/chain.ts'
import { runsEvm } from '../chain/evmSupport.ts'
import { findInResponses } from '../chain/findInResponses.ts'
import { statusRequest } from './chain.ts'
import { accountInternalTransactionsPath, internalTransactionsPage } from './evm/wire.ts'

const ChainCapability = builder.enumType('ChainCapability', {
  description: 'Optional lists of indexers. Without one, its fields are null.',
  values: {
    EVM_TRANSACTIONS: { description: 'EVM transactions: the chain has an EVM.' },
    EVM_INTERNAL_TRANSACTIONS: {
      description: 'Calls inside EVM transactions: the indexer also keeps their traces.',
    },
    RICH_LIST: { description: 'The holders of a denom, by balance.' },
  },
})

type Capability = typeof ChainCapability.$inferType

builder.objectField(Chain, 'capabilities', (t) =>
  t.field({
    type: [ChainCapability],
    nullable: true,
    description: 'Optional lists that its indexer has. Null without an indexer. Costs up to three upstream requests.',
    complexity: 3 * callCost,
    resolve: ({ served }, _args, context) => served && findCapabilities(context, served),
  }),
)

async function findCapabilities(context: Context, chain: ServedChain): Promise<Capability[]> {
  const [hasEvm, hasTraces, status] = await Promise.all([
    runsEvm(context, chain),
    keepsTraces(context, chain),
    context.scope.fetch(chain.indexer, statusRequest),
  ])
  return [
    ...(hasEvm ? (['EVM_TRANSACTIONS'] as const) : []),
    ...(hasEvm && hasTraces ? (['EVM_INTERNAL_TRANSACTIONS'] as const) : []),
    ...(status?.rich_list_height == null ? [] : (['RICH_LIST'] as const)),
  ]
}

// The status has no height of traces before the first one, whether the indexer keeps them or not. The route of an
// unused account has the shortest response.
const traceProbe = get(accountInternalTransactionsPath(`0x${'0'.repeat(40)}`), internalTransactionsPage, {
  query: { 'pagination.limit': 1, 'pagination.count_total': false },
})

const traceSupport: CacheRegion<boolean> = { name: 'traceSupport', maxEntries: 10_000 }

/** Whether the indexer of a chain keeps traces. Its routes of them return 404 if not. */
async function keepsTraces(context: Context, chain: ServedChain): Promise<boolean> {
  if (!(await runsEvm(context, chain))) return false
  return findInResponses(context, chain.indexer, {
    region: traceSupport,
    find: async () => (await context.scope.fetch(chain.indexer, traceProbe)) !== null,
    isFound: (hasTraces) => hasTraces,
  })
}
