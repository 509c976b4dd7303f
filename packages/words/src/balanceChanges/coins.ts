import { defaultBounds, UnboundedChanges } from './bound.ts'
import type { BalanceChange } from './change.ts'
import type { EventPart } from './events.ts'
import { hexAddress } from './owners.ts'

/** An amount of a denom in base units. */
interface CoinAmount {
  readonly denom: string
  readonly amount: bigint
}

/** Coins that an account lost or got, as the bank module reports. */
export interface BankChange extends CoinAmount {
  readonly address: string
  /** -1 for coins that were spent, 1 for coins that were received. */
  readonly sign: -1n | 1n
  readonly messageIndex: number | null
}

/**
 * The coins of a text such as `5uinit,7ibc/ABC`, with all denoms that the Cosmos SDK allows. Other parts of the
 * text are left out.
 * @throws UnboundedChanges if the text has too many parts.
 */
export function readCoins(text: string, maxCoins = defaultBounds.maxRows): CoinAmount[] {
  const parts = text.split(',', maxCoins + 1)
  if (parts.length > maxCoins) {
    throw new UnboundedChanges(`One of its texts has more than ${maxCoins} coins.`)
  }
  return parts.flatMap((part) => {
    const [, amount, denom] = /^(\d{1,78})([a-zA-Z][\w/:.+-]*)$/.exec(part.trim()) ?? []
    return amount && denom ? [{ amount: BigInt(amount), denom }] : []
  })
}

/**
 * The coins that the bank module moved, as one of its events reports them. `transfer`, `coinbase` and `burn` repeat these events,
 * so they are not counted.
 */
export function bankChanges({ type, values, messageIndex }: EventPart, maxCoins?: number): BankChange[] {
  const isSpent = type === 'coin_spent'
  if (!isSpent && type !== 'coin_received') return []
  const address = values.get(isSpent ? 'spender' : 'receiver')
  if (!address) return []
  const sign = isSpent ? -1n : 1n
  return readCoins(values.get('amount') ?? '', maxCoins).map(({ amount, denom }) => ({
    denom,
    amount,
    address,
    sign,
    messageIndex,
  }))
}

/** A change of coins that the bank module reports for an account. Rows by the thousands are made of it. */
export const coinChange = (
  { address, sign, denom, amount, messageIndex }: BankChange,
  kind: 'COIN' | 'FEE',
): BalanceChange => ({
  account: hexAddress(address),
  isOwnerKnown: true,
  kind,
  denom,
  contract: null,
  tokenId: null,
  object: null,
  amount: sign < 0n ? -amount : amount,
  messageIndex,
})
