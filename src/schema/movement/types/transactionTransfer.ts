import { builder, callCost } from '../../../engine/graphql/builder.ts'
import { Transaction } from '../../indexer/transaction/transaction.ts'
import { type TransactionRecord, typeOf } from '../../indexer/transaction/wire.ts'
import { loadTracked } from '../joined/loadTransfer.ts'
import { transferRef } from '../reported/transferRef.ts'
import { Transfer } from './transfer.ts'

/** Modules whose messages send nothing to another chain. */
const localModule =
  /^(?:cosmos\.(?:bank|distribution|evidence|feegrant|gov|slashing|staking|vesting)|initia\.(?:bank|distribution|gov|mstaking|reward))\./

/** Whether a transaction can have started a transfer: not if all its messages stay on the chain. */
function canLeave({ tx }: TransactionRecord): boolean {
  const messages = tx?.body?.messages ?? []
  return messages.length === 0 || messages.some((message) => !localModule.test(typeOf(message)))
}

builder.objectField(Transaction, 'transfer', (t) =>
  t.field({
    type: Transfer,
    nullable: true,
    description:
      'The transfer that it started. Null if unknown to the router. Tracks nothing. Costs one upstream request, and none for modules such as `bank`.',
    complexity: callCost,
    resolve: ({ chain, record }, _args, context) =>
      context.network.router && canLeave(record)
        ? loadTracked(context, transferRef(chain.chainId, record.txhash))
        : null,
  }),
)
