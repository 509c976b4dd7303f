import type { EventPart } from './events.ts'

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
 */
export const readCoins = (text: string): CoinAmount[] =>
  text.split(',').flatMap((part) => {
    const [, amount, denom] = /^(\d{1,78})([a-zA-Z][\w/:.+-]*)$/.exec(part.trim()) ?? []
    return amount && denom ? [{ amount: BigInt(amount), denom }] : []
  })

/**
 * The coins that the bank module moved. `transfer`, `coinbase` and `burn` repeat these events, so they are not
 * counted.
 */
export const bankChanges = (parts: readonly EventPart[]): BankChange[] =>
  parts.flatMap(({ type, values, messageIndex }): BankChange[] => {
    const isSpent = type === 'coin_spent'
    if (!isSpent && type !== 'coin_received') return []
    const address = values.get(isSpent ? 'spender' : 'receiver')
    if (!address) return []
    const sign = isSpent ? -1n : 1n
    return readCoins(values.get('amount') ?? '').map((coin) => ({
      ...coin,
      address,
      sign,
      messageIndex,
    }))
  })
