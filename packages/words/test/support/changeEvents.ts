import type { BalanceChange } from '../../src/balanceChanges/change.ts'
import type { ChainEvent } from '../../src/balanceChanges/events.ts'

type Values = Readonly<Record<string, string>>

/** An event of a transaction. Without an index it comes before all messages. */
export const event = (type: string, values: Values, messageIndex?: number): ChainEvent => ({
  type,
  attributes: Object.entries(messageIndex === undefined ? values : { ...values, msg_index: String(messageIndex) }).map(
    ([key, value]) => ({ key, value }),
  ),
})

/** An event of a Move module, by default in message 0. */
export const moveEvent = (tag: string, data: Values, messageIndex: number | null = 0) =>
  event('move', { type_tag: tag, data: JSON.stringify(data) }, messageIndex ?? undefined)

/** The events with which the bank module reports coins that it moved. */
export const bankEvents = (
  [sender, recipient]: readonly [string, string],
  amount: string,
  messageIndex?: number,
): ChainEvent[] => [
  event('coin_spent', { spender: sender, amount }, messageIndex),
  event('coin_received', { receiver: recipient, amount }, messageIndex),
  event('transfer', { recipient, sender, amount }, messageIndex),
]

/** An account of 20 bytes: 0x, and the digit forty times. */
export const person = (digit: string): string => `0x${digit.repeat(40)}`

/** What a test says of a change: all but what is empty. */
export const shown = (changes: readonly BalanceChange[]) =>
  changes.map(({ account, store, kind, denom, contract, tokenId, object, ...rest }) => ({
    whose: account ?? store ?? null,
    what: [kind, denom ?? contract ?? object, tokenId].filter((part) => part !== null).join(' '),
    ...(rest.isOwnerKnown ? {} : { unknown: true }),
    amount: rest.amount,
    at: rest.messageIndex,
  }))
