import type { Steps } from '../kit/clock/steps.ts'
import type { BalanceChange } from './change.ts'
import { type BankChange, bankChanges, coinChange, readCoins } from './coins.ts'
import type { EventPart } from './events.ts'

/**
 * The payments of accounts for the execution itself: coins that moved outside of all messages. The bank module
 * reports them on every virtual machine, also if the transaction failed. An older node reports the fee and its
 * payer alone. A fee needs an event, since a transaction that is refused before its messages pays none.
 */
export function* feeChanges(parts: readonly EventPart[], maxCoins: number): Steps<BalanceChange[]> {
  const moved: BalanceChange[] = []
  const reported: BalanceChange[] = []
  for (const part of parts) {
    if (part.messageIndex !== null) continue
    yield
    for (const change of bankChanges(part, maxCoins)) moved.push(coinChange(change, 'FEE'))
    for (const change of reportedFee(part, maxCoins)) reported.push(coinChange(change, 'FEE'))
  }
  return moved.length > 0 ? moved : reported
}

function reportedFee({ type, values }: EventPart, maxCoins: number): BankChange[] {
  const address = type === 'tx' ? values.get('fee_payer') : undefined
  if (!address) return []
  return readCoins(values.get('fee') ?? '', maxCoins).map((coin) => ({
    ...coin,
    address,
    sign: -1n,
    messageIndex: null,
  }))
}
