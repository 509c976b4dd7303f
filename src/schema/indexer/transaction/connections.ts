import { builder, type Context } from '../../../graphql/builder.ts'
import { connectionType } from '../../../graphql/connection.ts'
import { type PageArgs, pageArgs, pageCost } from '../../../graphql/pageArgs.ts'
import { resolveConnection } from '../../../graphql/resolveConnection.ts'
import { countOf } from '../../../pagination/upstreamList.ts'
import { pageOf } from '../../../upstream/decode.ts'
import { badInput } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get, type Path, path } from '../../../upstream/request.ts'
import { Account } from '../account.ts'
import { Block } from '../block/block.ts'
import { Chain } from '../chain.ts'
import {
  Transaction,
  type TransactionRecord,
  transaction,
  transactionShape,
} from './transaction.ts'
import { typeOf } from './transactionMessage.ts'

/** A page of chain-native transactions. */
export const transactionsPage = pageOf('txs', transaction)

export const TransactionConnection = connectionType(Transaction, 'chain-native transactions')

/** Names of message types without the leading slash of a type URL. Throws on what can be none. */
function checkTypes(types: readonly string[] | null | undefined): readonly string[] | undefined {
  if (!types?.length) return undefined
  if (types.length > 20) throw badInput('At most 20 message types can be asked for at once.')
  return types.map((type) => {
    const name = type.replace(/^\//, '')
    if (/^[\w.]{1,200}$/.test(name)) return name
    throw badInput('A message type is a name such as `cosmos.bank.v1beta1.MsgSend`.')
  })
}

const hasMessageOf = (types: readonly string[] | undefined) =>
  types &&
  ((one: TransactionRecord) =>
    // Without its body nothing speaks against the upstream's choice.
    one.tx?.body?.messages.some((message) => types.includes(typeOf(message))) ?? true)

const messageTypesArg = builder.args((t) => ({
  messageTypes: t.stringList({
    description:
      'Only transactions with a message of one of these types, such as `cosmos.bank.v1beta1.MsgSend`. A type never seen gives an empty list.',
  }),
}))

const allPath = '/indexer/tx/v1/txs'

builder.objectField(Chain, 'transactions', (t) =>
  t.field({
    type: TransactionConnection,
    nullable: true,
    description: 'Chain-native transactions in the order they were executed.',
    args: { ...pageArgs(), ...messageTypesArg },
    complexity: pageCost,
    resolve: ({ served }, args, context) => {
      const types = checkTypes(args.messageTypes)
      const accepts = hasMessageOf(types)
      return resolveConnection(
        context,
        served.indexer,
        {
          path: allPath,
          query: { msgs: types },
          page: transactionsPage,
          strategy: { kind: 'keyset', field: 'sequence' },
          // The indexer drops types it has never seen, and with the last of them the whole filter.
          filter: accepts,
          stopAtUnmatchedPage: true,
          total: accepts ? () => countOfTypes(context, served, types, accepts) : 'count',
        },
        args,
        (one) => transactionShape(served, one),
      )
    },
  }),
)

async function countOfTypes(
  context: Context,
  chain: ServedChain,
  types: readonly string[] | undefined,
  accepts: (one: TransactionRecord) => boolean,
): Promise<bigint | null> {
  const query = { msgs: types, 'pagination.limit': 1, 'pagination.count_total': true }
  const page = await context.scope.fetch(chain.indexer, get(allPath, transactionsPage, { query }))
  if (!page?.items.every(accepts)) return 0n
  return countOf(page)
}

/** Transactions of one account or block: real indexers fail on a type filter there, so it is ours. */
const connectFiltered = (
  context: Context,
  chain: ServedChain,
  list: { path: Path | string; query?: { is_signer: true }; size?: bigint | undefined },
  args: PageArgs & { messageTypes?: string[] | null | undefined },
) => {
  const types = checkTypes(args.messageTypes)
  return resolveConnection(
    context,
    chain.indexer,
    {
      ...list,
      size: types ? undefined : list.size,
      page: transactionsPage,
      strategy: { kind: 'keyset', field: 'sequence' },
      filter: hasMessageOf(types),
      filterKey: types?.join(),
      total: types ? 'none' : 'count',
    },
    args,
    (one) => transactionShape(chain, one),
  )
}

builder.objectField(Block, 'transactions', (t) =>
  t.field({
    type: TransactionConnection,
    nullable: true,
    description:
      'Its chain-native transactions. With `messageTypes` the gateway filters, and a page may hold fewer than asked for with more to follow.',
    args: { ...pageArgs('ASC'), ...messageTypesArg },
    complexity: pageCost,
    resolve: ({ chain, height, record: known }, args, context) =>
      connectFiltered(
        context,
        chain,
        { path: path`/indexer/tx/v1/txs/by_height/${height}`, size: known?.tx_count },
        args,
      ),
  }),
)

builder.objectField(Account, 'transactions', (t) =>
  t.field({
    type: TransactionConnection,
    nullable: true,
    description:
      'Chain-native transactions it signed or that touched it. With `messageTypes` the gateway filters, and a page may hold fewer than asked for with more to follow.',
    args: {
      ...pageArgs(),
      ...messageTypesArg,
      signedOnly: t.arg.boolean({
        required: true,
        defaultValue: false,
        description: 'Only those it was the first to sign.',
      }),
    },
    complexity: pageCost,
    resolve: ({ chain, address }, args, context) =>
      connectFiltered(
        context,
        chain,
        {
          path: path`/indexer/tx/v1/txs/by_account/${address}`,
          ...(args.signedOnly && { query: { is_signer: true } }),
        },
        args,
      ),
  }),
)
