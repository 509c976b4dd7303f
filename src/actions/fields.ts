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

export const textsOf = (value: unknown): readonly string[] =>
  itemsOf(value).filter((item) => typeof item === 'string')

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
