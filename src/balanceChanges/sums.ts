import type { BalanceChange } from './change.ts'

/**
 * One change for each account and asset, in the order of their first appearance, losses first. Changes that
 * cancel each other out are left out. Those without an owner are summed by their store.
 */
export function summed(changes: readonly BalanceChange[]): BalanceChange[] {
  const sums = new Map<string, BalanceChange>()
  for (const change of changes) {
    const key = keyOf(change)
    const sum = sums.get(key)
    sums.set(key, sum ? added(sum, change) : change)
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

const keyOf = ({ account, store, kind, denom, contract, tokenId, object }: BalanceChange): string =>
  JSON.stringify([account, store, kind, denom ?? contract, tokenId, object])
