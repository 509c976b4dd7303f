// Answers of tools are bounded, and text from chains is made harmless for the agents that read it.

/** The most rows of a list, and the most bytes of an answer as JSON in UTF-8. */
export const maxRows = 10
export const maxBytes = 24_000

/** The longest text of a value, in characters: of a concise answer, and of a full one. */
const maxText = { concise: 200, full: 2_000 }

/** How long the texts of an answer are. */
export type Detail = keyof typeof maxText

/** Control characters, invisible characters, and marks that change the direction of text (Unicode 16, Cf and Cc). */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** Any JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** A value without unseen characters, whose texts have at most this many characters, and whose nulls are left out. */
export function clean(value: unknown, detail: Detail): Json {
  if (typeof value === 'string') {
    const text = value.replace(unseen, '')
    const limit = maxText[detail]
    return text.length > limit ? `${text.slice(0, limit - 1)}…` : text
  }
  if (Array.isArray(value)) return value.map((item) => clean(item, detail))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, item]) => item !== null && item !== undefined)
    return Object.fromEntries(entries.map(([key, item]) => [key.replace(unseen, ''), clean(item, detail)]))
  }
  return typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** A value within the bounds, and whether something had to be left out. */
export interface Bounded {
  readonly value: { readonly [key: string]: Json }
  readonly isCut: boolean
}

const bytesOf = (value: Json): number => Buffer.byteLength(JSON.stringify(value))

interface Place {
  readonly path: readonly string[]
  readonly bytes: number
}

/** The largest list of more than one item. Undefined if there is none. */
function largestList(value: Json, path: readonly string[] = []): Place | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const own = isList(value) && value.length > 1 ? [{ path, bytes: bytesOf(value) }] : []
  const inner = Object.entries(value).map(([key, item]) => largestList(item, [...path, key]))
  return [...inner, ...own]
    .filter((place) => place !== undefined)
    .reduce<Place | undefined>((best, place) => (best && best.bytes >= place.bytes ? best : place), undefined)
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value)

/** The value with another list at a path, which has half of its items. */
function halve(value: Json, [key, ...rest]: readonly string[]): Json {
  if (key === undefined) return isList(value) ? value.slice(0, Math.ceil(value.length / 2)) : value
  if (isList(value)) return value.map((item, index) => (String(index) === key ? halve(item, rest) : item))
  if (typeof value !== 'object' || value === null) return value
  return { ...value, [key]: halve(value[key] ?? null, rest) }
}

/** Cuts lists to the most rows, and then halves the largest list until the answer is small enough. */
export function bound(answer: { readonly [key: string]: Json }, bytes = maxBytes): Bounded {
  let isCut = false
  const firstRows = (value: Json): Json => {
    if (typeof value !== 'object' || value === null) return value
    if (!isList(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, firstRows(item)]))
    if (value.length > maxRows) isCut = true
    return value.slice(0, maxRows).map(firstRows)
  }
  let value = firstRows(answer)
  while (bytesOf(value) > bytes) {
    isCut = true
    const place = largestList(value)
    // An answer without a list has a few short texts.
    if (!place) break
    value = halve(value, place.path)
  }
  return { value: value as Bounded['value'], isCut }
}
