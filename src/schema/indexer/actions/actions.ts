import type { Steps } from '#kit/steps'
import { actionOfReceipt, actionsOf } from '#words/actions/actions'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { findWrappingTransaction, linkCost } from '../evm/cosmosEvmLink.ts'
import { EvmTransaction, type EvmTransactionShape } from '../evm/evmTransaction.ts'
import { IndexedTransaction } from '../indexedTransaction.ts'
import { readRecord } from '../readRecord.ts'
import { Transaction } from '../transaction/transaction.ts'
import { allEventsOf, type TransactionRecord } from '../transaction/wire.ts'
import { type ActionShape, TransactionAction } from './transactionAction.ts'

/** The actions of a record. None if the indexer does not keep the messages. */
const ofRecord = (context: Context, chain: ServedChain, record: TransactionRecord) =>
  readRecord(context, 'actions', readActions(chain, record))

function* readActions(chain: ServedChain, record: TransactionRecord): Steps<ActionShape[]> {
  const { code, tx } = record
  const events = allEventsOf(chain, record)
  const transaction = { vm: chain.vm, events }
  const messages = tx?.body?.messages ?? []
  const actions = yield* actionsOf({ isSuccessful: code === 0, messages, events })
  return actions.map((action) => ({ chain, action, transaction, record }))
}

function* readReceipt({ chain, record }: EvmTransactionShape): Steps<ActionShape[]> {
  const action = yield* actionOfReceipt({
    isSuccessful: record.status === 1n,
    from: record.from,
    to: record.to,
    createdContract: record.contractAddress,
    logs: record.logs,
  })
  return [{ chain, transaction: { vm: 'EVM', events: [] }, action }]
}

builder.objectField(Transaction, 'actions', (t) =>
  t.nullable(
    [TransactionAction],
    'Actions of its messages, also of those inside others. Work of a relayer is one, at the end. Empty without a body.',
    ({ chain, record }, _args, context) => ofRecord(context, chain, record),
  ),
)

builder.objectField(EvmTransaction, 'actions', (t) =>
  t.field({
    type: [TransactionAction],
    nullable: true,
    description: 'Actions of the Cosmos transaction that carries it, else by its logs alone.',
    complexity: linkCost,
    resolve: async (shape, _args, context) => {
      const wrappingTransaction = await findWrappingTransaction(shape, context)
      return wrappingTransaction
        ? ofRecord(context, shape.chain, wrappingTransaction)
        : readRecord(context, 'actions', readReceipt(shape))
    },
  }),
)

builder.interfaceField(IndexedTransaction, 'actions', (t) =>
  t.field({
    type: [TransactionAction],
    nullable: true,
    description: 'Actions, in words and in parts.',
    complexity: linkCost,
    resolve: (): never => {
      throw new Error('every type of transaction resolves its own fields')
    },
  }),
)
