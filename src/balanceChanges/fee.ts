import { type BalanceChange, coinAsset } from './change.ts'
import { type BankChange, bankChanges, readCoins } from './coins.ts'
import type { EventPart } from './events.ts'
import { ownerOf } from './owners.ts'

/**
 * The payments of accounts for the execution itself: coins that moved outside of all messages. The bank module
 * reports them on every virtual machine, also if the transaction failed. An older node reports the fee and its
 * payer alone. A fee needs an event, since a transaction that is refused before its messages pays none.
 */
export function feeChanges(parts: readonly EventPart[]): BalanceChange[] {
  const outside = parts.filter(({ messageIndex }) => messageIndex === null)
  const moved = bankChanges(outside)
  return (moved.length > 0 ? moved : reportedFees(outside)).map(
    ({ address, sign, amount, denom }) => ({
      ...ownerOf(address),
      ...coinAsset(denom),
      kind: 'FEE',
      amount: sign * amount,
      messageIndex: null,
    }),
  )
}

const reportedFees = (parts: readonly EventPart[]): BankChange[] =>
  parts.flatMap(({ type, values }) => {
    const address = values.get('fee_payer')
    if (type !== 'tx' || !address) return []
    return readCoins(values.get('fee') ?? '').map((coin) => ({
      ...coin,
      address,
      sign: -1n,
      messageIndex: null,
    }))
  })
