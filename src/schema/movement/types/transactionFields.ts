import { isSameAddress } from '#words/addresses/bytes'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { TransactionAction } from '../../indexer/actions/transactionAction.ts'
import { findWrappingTransaction, linkCost } from '../../indexer/evm/cosmosEvmLink.ts'
import { EvmTransaction } from '../../indexer/evm/evmTransaction.ts'
import { IndexedTransaction } from '../../indexer/indexedTransaction.ts'
import { type FoundStep, stepsIn } from '../../indexer/transaction/bridgeSteps.ts'
import { Transaction } from '../../indexer/transaction/transaction.ts'
import type { TransactionRecord } from '../../indexer/transaction/wire.ts'
import { BalanceChange } from '../../router/balance/balanceChange.ts'
import type { BridgeTransferShape } from '../joined/bridgeTransferShape.ts'
import { hopTransfer } from '../joined/hopTransfer.ts'
import { recordedTransfer } from '../joined/recordedTransfer.ts'
import { BridgeTransfer } from './bridgeTransfer.ts'
import { TransferHop } from './hop.ts'

async function ofRecord(
  context: Context,
  chain: ServedChain,
  record: TransactionRecord,
): Promise<BridgeTransferShape[]> {
  const steps = await stepsIn(context, chain, record)
  return steps.map((step) => recordedTransfer(context, chain, step))
}

builder.objectField(Transaction, 'bridgeTransfers', (t) =>
  t.nullable(
    [BridgeTransfer],
    'The movements of coins between chains that it began, ended or delivered, over IBC and OPinit. Empty if none, or if it failed.',
    ({ chain, record }, _args, context) => ofRecord(context, chain, record),
  ),
)

builder.objectField(EvmTransaction, 'bridgeTransfers', (t) =>
  t.field({
    type: [BridgeTransfer],
    nullable: true,
    description: 'Those of the Cosmos transaction that carries it. Empty if that is not found.',
    complexity: linkCost,
    resolve: async (shape, _args, context) => {
      const record = await findWrappingTransaction(shape, context)
      return record ? ofRecord(context, shape.chain, record) : []
    },
  }),
)

builder.interfaceField(IndexedTransaction, 'bridgeTransfers', (t) =>
  t.field({
    type: [BridgeTransfer],
    nullable: true,
    description: 'Movements of coins between chains that it began, ended or delivered.',
    complexity: linkCost,
    resolve: (): never => {
      throw new Error('every type of transaction resolves its own fields')
    },
  }),
)

builder.objectField(TransferHop, 'bridgeTransfer', (t) =>
  t.field({
    type: BridgeTransfer,
    nullable: true,
    description:
      'The same movement by the records of both chains, or by the router alone where its first transaction is not indexed.',
    complexity: callCost,
    extensions: { late: ['transaction'] },
    resolve: (hop, _args, context) => hopTransfer(context, hop),
  }),
)

/** The only bridge transfer that a message of a transaction is a step of. Null if there is none, or several. */
async function ofMessage(
  context: Context,
  chain: ServedChain,
  record: TransactionRecord,
  isOf: (step: FoundStep) => boolean,
): Promise<BridgeTransferShape | null> {
  const [step, ...others] = (await stepsIn(context, chain, record)).filter(isOf)
  return step && others.length === 0 ? recordedTransfer(context, chain, step) : null
}

builder.objectField(TransactionAction, 'bridgeTransfer', (t) =>
  t.field({
    type: BridgeTransfer,
    nullable: true,
    description:
      'The movement of coins between chains that this message began, ended or delivered. Null if none, or several.',
    resolve: ({ chain, action, record }, _args, context) =>
      record === undefined || !action.kind.startsWith('BRIDGE_')
        ? null
        : ofMessage(context, chain, record, ({ path }) => String(path) === String(action.path)),
  }),
)

builder.objectField(BalanceChange, 'bridgeTransfer', (t) =>
  t.field({
    type: BridgeTransfer,
    nullable: true,
    description:
      'The movement of coins between chains that it is one end of. Null for others, and for several messages.',
    resolve: ({ chain, record, kind, account, messageIndex }, _args, context) =>
      kind !== 'COIN' || messageIndex === null
        ? null
        : ofMessage(context, chain, record, ({ sender, receiver, ...step }) => {
            const isParty = isSameAddress(sender, account) || isSameAddress(receiver, account)
            return step.messageIndex === messageIndex && isParty
          }),
  }),
)
