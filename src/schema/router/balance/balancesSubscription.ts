import { Repeater } from '@repeaterjs/repeater'
import { builder, callCost, type LiveContext } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { selectedFields } from '../../../engine/graphql/selection.ts'
import { pause } from '../../../kit/clock/clock.ts'
import { SignalSource } from '../../../kit/clock/signal.ts'
import { type AccountShape, accountAt } from '../../account/account.ts'
import { reportUnavailable } from '../../indexer/accounts/unavailable.ts'
import { followActivity, followArgs, followCost } from '../../indexer/live/activity.ts'
import { AccountBalancesType, chosenChains } from './accountBalances.ts'
import { Balance } from './balance.ts'
import { type BalancesChange, BalanceWatch } from './balanceWatch.ts'

/** How long the first read of the balances waits until all chains are followed, in milliseconds. */
const startMs = 1_000

/**
 * The balances, then each change of them. The chains are followed before the balances are read, so that no transaction falls
 * between the two. A chain that is followed later has them read again.
 */
function watchBalances(
  context: LiveContext,
  account: AccountShape,
  args: Parameters<typeof followActivity>[1],
): AsyncIterableIterator<BalancesChange> {
  const { clock } = context
  const chainIds = chosenChains(context, args.chainIds)
  return new Repeater<BalancesChange>(async (push, stop) => {
    const watch = new BalanceWatch(context, account, chainIds, (change) => void push(change))
    const unplaced = new Set(args.chainIds ?? context.network.chains.keys())
    const placed = new SignalSource()
    let hasRead = false
    const activity = followActivity(context, args, (chainId) => {
      unplaced.delete(chainId)
      if (hasRead) watch.expectChange()
      else if (unplaced.size === 0) placed.abort()
    })
    stop.then(() => {
      placed.abort()
      watch.close()
      void activity.return?.()
    })
    try {
      let next = activity.next()
      next.catch(() => placed.abort())
      await pause(clock, startMs, placed).catch(() => {})
      hasRead = true
      await watch.start()
      for (let result = await next; !result.done; result = await next) {
        next = activity.next()
        next.catch(() => {})
        await watch.follow(result.value)
      }
      stop()
    } catch (error) {
      stop(error)
    }
  })
}

const BalancesEvent = builder.objectRef<BalancesChange>('BalancesEvent').implement({
  description: 'The balances of an account after a change.',
  fields: (t) => ({
    balances: t.field({
      type: AccountBalancesType,
      description: 'All balances now.',
      resolve: ({ all }, _args, context, info) => {
        reportUnavailable(context, info, all.unavailable)
        return all
      },
    }),
    changed: t.value(
      [Balance],
      'Changed balances: 0 for a removed one. The first event has all.',
      ({ changed }) => changed,
    ),
  }),
})

builder.subscriptionField('balances', (t) =>
  t.field({
    type: BalancesEvent,
    description:
      'The balances of an account, then each change. They are read again three seconds after a transaction that names the account, and up to five times more until they show what it did. Never completes.',
    args: followArgs,
    complexity: (args, context) => followCost(args, context) + 20 * callCost,
    subscribe: (_root, args, subscription) => {
      const context = liveOf(subscription)
      return watchBalances(context, accountAt(context.network, args.address), args)
    },
    resolve: (change, _args, context, info) => {
      // The changes alone do not say which chains they are of.
      if (!selectedFields(info).has('balances')) reportUnavailable(context, info, change.all.unavailable)
      return change
    },
  }),
)
