import { z } from 'zod'
import { builder, type Context, callCost } from '../graph/builder.ts'
import { connect, connectionType, type PageArgs, pageArgs, pageCost } from '../graph/connection.ts'
import { type NodeShape, nodeType, splitKey } from '../graph/node.ts'
import { nativeHash } from '../graph/scalars.ts'
import { get, path } from '../upstream/call.ts'
import { badInput } from '../upstream/error.ts'
import type { ServedChain } from '../upstream/network.ts'
import { integer, list, moment, pageOf, record, text } from '../upstream/wire.ts'
import { Account } from './account.ts'
import { Block, blockAt } from './block.ts'
import { Chain, chainShape } from './chain.ts'

import { event, TransactionEvent } from './transactionEvent.ts'
import { TransactionMessage, txBody, typeOf } from './transactionMessage.ts'
import { feeOf, signersOf, TransactionFee, TransactionSigner } from './transactionSigner.ts'

// Upstream

/** A chain-native transaction on the wire. */
export const transaction = z.object({
  txhash: z.string(),
  height: integer,
  codespace: text,
  code: z.coerce.number().int(),
  data: text,
  raw_log: text,
  info: text,
  gas_wanted: integer,
  gas_used: integer,
  tx: txBody.nullish(),
  timestamp: moment,
  events: list(event),
})
export type TransactionRecord = z.output<typeof transaction>

/** A page of chain-native transactions. */
export const transactionsPage = pageOf('txs', transaction)

const transactionCall = (hash: string) =>
  get(path`/indexer/tx/v1/txs/${hash}`, record('tx', 'txhash', transaction), { isImmutable: true })

// Graph

/** A chain-native transaction with its record. */
export interface TransactionShape extends NodeShape<'Transaction'> {
  readonly chain: ServedChain
  readonly record: TransactionRecord
}

/** The graph's value for a transaction record. */
export const transactionShape = (
  chain: ServedChain,
  found: TransactionRecord,
): TransactionShape => ({ __typename: 'Transaction', chain, record: found })

/** The transaction of a hash in any spelling; null when it is not indexed. */
export async function loadTransaction(
  context: Context,
  chain: ServedChain,
  hash: string,
): Promise<TransactionShape | null> {
  const found = await context.scope.send(chain.indexer, transactionCall(nativeHash(hash)))
  return found && transactionShape(chain, found)
}

