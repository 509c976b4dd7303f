import { Repeater } from '@repeaterjs/repeater'
import { builder, callCost, type LiveContext } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { RequestScope } from '../../../engine/upstream/requestScope.ts'
import type { CacheRegion } from '../../../kit/cache/region.ts'
import { type AccountShape, accountAt } from '../../account/account.ts'
import { followActivity, followArgs, followCost } from '../../indexer/live/activity.ts'
import { type AccountBalances, AccountBalancesType, chosenChains, loadAllBalances } from './accountBalances.ts'
import { Balance } from './balance.ts'
import type { BalanceRecord } from './balanceLoader.ts'

/** How long the balances of an account are those of all who watch it, in milliseconds. It is also the time between two reads. */
const intervalMs = 3_000

const liveBalances: CacheRegion<AccountBalances> = { name: 'live balances', maxEntries: 10_000, ttlMs: intervalMs }

/** The balances of an account, and those that differ from the event before. */
interface BalancesChange {
  readonly all: AccountBalances
  readonly changed: readonly BalanceRecord[]
}

const keyOf = ({ chainId, denom }: BalanceRecord): string => `${chainId} ${denom}`

/**
 * The balances by chain and denom after a read, and those that it changed. A chain that could not be read keeps what it had. A
 * balance that is gone is 0.
 */
function merge(before: readonly BalanceRecord[], read: AccountBalances): BalancesChange {
  const silent = new Set(read.unavailable.map(({ chainId }) => chainId))
  const known = new Map(before.map((each) => [keyOf(each), each]))
  const found = new Set(read.balances.map(keyOf))
  const isNew = (each: BalanceRecord) => {
    const old = known.get(keyOf(each))
    return !old || old.amount !== each.amount || old.error !== each.error
  }
  const kept = before.filter(({ chainId }) => silent.has(chainId))
  const gone = before.filter((each) => !silent.has(each.chainId) && !found.has(keyOf(each)))
  const zeros = gone.map((each): BalanceRecord => ({ ...each, amount: 0n, value_usd: '0', error: null }))
  return {
    all: { ...read, balances: [...read.balances, ...kept] },
    changed: [...read.balances.filter(isNew), ...zeros],
  }
}

/** Reads the balances of an account for all who watch it. */
function readLive(context: LiveContext, account: AccountShape, chainIds: readonly string[]): Promise<AccountBalances> {
  const { client } = context.scope.requester
  const key = JSON.stringify([account.bytes, chainIds])
  return context.cache.open(liveBalances).fetch(key, async (signal) => {
    const scope = new RequestScope(signal, context, { client })
    try {
      return await loadAllBalances({ ...context, scope }, account, chainIds)
    } finally {
      scope.close()
    }
  })
}

/** The balances, then each change of them: they are read again after a transaction of the account, at most once an interval. */
function watchBalances(
  context: LiveContext,
  account: AccountShape,
  args: Parameters<typeof followActivity>[1],
): AsyncIterableIterator<BalancesChange> {
  const { clock } = context
  const chainIds = chosenChains(context, args.chainIds)
  return new Repeater<BalancesChange>(async (push, stop) => {
    const activity = followActivity(context, args)
    let isOver = false
    let cancel = () => {}
    let known: readonly BalanceRecord[] = []
    let isDue = false
    stop.then(() => {
      isOver = true
      cancel()
      void activity.return?.()
    })
    const read = async () => {
      isDue = false
      try {
        const change = merge(known, await readLive(context, account, chainIds))
        if (isOver) return
        const isFirst = known.length === 0
        known = change.all.balances
        if (isFirst || change.changed.length > 0) void push(change)
      } catch (error) {
        stop(error)
      }
    }
    await read()
    try {
      for await (const { event } of activity) {
        if (event.kind !== 'record' || isDue) continue
        isDue = true
        cancel = clock.after(intervalMs, () => void read())
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
    balances: t.value(AccountBalancesType, 'All balances now.', ({ all }) => all),
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
      'The balances of an account, then each change. They are read again three seconds after a transaction that names the account, once for all who watch it, and never by a timer. Never completes.',
    args: followArgs,
    complexity: (args, context) => followCost(args, context) + 20 * callCost,
    subscribe: (_root, args, subscription) => {
      const context = liveOf(subscription)
      return watchBalances(context, accountAt(context.network, args.address), args)
    },
    resolve: (change) => change,
  }),
)
