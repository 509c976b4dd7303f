import { bech32Of, toBech32 } from '../addresses/bytes.ts'
import { readCoins } from '../balanceChanges/coins.ts'
import type { ActionAmount } from './action.ts'

/** The fields of a message or of an object in it. Their types are unknown. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a value. None if it is no object. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The items of a list. None for any other value. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The text of a field, or the digits of its number. Null if it is empty or anything else. */
export function fieldText(fields: Fields, key: string): string | null {
  const value = fields[key]
  if (typeof value === 'string') return value || null
  return Number.isSafeInteger(value) ? String(value) : null
}

export const textsOf = (value: unknown): readonly string[] => itemsOf(value).filter((item) => typeof item === 'string')

/** A whole number that is not negative. Null for any other text. */
export const wholeOf = (text: string | null | undefined): bigint | null =>
  text && /^\d{1,78}$/.test(text) ? BigInt(text) : null

/** The coins of a field: one coin, or a list. None if one of them cannot be read. */
export function coinsIn(value: unknown): readonly ActionAmount[] {
  const items = Array.isArray(value) ? value : [value]
  const coins = items.flatMap((item): ActionAmount[] => {
    const fields = fieldsOf(item)
    const [denom, amount] = [fieldText(fields, 'denom'), wholeOf(fieldText(fields, 'amount'))]
    return denom && amount !== null ? [{ denom, amount }] : []
  })
  return coins.length === items.length ? coins : []
}

/** The coins of a text such as `5uinit,7ibc/ABC`. None if one of them cannot be read. */
export function coinsOfText(text: string | null | undefined): readonly ActionAmount[] {
  const coins = readCoins(text ?? '')
  return coins.length === text?.split(',').length ? coins : []
}

/** The fields that name who sent a message. The first of them is the actor. */
const actors = [
  ...['sender', 'signer', 'authority', 'from_address', 'depositor', 'delegator_address', 'owner'],
  ...['granter', 'admin', 'creator', 'proposer', 'submitter', 'voter', 'executor', 'relayer'],
  ...['pruner', 'address', 'recipient_address', 'from', 'delegator'],
]
const operators = ['validator_address', 'validator_addr']

/** Who sent a message, by the names that modules have for the sender. Null if it has none of them. */
export function actorOf(message: Fields): string | null {
  const find = (keys: readonly string[]) => keys.map((key) => fieldText(message, key)).find((text) => text !== null)
  const [proposer] = textsOf(message.proposers)
  return find(actors) ?? proposer ?? accountOfOperator(find(operators))
}

/**
 * The account of a validator, which has the same bytes as its operator. Null for an address of another form: chains write
 * `valoper`, or `cncl` as Crypto.org does, behind their prefix.
 */
export function accountOfOperator(operator: string | null | undefined): string | null {
  const parts = operator ? bech32Of(operator) : undefined
  const prefix = parts && /^(.+?)(?:valoper|cncl)$/.exec(parts.prefix)?.[1]
  return parts && prefix ? toBech32(parts.bytes, prefix) : null
}
