import { allSteps } from '#kit/steps'
import { bridgeStepsOf } from '#words/bridges/bridgeSteps'
import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { filterIterator } from '../../../engine/watch/iterators.ts'
import { Chain } from '../../chain/chain.ts'
import { chainShape } from '../../chain/knownChain.ts'
import { IndexedTransaction } from '../../indexer/indexedTransaction.ts'
import {
  type Activity,
  eventsAtOnce,
  followActivity,
  followArgs,
  followCost,
  toNotice,
  transactionOf,
} from '../../indexer/live/activity.ts'
import { LiveNotice } from '../../indexer/live/notice.ts'
import { isOf, stepsIn } from '../../indexer/transaction/bridgeSteps.ts'
import { transactionShape } from '../../indexer/transaction/transaction.ts'
import type { BridgeTransferShape } from '../joined/bridgeTransferShape.ts'
import { recordedTransfer } from '../joined/recordedTransfer.ts'
import { BridgeTransfer } from '../types/bridgeTransfer.ts'

/** Whether an event is a notice, or a transaction that may be a step of a bridge transfer. */
function mayHaveStep(activity: Activity): boolean {
  const record = transactionOf(activity)
  if (!record) return true
  try {
    const { events, tx } = record
    return allSteps(bridgeStepsOf({ messages: tx?.body?.messages ?? [], events })).length > 0
  } catch {
    // It has too much to read, which its event then says.
    return true
  }
}

/** The bridge transfers of the account that a transaction is a step of. */
async function transfersOf(activity: Activity, context: Context): Promise<BridgeTransferShape[]> {
  const { chain, account } = activity
  const record = transactionOf(activity)
  const steps = record ? await stepsIn(context, chain, record) : []
  return steps.filter((step) => isOf(step, account)).map((step) => recordedTransfer(context, chain, step))
}

const BridgeTransferEvent = builder.objectRef<Activity>('BridgeTransferEvent').implement({
  description: 'The steps of bridge transfers in one transaction, or a notice.',
  fields: (t) => ({
    cursor: t.value('String', 'Cursor of this event on all chains, for `after`.', ({ cursor }) => cursor()),
    chain: t.value(Chain, 'The chain of the transaction or notice.', ({ chain }) => chainShape(chain)),
    node: t.nullable(IndexedTransaction, 'The transaction, which names this event. Null for a notice.', (activity) => {
      const record = transactionOf(activity)
      return record && transactionShape(activity.chain, record)
    }),
    bridgeTransfers: t.nullable(
      [BridgeTransfer],
      'The bridge transfers that it began, delivered or ended. Empty for a notice.',
      (activity, _args, context) => transfersOf(activity, context),
    ),
    notice: t.nullable(
      LiveNotice,
      'Why a chain sends no transactions, or lacks one. Null for a transaction.',
      toNotice,
    ),
  }),
})

builder.subscriptionField('bridgeTransfers', (t) =>
  t.field({
    type: BridgeTransferEvent,
    description:
      'New steps of the bridge transfers of an account: when one departs, arrives, is refused or comes back. Each once, in order on each chain. Never completes. Its cursors are those of `activity`.',
    args: followArgs,
    complexity: followCost,
    extensions: { eventsAtOnce },
    subscribe: (_root, args, subscription) => filterIterator(followActivity(liveOf(subscription), args), mayHaveStep),
    resolve: (activity) => activity,
  }),
)
