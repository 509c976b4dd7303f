import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { filteredPageCost, type PageArgs, pageArgs, pageCost } from '../../../engine/graphql/pageArgs.ts'
import { checkHash } from '../../../engine/graphql/scalars.ts'
import { countOf, type Total } from '../../../engine/pagination/page.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get } from '../../../engine/upstream/request.ts'
import type { Listed } from '../../../engine/wire/decode.ts'
import { indexedAddress } from '../../account/address.ts'
import { ChainAccount } from '../../account/chainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { loadWholeBlock } from '../batch/blockList.ts'
import { keepWholeList } from '../batch/wholeLists.ts'
import { Block } from '../block/block.ts'
import { readFrom } from '../height.ts'
import { connectIndexed } from '../indexedList.ts'
import { spanCost, spanOf, type TimeFilter, timedPageCost } from '../time/timeFilter.ts'
import { listOf, type RecordList, timedTransactions } from '../time/timeRange.ts'
import {
  BlockTransactionFilter,
  ChainAccountTransactionFilter,
  checkTypes,
  hasMessageOf,
  TransactionFilter,
} from './filter.ts'
import { connectTransactions, TransactionConnection } from './lists.ts'
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
      return readFrom(served, (chain) => loadTransaction(context, chain, hash))
    },
  }),
  transactions: t.field({
    type: TransactionConnection,
    nullable: true,
    description: 'Cosmos transactions in execution order.',
    args: {
      filter: t.arg({ type: TransactionFilter, description: 'Which transactions to list.' }),
      ...pageArgs(),
    },
    complexity: timedPageCost,
    resolve: ({ served }, args, context, info) => {
      const types = checkTypes(args.filter?.messageTypes)
      const filter = hasMessageOf(types)
      const span = spanOf(args.filter)
      return readFrom(served, (chain) => {
        const list = {
          path: transactionsPath,
          query: { msgs: types },
          // A type that the indexer has never seen is no filter until it is seen.
          isAppendOnly: !types,
          // The indexer ignores types it has never seen. If it knows none, it ignores the filter.
          filter,
          stopAtUnmatchedPage: true,
          total: filter ? () => countOfTypes(context, chain, types, filter) : ('count' as const),
          // Without a filter it is the number of the newest record, so removed records count too.
          isTotalEstimate: !filter,
          span,
        }
        return connectTransactions(context, chain, list, args, info)
      })
    },
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

/** The cost of a list of `filteredList`. */
const costOf = (args: Pick<FilterArgs, 'first' | 'last' | 'filter'>, context: Context) => {
  const cost = args.filter?.messageTypes?.length ? filteredPageCost : pageCost
  const { field, multiplier } = cost(args, context)
  return { field: field + spanCost(args.filter), multiplier }
}

/** A list of an account or a block. Indexers fail on a type filter there, so the gateway filters. */
const filteredList = <List extends Pick<RecordList<TransactionRecord>, 'path' | 'size'>>(
  list: List,
  { filter }: FilterArgs,
): List & RecordList<TransactionRecord> => {
  const types = checkTypes(filter?.messageTypes)
  if (!types) return list
  return {
    ...list,
    size: undefined,
    filter: hasMessageOf(types),
    filterKey: types.join(),
    total: 'none',
  }
}

builder.objectField(Block, 'transactions', (t) =>
  t.field({
    type: TransactionConnection,
    nullable: true,
    description:
      'Cosmos transactions of the block. Nearby blocks share two or three upstream requests. Pages with `messageTypes` can be short.',
    args: {
      filter: t.arg({ type: BlockTransactionFilter, description: 'Which transactions to list.' }),
      ...pageArgs('ASC'),
    },
    complexity: costOf,
    resolve: ({ chain, height, record }, args, context, info) => {
      const single = () => {
        const path = blockTransactionsPath(height)
        const onWhole = keepWholeList(context, chain, transactionsByBlock, height)
        const list = { path, size: record?.tx_count, isAppendOnly: true, onWhole }
        return listOf(context, chain, timedTransactions, filteredList(list, args))
      }
      const loadBatch = args.filter?.messageTypes?.length
        ? undefined
        : loadWholeBlock(context, chain, transactionsByBlock, record)
      const list = loadBatch ? { loadBatch, single } : single()
      return connectIndexed(context, chain, list, args, (tx) => transactionShape(chain, tx), info)
    },
  }),
)

builder.objectField(ChainAccount, 'transactions', (t) =>
  t.field({
    type: TransactionConnection,
    nullable: true,
    description: 'Cosmos transactions that the account signed or that name it. Pages with `messageTypes` can be short.',
    args: {
      filter: t.arg({
        type: ChainAccountTransactionFilter,
        description: 'Which transactions to list.',
      }),
      ...pageArgs(),
    },
    complexity: costOf,
    resolve: ({ chain: { served }, address }, args, context, info) => {
      const span = spanOf(args.filter)
      return readFrom(served, async (chain) => {
        const list = {
          path: accountTransactionsPath(await indexedAddress(context, chain, address)),
          span,
          ...(args.filter?.signedOnly && { query: { is_signer: true } }),
        }
        return connectTransactions(context, chain, filteredList(list, args), args, info, address)
      })
    },
  }),
)
