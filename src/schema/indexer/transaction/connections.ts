import { builder, type Context, callCost, keepable } from '../../../graphql/builder.ts'
import { filteredPageCost, type PageArgs, pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { checkHash } from '../../../graphql/scalars.ts'
import { countOf, type ListSource } from '../../../pagination/listPage.ts'
import { type Listed, UnreadableRecord } from '../../../upstream/decode.ts'
import { badInput } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get } from '../../../upstream/request.ts'
import { ChainAccount } from '../../account/chainAccount.ts'
import { Chain } from '../../chain/chain.ts'
import { Block } from '../block/block.ts'
import { loadWholeBlock } from '../block/runs.ts'
import { readFrom } from '../height.ts'
import { connectIndexed, indexedConnectionType } from '../indexedList.ts'
import { spanCost, spanOf, type TimeFilter, timedPageCost, timeFields } from '../time/timeFilter.ts'
import { inSpan, timedTransactions } from '../time/timeRange.ts'
import { loadTransaction, Transaction, transactionShape } from './transaction.ts'
import {
  accountTransactionsPath,
  blockTransactionsPath,
  type TransactionRecord,
  transactionsByBlock,
  transactionsPage,
  transactionsPath,
  typeOf,
} from './wire.ts'

export const TransactionConnection = indexedConnectionType(Transaction, 'Cosmos transactions')

/** The names without the leading slash of a type URL. Throws `BAD_USER_INPUT` for invalid names. */
export function checkTypes(
  types: readonly string[] | null | undefined,
): readonly string[] | undefined {
  if (types == null) return undefined
  if (types.length === 0)
    throw badInput('`messageTypes` must not be empty. Leave it out to list all.')
  if (types.length > 20) throw badInput('At most 20 message types are allowed.', 'TOO_MANY_ENTRIES')
  return types.map((type) => {
    const name = type.replace(/^\//, '')
    if (/^[\w.]{1,200}$/.test(name) && name.includes('.')) return name
    throw badInput(
      'Invalid message type. Use its whole name, such as `cosmos.bank.v1beta1.MsgSend`.',
      'INVALID_MESSAGE_TYPE',
    )
  })
}

/** Whether a record has a message of these types. Undefined without types. True if it cannot be told. */
export const hasMessageOf = (types: readonly string[] | undefined) =>
  types &&
  ((tx: Listed<TransactionRecord>) =>
    // Without a body, the choice of the indexer cannot be checked.
    tx instanceof UnreadableRecord ||
    (tx.tx?.body?.messages.some((message) => types.includes(typeOf(message))) ?? true))

const messageTypes = {
  description:
    'Only transactions with a message of one of these types, such as `cosmos.bank.v1beta1.MsgSend`. A type the chain has never seen gives an empty list.',
}

// Types of their own, so that a filter that makes no sense on a list is a fault in the document.

const TransactionFilter = builder.inputType('TransactionFilter', {
  description: 'Which Cosmos transactions to list. All that is given must hold.',
  fields: (t) => ({
    messageTypes: t.stringList(messageTypes),
    since: t.field(timeFields.since),
    until: t.field(timeFields.until),
  }),
})

const BlockTransactionFilter = builder.inputType('BlockTransactionFilter', {
  description: 'Which Cosmos transactions of a block to list.',
  fields: (t) => ({ messageTypes: t.stringList(messageTypes) }),
})

const ChainAccountTransactionFilter = builder.inputType('ChainAccountTransactionFilter', {
  description: 'Which Cosmos transactions of an account to list. All that is given must hold.',
  fields: (t) => ({
    messageTypes: t.stringList(messageTypes),
    signedOnly: t.boolean({
      description: 'Only transactions of which the account is the first signer. Default: false.',
    }),
    since: t.field(timeFields.since),
    until: t.field(timeFields.until),
  }),
})

builder.objectFields(Chain, (t) => ({
  transaction: t.field({
    ...keepable,
    type: Transaction,
    nullable: true,
    description:
      'The Cosmos transaction with this hash. Null if it is not indexed. Costs one upstream request.',
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
    ...keepable,
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
      return readFrom(served, (chain) =>
        connectIndexed(
          context,
          chain,
          inSpan(
            context,
            chain,
            { records: timedTransactions, span, isWhole: !types },
            {
              path: transactionsPath,
              query: { msgs: types },
              page: transactionsPage,
              strategy: { kind: 'keyset', field: 'sequence' },
              // A type that the indexer has never seen is no filter until it is seen.
              isAppendOnly: !types,
              // The indexer ignores types it has never seen. If it knows none, it ignores the filter.
              filter,
              stopAtUnmatchedPage: true,
              total: filter ? () => countOfTypes(context, chain, types, filter) : 'count',
              // Without a filter it is the number of the newest record, which counts those that were removed.
              isTotalEstimate: !filter,
            },
          ),
          args,
          (tx) => transactionShape(chain, tx),
          info,
        ),
      )
    },
  }),
}))

