import type { Fact, Trade } from './fact.ts'
import type { Action } from './koinlyEdge.ts'

/**
 * The loss and the gain of each swap, and what else moved. A swap is told by its amounts, or else by being all that the
 * account did by its message.
 */
export function takeTrades(
  facts: readonly Fact[],
  own: readonly Action[],
): { readonly trades: readonly Trade[]; readonly others: readonly Fact[] } {
  const others = [...facts]
  const trades = own
    .filter(({ kind }) => kind === 'SWAP')
    .flatMap((swap): readonly Trade[] => {
      const isOf = ({ messageIndex }: { readonly messageIndex: number | null }) => messageIndex === swap.messageIndex
      const moved = others.filter(({ change }) => isOf(change))
      const trade = toldTrade(moved, swap) ?? (own.filter(isOf).length === 1 ? onlyTrade(moved) : undefined)
      if (!trade) return []
      for (const fact of [trade.sent, trade.received]) others.splice(others.indexOf(fact), 1)
      return [trade]
    })
  return { trades, others }
}

function toldTrade(moved: readonly Fact[], { amounts, receivedAmounts }: Action): Trade | undefined {
  const [paid, ...morePaid] = amounts ?? []
  const [got, ...moreGot] = receivedAmounts ?? []
  if (!paid || !got || morePaid.length > 0 || moreGot.length > 0) return undefined
  const find = (denom: string, amount: bigint) => moved.find((fact) => fact.assetId === denom && fact.amount === amount)
  const [sent, received] = [find(paid.denom, -BigInt(paid.amount)), find(got.denom, BigInt(got.amount))]
  return sent && received && { sent, received }
}

function onlyTrade(moved: readonly Fact[]): Trade | undefined {
  const [sent, ...losses] = moved.filter(({ amount }) => amount < 0n)
  const [received, ...gains] = moved.filter(({ amount }) => amount > 0n)
  return sent && received && losses.length === 0 && gains.length === 0 ? { sent, received } : undefined
}
