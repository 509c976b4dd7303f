import { actionOfReceipt, actionsOf } from '../../../actions/actions.ts'
import { builder } from '../../../graphql/builder.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { linkCost, wrappingTransactionOf } from '../evm/cosmosEvmLink.ts'
import { EvmTransaction, type EvmTransactionShape } from '../evm/evmTransaction.ts'
import { IndexedTransaction } from '../indexedTransaction.ts'
import { Transaction } from '../transaction/transaction.ts'
import type { TransactionRecord } from '../transaction/wire.ts'
import { type ActionShape, TransactionAction } from './transactionAction.ts'

/** The actions of a record. None if the indexer does not keep the messages. */
function ofRecord(chain: ServedChain, { code, tx, events }: TransactionRecord): ActionShape[] {
  const transaction = { vm: chain.vm, events }
  const messages = tx?.body?.messages ?? []
  return actionsOf({ isSuccessful: code === 0, messages, events }).map((action) => ({
    chain,
    action,
    transaction,
  }))
}

const ofReceipt = ({ chain, record }: EvmTransactionShape): ActionShape => ({
  chain,
  transaction: { vm: 'EVM', events: [] },
  action: actionOfReceipt({
    isSuccessful: record.status === 1n,
    from: record.from,
    to: record.to,
    createdContract: record.contractAddress,
    logs: record.logs,
  }),
})

builder.objectField(Transaction, 'actions', (t) =>
  t.field({
    type: [TransactionAction],
    nullable: true,
    description:
      'Actions of its messages, also of those inside others. Work of a relayer is one, at the end. Empty without a body.',
    resolve: ({ chain, record }) => ofRecord(chain, record),
  }),
)

builder.objectField(EvmTransaction, 'actions', (t) =>
  t.field({
    type: [TransactionAction],
    nullable: true,
    description: 'Actions of the Cosmos transaction that carries it, else by its logs alone.',
    complexity: linkCost,
    resolve: async (shape, _args, context) => {
      const wrappingTransaction = await wrappingTransactionOf(shape, context)
      return wrappingTransaction ? ofRecord(shape.chain, wrappingTransaction) : [ofReceipt(shape)]
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