/** The number of transactions with a message of these types. 0 if the indexer ignored the filter. */
async function countOfTypes(
  context: Context,
  chain: ServedChain,
  types: readonly string[] | undefined,
  filter: (tx: Listed<TransactionRecord>) => boolean,
): Promise<bigint | null> {
  const query = { msgs: types, 'pagination.limit': 1, 'pagination.count_total': true }
  const page = await context.scope.fetch(
    chain.indexer,
    get(transactionsPath, transactionsPage, { query }),
  )
  return page?.items.every(filter) ? countOf(page) : 0n
}

interface FilterArgs extends PageArgs {
  readonly filter?:
    | (TimeFilter & { readonly messageTypes?: string[] | null | undefined })
    | null
    | undefined
}

/** The cost of a list of `filteredList`. */
const costOf = (args: Pick<FilterArgs, 'first' | 'last' | 'filter'>, context: Context) => {
  const cost = args.filter?.messageTypes?.length ? filteredPageCost : pageCost
  const { field, multiplier } = cost(args, context)
  return { field: field + spanCost(args.filter), multiplier }
}

type TransactionList = ListSource<Listed<TransactionRecord>>

/** A list of an account or a block. Indexers fail on a type filter there, so the gateway filters. */
const filteredList = (
  {
    path,
    query,
    size,
    isAppendOnly,
  }: Pick<TransactionList, 'path' | 'query' | 'size' | 'isAppendOnly'>,
  { filter }: FilterArgs,
): TransactionList => {
  const types = checkTypes(filter?.messageTypes)
  return {
    path,
    query,
    isAppendOnly,
    size: types ? undefined : size,
    page: transactionsPage,
    strategy: { kind: 'keyset', field: 'sequence' },
    filter: hasMessageOf(types),
    filterKey: types?.join(),
    total: types ? 'none' : 'count',
  }
}

builder.objectField(Block, 'transactions', (t) =>
  t.field({
    ...keepable,
    type: TransactionConnection,
    nullable: true,
    description:
      'Cosmos transactions of the block. Those of nearby blocks are fetched in two or three upstream requests. With `messageTypes` the gateway filters, so a page can have fewer records than requested and still have a next page.',
    args: {
      filter: t.arg({ type: BlockTransactionFilter, description: 'Which transactions to list.' }),
      ...pageArgs('ASC'),
    },
    complexity: costOf,
    resolve: ({ chain, height, record }, args, context, info) => {
      const alone = () => {
        const path = blockTransactionsPath(height)
        return filteredList({ path, size: record?.tx_count, isAppendOnly: true }, args)
      }
      const loadWhole = args.filter?.messageTypes?.length
        ? undefined
        : loadWholeBlock(context, chain, transactionsByBlock, record)
      const list = loadWhole ? { loadWhole, alone } : alone()
      return connectIndexed(context, chain, list, args, (tx) => transactionShape(chain, tx), info)
    },
  }),
)

builder.objectField(ChainAccount, 'transactions', (t) =>
  t.field({
    ...keepable,
    type: TransactionConnection,
    nullable: true,
    description:
      'Cosmos transactions that the account signed or that its address appears in. With `messageTypes` the gateway filters, so a page can have fewer records than requested and still have a next page.',
    args: {
      filter: t.arg({
        type: ChainAccountTransactionFilter,
        description: 'Which transactions to list.',
      }),
      ...pageArgs(),
    },
    complexity: costOf,
    resolve: ({ chain: { served }, address }, args, context, info) => {
      const list = {
        path: accountTransactionsPath(address),
        ...(args.filter?.signedOnly && { query: { is_signer: true } }),
      }
      const span = spanOf(args.filter)
      return readFrom(served, (chain) =>
        connectIndexed(
          context,
          chain,
          inSpan(
            context,
            chain,
            { records: timedTransactions, span, isWhole: false },
            filteredList(list, args),
          ),
          args,
          (tx) => transactionShape(chain, tx, address),
          info,
        ),
      )
    },
  }),
)
