import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { filteredPageCost, type PageArgs, pageCost } from '../../../engine/graphql/pageArgs.ts'
import { checkHash } from '../../../engine/graphql/scalars.ts'
import { countOf, type Total } from '../../../engine/pagination/page.ts'
import type { ListSource } from '../../../engine/pagination/source.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get } from '../../../engine/upstream/request.ts'
import type { Listed } from '../../../engine/wire/decode.ts'
import { indexedAddress } from '../../account/address.ts'
import { ChainAccount } from '../../account/chainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { loadWholeBlock } from '../batch/blockList.ts'
import { keepWholeList } from '../batch/wholeLists.ts'
import { Block } from '../block/block.ts'
import { listField } from '../listField.ts'
import { spanCost, type TimeFilter } from '../time/timeFilter.ts'
import {
  BlockTransactionFilter,
  ChainAccountTransactionFilter,
  checkTypes,
  hasMessageOf,
  TransactionFilter,
} from './filter.ts'
import { listedTransactions } from './lists.ts'
import { loadTransaction, Transaction, transactionShape } from './transaction.ts'
import {
  accountTransactionsPath,
  blockTransactionsPath,
  type TransactionRecord,
  transactionsByBlock,
  transactionsPage,
  transactionsPath,
} from './wire.ts'

builder.objectFields(Chain, (t) => ({
  transaction: t.field({
    type: Transaction,
    nullable: true,
    description: 'The Cosmos transaction with this hash. Null if not indexed. Costs one upstream request.',
    args: {
      hash: t.arg({ type: 'Hash', required: true, description: 'Transaction hash, in any case.' }),
    },
    complexity: callCost,
    resolve: ({ served }, args, context) => {
      const hash = checkHash(args.hash)
      return served && loadTransaction(context, served, hash)
    },
  }),
  transactions: listField(t, listedTransactions, {
    description: 'Cosmos transactions in execution order.',
    args: { filter: t.arg({ type: TransactionFilter, description: 'Which transactions to list.' }) },
    check: ({ filter }) => void checkTypes(filter?.messageTypes),
    list: ({ chain, context, args }) => {
      const types = checkTypes(args.filter?.messageTypes)
      const filter = hasMessageOf(types)
      return {
        path: transactionsPath,
        query: { msgs: types },
        // A type that the indexer has never seen is no filter until it is seen.
        isAppendOnly: !types,
        // The indexer ignores types it has never seen. If it knows none, it ignores the filter.
        filter,
        stopAtUnmatchedPage: true,
        total: filter ? () => countOfTypes(context, chain, types, filter) : 'count',
        // Without a filter it is the number of the newest record, so removed records count too.
        isTotalEstimate: !filter,
      }
    },
    nodeOf: (tx, { chain }) => transactionShape(chain, tx),
  }),
}))

/** The number of transactions with a message of these types. 0 if the indexer ignored the filter. */
async function countOfTypes(
  context: Context,
  chain: ServedChain,
  types: readonly string[] | undefined,
  filter: (tx: Listed<TransactionRecord>) => boolean,
): Promise<Total> {
  const query = { msgs: types, 'pagination.limit': 1, 'pagination.count_total': true }
  const page = await context.scope.fetch(chain.indexer, get(transactionsPath, transactionsPage, { query }))
  return page?.items.every(filter) ? countOf(page) : 0n
}

interface FilterArgs extends PageArgs {
  readonly filter?: (TimeFilter & { readonly messageTypes?: string[] | null | undefined }) | null | undefined
}

/** The cost of a list that the gateway filters by type. */
const costOf = (args: Pick<FilterArgs, 'first' | 'last' | 'filter'>, context: Context) => {
  const cost = args.filter?.messageTypes?.length ? filteredPageCost : pageCost
  const { field, multiplier } = cost(args, context)
  return { field: field + spanCost(args.filter), multiplier }
}

/** What a filter by type adds to the list of an account or a block. Indexers fail on one there, so the gateway filters. */
const filterOf = ({ filter }: FilterArgs): Partial<ListSource<Listed<TransactionRecord>>> => {
  const types = checkTypes(filter?.messageTypes)
  if (!types) return {}
  return { size: undefined, filter: hasMessageOf(types), filterKey: types.join(), total: 'none' }
}

builder.objectField(Block, 'transactions', (t) =>
  listField(t, listedTransactions, {
    description:
      'Cosmos transactions of the block. Nearby blocks share two or three upstream requests. Pages with `messageTypes` can be short.',
    args: { filter: t.arg({ type: BlockTransactionFilter, description: 'Which transactions to list.' }) },
    order: 'ASC',
    cost: costOf,
    list: ({ chain, context, args, owner: { height, record } }) => ({
      loadBatch: args.filter?.messageTypes?.length
        ? undefined
        : loadWholeBlock(context, chain, transactionsByBlock, record),
      single: () => ({
        path: blockTransactionsPath(height),
        size: record?.tx_count,
        isAppendOnly: true,
        onWhole: keepWholeList(context, chain, transactionsByBlock, height),
        ...filterOf(args),
      }),
    }),
    nodeOf: (tx, { chain }) => transactionShape(chain, tx),
  }),
)

builder.objectField(ChainAccount, 'transactions', (t) =>
  listField(t, listedTransactions, {
    description: 'Cosmos transactions that the account signed or that name it. Pages with `messageTypes` can be short.',
    args: { filter: t.arg({ type: ChainAccountTransactionFilter, description: 'Which transactions to list.' }) },
    cost: costOf,
    list: async ({ chain, context, args, owner }) => ({
      path: accountTransactionsPath(await indexedAddress(context, chain, owner.address)),
      ...(args.filter?.signedOnly && { query: { is_signer: true } }),
      ...filterOf(args),
    }),
    nodeOf: (tx, { chain, owner }) => transactionShape(chain, tx, owner.address),
  }),
)
