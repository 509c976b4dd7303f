import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { decodeKey } from '../../engine/pagination/keys.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { get } from '../../engine/upstream/request.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { Chain } from '../chain/chain.ts'
import { runsEvm } from '../chain/evmSupport.ts'
import { findInResponses } from '../chain/findInResponses.ts'
import { newestBlocksRequest } from './block/wire.ts'
import { statusRequest } from './chain.ts'
import { accountInternalTransactionsPath, internalTransactionsPage } from './evm/wire.ts'
import { filterOfSome } from './transaction/filter.ts'
import { transactionsPage, transactionsPath } from './transaction/wire.ts'

const ChainCapability = builder.enumType('ChainCapability', {
  description: 'Optional abilities of indexers. Without a list, its fields are null.',
  values: {
    EVM_TRANSACTIONS: { description: 'EVM transactions: the chain has an EVM.' },
    EVM_INTERNAL_TRANSACTIONS: {
      description: 'Calls inside EVM transactions: the indexer also keeps their traces.',
    },
    RICH_LIST: { description: 'The holders of a denom, by balance.' },
    NUMBERED_PAGES: {
      description:
        'Page keys with record numbers: `since`, `until` and pages back from any cursor. Otherwise 1,000 records back.',
    },
    MESSAGE_TYPE_FILTER: {
      description: 'Filters transactions by message type. Otherwise the gateway filters, and pages can be short.',
    },
  },
})

type Capability = typeof ChainCapability.$inferType

builder.objectField(Chain, 'capabilities', (t) =>
  t.field({
    type: [ChainCapability],
    nullable: true,
    description: 'Optional abilities of its indexer. Null without an indexer. Costs up to six upstream requests.',
    complexity: 6 * callCost,
    resolve: ({ served }, _args, context) => served && findCapabilities(context, served),
  }),
)

async function findCapabilities(context: Context, chain: ServedChain): Promise<Capability[]> {
  const [hasEvm, hasTraces, status, isNumbered, isFiltering] = await Promise.all([
    runsEvm(context, chain),
    keepsTraces(context, chain),
    context.scope.fetch(chain.indexer, statusRequest),
    shown(context, chain, numberedPages, hasNumberedPages),
    shown(context, chain, typeFilters, filtersTypes),
  ])
  return [
    ...(hasEvm ? (['EVM_TRANSACTIONS'] as const) : []),
    ...(hasEvm && hasTraces ? (['EVM_INTERNAL_TRANSACTIONS'] as const) : []),
    ...(status?.rich_list_height == null ? [] : (['RICH_LIST'] as const)),
    ...(isNumbered ? (['NUMBERED_PAGES'] as const) : []),
    ...(isFiltering ? (['MESSAGE_TYPE_FILTER'] as const) : []),
  ]
}

const numberedPages: CacheRegion<boolean> = { name: 'numbered pages', maxEntries: 10_000 }
const typeFilters: CacheRegion<boolean> = { name: 'filters by message type', maxEntries: 10_000 }

/** Whether the answers of an indexer show a capability. */
const shown = (
  context: Context,
  chain: ServedChain,
  region: CacheRegion<boolean>,
  find: (context: Context, chain: ServedChain) => Promise<boolean>,
) =>
  findInResponses(context, chain.indexer, { region, find: () => find(context, chain), isFound: (isShown) => isShown })

/** Whether the keys of the blocks of a chain hold their heights. */
async function hasNumberedPages({ scope }: Context, { indexer }: ServedChain): Promise<boolean> {
  const newest = await scope.fetch(indexer, newestBlocksRequest(1))
  return newest != null && newest.nextKey !== null && decodeKey('height', newest.nextKey) !== undefined
}

/** Transactions that show whether a filter is applied. */
const sample = {
  'pagination.limit': 20,
  'pagination.reverse': true,
  'pagination.count_total': false,
}

/** Whether the indexer of a chain filters transactions by message type. False if its newest ones are all of one type. */
async function filtersTypes({ scope }: Context, { indexer }: ServedChain): Promise<boolean> {
  const newest = await scope.fetch(indexer, get(transactionsPath, transactionsPage, { query: sample }))
  const filter = newest && filterOfSome(newest.items)
  if (!filter) return false
  const query = { ...sample, ...filter.query }
  const filtered = await scope.fetch(indexer, get(transactionsPath, transactionsPage, { query })).catch(() => null)
  return filtered !== null && filtered.items.length > 0 && filtered.items.every(filter.isMatch)
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
  const find = async () => (await context.scope.fetch(chain.indexer, traceProbe)) !== null
  return shown(context, chain, traceSupport, find)
}
