import type { Steps } from '../kit/clock/steps.ts'
import { UnboundedChanges } from './bound.ts'
import type { BalanceChange } from './change.ts'

/**
 * One change for each account and asset, in the order of their first appearance, losses first. Changes that
 * cancel each other out are left out. Those without an owner are summed by their store.
 * @throws UnboundedChanges if too many balances change.
 */
export function* summed(
  changes: readonly BalanceChange[],
  maxRows: number,
): Steps<BalanceChange[]> {
  const sums = new Map<string, BalanceChange>()
  for (const change of changes) {
    yield
    const key = keyOf(change)
    const sum = sums.get(key)
    sums.set(key, sum ? added(sum, change) : change)
    if (sums.size > maxRows) {
      throw new UnboundedChanges(`It changes more than ${maxRows} balances.`)
    }
  }
  const all = [...sums.values()].filter(({ amount }) => amount !== 0n)
  return [...all.filter(({ amount }) => amount < 0n), ...all.filter(({ amount }) => amount > 0n)]
}

const added = (sum: BalanceChange, change: BalanceChange): BalanceChange => ({
  ...sum,
  // One sure part does not make the whole sure.
  isOwnerKnown: sum.isOwnerKnown && change.isOwnerKnown,
  amount: sum.amount + change.amount,
  messageIndex: sum.messageIndex === change.messageIndex ? sum.messageIndex : null,
})

function keyOf({ account, store, kind, denom, contract, tokenId, object }: BalanceChange): string {
  if (store !== undefined || tokenId !== null || object !== null) {
    return JSON.stringify([account, store, kind, denom ?? contract, tokenId, object])
  }
  // Most changes are of coins, and JSON takes longer than all else. The length says where the asset ends.
  const asset = denom ?? contract ?? ''
  return `${kind} ${asset.length} ${asset} ${account}`
}
