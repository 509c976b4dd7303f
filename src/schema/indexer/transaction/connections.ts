import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { filteredPageCost, type PageArgs, pageCost } from '../../../engine/graphql/pageArgs.ts'
import { checkHash } from '../../../engine/graphql/scalars.ts'
import type { AskedFilter } from '../../../engine/pagination/source.ts'
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
  filterFor,
  filterOfSome,
  TransactionFilter,
} from './filter.ts'
import { listedTransactions } from './lists.ts'
import { loadTransaction, Transaction, transactionShape } from './transaction.ts'
import {
  accountTransactionsPath,
  blockTransactionsPath,
  type TransactionRecord,
  transactionsByBlock,
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
    list: ({ args }) => {
      const asked = askedFor(args)
      // Without a filter it is the number of the newest record, so removed records count too.
      return { path: transactionsPath, asked, isAppendOnly: true, isTotalEstimate: !asked }
    },
    nodeOf: (tx, { chain }) => transactionShape(chain, tx),
  }),
}))

interface FilterArgs extends PageArgs {
  readonly filter?: (TimeFilter & { readonly messageTypes?: string[] | null | undefined }) | null | undefined
}

/** The cost of a list that the gateway filters by type. */
const costOf = (args: Pick<FilterArgs, 'first' | 'last' | 'filter'>, context: Context) => {
  const cost = args.filter?.messageTypes?.length ? filteredPageCost : pageCost
  const { field, multiplier } = cost(args, context)
  return { field: field + spanCost(args.filter), multiplier }
}

/** The filter by type that an indexer is asked for. */
function askedFor({ filter }: FilterArgs): AskedFilter<Listed<TransactionRecord>> | undefined {
  const types = checkTypes(filter?.messageTypes)
  return types && { ...filterFor(types), probeOf: filterOfSome }
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
      path: blockTransactionsPath(height),
      // The size of the block is not that of the filtered list.
      size: args.filter?.messageTypes?.length ? undefined : record?.tx_count,
      isAppendOnly: true,
      onWhole: keepWholeList(context, chain, transactionsByBlock, height),
      asked: askedFor(args),
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
      asked: askedFor(args),
    }),
    nodeOf: (tx, { chain, owner }) => transactionShape(chain, tx, owner.address),
  }),
)