export const Transaction = nodeType<TransactionShape>('Transaction', {
  description: 'A chain-native transaction: messages executed together, or not at all.',
  keyOf: ({ chain, record: { txhash } }) => `${chain.chainId}/${txhash}`,
  load: (key, context) => {
    const found = splitKey(key, context)
    if (found === null) return null
    if (!/^[0-9A-F]{64}$/i.test(found.rest)) throw badInput('The id names no transaction.')
    return loadTransaction(context, found.chain, found.rest)
  },
  fields: (t) => ({
    chain: t.field({
      type: Chain,
      description: 'The chain it is on.',
      resolve: ({ chain }) => chainShape(chain),
    }),
    hash: t.field({
      type: 'Hash',
      description: 'Its hash: 64 upper-case hex digits.',
      resolve: (one) => one.record.txhash,
    }),
    height: t.field({
      type: 'BigInt',
      description: 'Height of the block it is in.',
      resolve: (one) => one.record.height,
    }),
    block: t.field({
      type: Block,
      nullable: true,
      description: 'The block it is in. Blocks asked together that lie together cost one request.',
      complexity: callCost,
      resolve: (one) => blockAt(one.chain, one.record.height),
    }),
    timestamp: t.field({
      type: 'DateTime',
      description: 'When its block was proposed.',
      resolve: (one) => one.record.timestamp,
    }),
    code: t.int({
      description: "0 when it succeeded, else the error's number within `codespace`.",
      resolve: (one) => one.record.code,
    }),
    codespace: t.string({
      description: 'The module whose error `code` is; empty when it succeeded.',
      resolve: (one) => one.record.codespace,
    }),
    isSuccessful: t.boolean({
      description:
        'Whether all its messages were executed; a failed one paid its fee all the same.',
      resolve: (one) => one.record.code === 0,
    }),
    gasWanted: t.field({
      type: 'BigInt',
      description: 'Gas it was allowed to use.',
      resolve: (one) => one.record.gas_wanted,
    }),
    gasUsed: t.field({
      type: 'BigInt',
      description: 'Gas it used.',
      resolve: (one) => one.record.gas_used,
    }),
    messages: t.field({
      type: [TransactionMessage],
      description: 'What it asked the chain to do, in order; empty when the body was not kept.',
      resolve: (one) => [...(one.record.tx?.body?.messages ?? [])],
    }),
    memo: t.string({
      description: 'The note its sender attached; mostly empty.',
      resolve: (one) => one.record.tx?.body?.memo ?? '',
    }),
    fee: t.field({
      type: TransactionFee,
      nullable: true,
      description: 'What it offered for its gas; null when the record does not say.',
      resolve: (one) => feeOf(one.chain, one.record),
    }),
    signers: t.field({
      type: [TransactionSigner],
      description: 'Who signed it, the fee payer first unless it names another.',
      resolve: (one) => signersOf(one.chain, one.record),
    }),
    events: t.field({
      type: [TransactionEvent],
      description: 'What its execution reported, in order.',
      args: {
        types: t.arg.stringList({ description: 'Only events of these types, such as `transfer`.' }),
      },
      resolve: (one, { types }) =>
        one.record.events.filter(({ type }) => types?.includes(type) ?? true),
    }),
    data: t.field({
      type: 'Hex',
      description: "The messages' results: upper-case hex without 0x; mostly empty.",
      resolve: (one) => one.record.data,
    }),
    rawLog: t.string({
      description: 'The error in words when it failed; empty otherwise.',
      resolve: (one) => one.record.raw_log,
    }),
    info: t.string({
      description: 'Notes of the node that executed it; mostly empty.',
      resolve: (one) => one.record.info,
    }),
  }),
})

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

builder.objectFields(Chain, (t) => ({
  transaction: t.field({
    type: Transaction,
    nullable: true,
    description: 'The chain-native transaction of a hash; null when it is not indexed.',
    args: { hash: t.arg({ type: 'Hash', required: true, description: 'In any case.' }) },
    complexity: callCost,
    resolve: ({ served }, { hash }, context) => loadTransaction(context, served, hash),
  }),
  transactions: t.field({
    type: TransactionConnection,
    nullable: true,
    description: 'Chain-native transactions in the order they were executed.',
    args: { ...pageArgs(), ...messageTypesArg },
    complexity: pageCost,
    resolve: ({ served }, args, context) => {
      const types = checkTypes(args.messageTypes)
      const accepts = hasMessageOf(types)
      return connect(
        context,
        served.indexer,
        {
          path: allPath,
          query: { msgs: types },
          page: transactionsPage,
          family: { keyset: 'sequence' },
          // The indexer drops types it has never seen, and with the last of them the whole filter.
          accepts,
          endsAtForeignPage: true,
          total: accepts ? () => countOfTypes(context, served, types, accepts) : 'count',
        },
        args,
        (one) => transactionShape(served, one),
      )
    },
  }),
}))

async function countOfTypes(
  context: Context,
  chain: ServedChain,
  types: readonly string[] | undefined,
  accepts: (one: TransactionRecord) => boolean,
): Promise<bigint | null> {
  const query = { msgs: types, 'pagination.limit': 1, 'pagination.count_total': true }
  const page = await context.scope.send(chain.indexer, get(allPath, transactionsPage, { query }))
  if (!page?.items.every(accepts)) return 0n
  return page.total !== null && page.total >= 0n ? page.total : null
}

/** Transactions of one account or block: real indexers fail on a type filter there, so it is ours. */
const connectFiltered = (
  context: Context,
  chain: ServedChain,
  list: { path: string; query?: { is_signer: true }; size?: bigint | undefined },
  args: PageArgs & { messageTypes?: string[] | null | undefined },
) => {
  const types = checkTypes(args.messageTypes)
  return connect(
    context,
    chain.indexer,
    {
      ...list,
      size: types ? undefined : list.size,
      page: transactionsPage,
      family: { keyset: 'sequence' },
      accepts: hasMessageOf(types),
      filter: types?.join(),
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
