import type { Quirks } from '../chains.ts'
import type { Series } from '../world/series.ts'
import { HttpError } from './httpError.ts'
import { type KeyCodec, plainKeys } from './keys.ts'

/** The position that a page key names. `misfit` is a key with an unusable value, which returns the first page. */
type Key =
  | { readonly kind: 'none' }
  /** `decimal` is false for a JSON object without a known field, which starts at the first row. */
  | { readonly kind: 'offset'; readonly decimal: boolean }
  | { readonly kind: 'sequence' | 'height'; readonly value: number }
  | { readonly kind: 'token'; readonly value: number; readonly tokenId: string }
  | { readonly kind: 'misfit'; readonly of: 'sequence' | 'height' | 'token' }

/** The page that a client requests. */
export interface PageRequest {
  readonly limit: number
  /** Rows to skip. A decimal key overrides the parameter. */
  readonly offset: number
  readonly countTotal: boolean
  /** Descending order, the default. */
  readonly reverse: boolean
  readonly key: Key
  /** Whether the last page of a keyset list has no key. */
  readonly isEndKeyless: boolean
  encodeKey(text: string): string
}

/** The rows of one page, with the keys of the previous and the next page. */
export interface Page<T> {
  readonly rows: readonly T[]
  readonly previousKey: string | null
  readonly nextKey: string | null
}

/** A list of rows with ascending numbers: the members of the series from `low` to `high`. */
export interface KeysetList {
  readonly field: 'sequence' | 'height'
  readonly series: Series
  readonly low: number
  readonly high: number
}

const maxLimit = 1000

/** Reads the `pagination.*` parameters. Each is as lenient or as strict as in the real indexer. */
export function readPageRequest(query: URLSearchParams, quirks: Quirks = {}, codec: KeyCodec = plainKeys): PageRequest {
  const requested = integer(query.get('pagination.limit')) ?? 100
  const limit = Math.min(requested, quirks.maxLimit ?? requested)
  if (limit < 1 || limit > maxLimit) {
    throw new HttpError(400, `pagination.limit must be between 1 and ${maxLimit}`)
  }
  const offset = integer(query.get('pagination.offset')) ?? 0
  if (offset < 0) throw new HttpError(400, 'pagination.offset cannot be negative')
  const reverse = flag(query.get('pagination.reverse'))
  const text = query.get('pagination.key')
  const decoded = text ? codec.decode(text, reverse).trim() : ''
  const key = text ? readKey(decoded) : ({ kind: 'none' } as const)
  return {
    limit,
    offset: key.kind === 'offset' && key.decimal ? Number(decoded) : offset,
    countTotal: flag(query.get('pagination.count_total')),
    reverse,
    key,
    isEndKeyless: quirks.keylessEnd ?? false,
    encodeKey: (plain) => codec.encode(plain, reverse),
  }
}

/** A page of a keyset list. Every page with a row has a next key, even the last one, unless a quirk says otherwise. */
export function keysetPage(request: PageRequest, list: KeysetList): Page<number> {
  const { key, limit, reverse, isEndKeyless, encodeKey } = request
  let { low, high } = list
  const keyed = key.kind === list.field
  if (key.kind === list.field) {
    if (reverse) high = Math.min(high, key.value - 1)
    else low = Math.max(low, key.value + 1)
  }
  const skipped = keyed ? 0 : request.offset
  const bounds = { series: list.series, low, high }
  // One more shows whether the page is the last one.
  const wanted = { reverse, skipped, count: limit + 1 }
  const found = rowsNear(bounds, wanted) ?? rowsByRank(bounds, wanted)
  const rows = found.slice(0, limit)
  const end = rows.at(-1)
  if (key.kind === 'offset' && !key.decimal) return { rows, ...offsetKeys(request, rows.length) }
  if (end !== undefined) {
    const isKeyless = isEndKeyless && found.length <= limit
    return {
      rows,
      previousKey: null,
      nextKey: isKeyless ? null : encodeKey(`{"${list.field}":${end}}`),
    }
  }
  return { rows, ...(keyed ? { previousKey: null, nextKey: null } : offsetKeys(request, 0)) }
}

/** Which rows of a list to find. */
interface Wanted {
  readonly reverse: boolean
  readonly skipped: number
  readonly count: number
}

/** The most positions that are looked at one by one. A busy account is named in every tenth transaction. */
const maxNear = 1_200

/**
 * The rows that are near the start of a list. Undefined if there are too few of them. To rank an account in a list reads all
 * transactions of a period, which is a second of work for the first account.
 */
function rowsNear(
  { series, low, high }: Omit<KeysetList, 'field'>,
  { reverse, skipped, count }: Wanted,
): number[] | undefined {
  const start = reverse ? high : Math.max(1, low)
  const all: number[] = []
  for (let looked = 0; all.length < skipped + count; looked++) {
    const at = reverse ? start - looked : start + looked
    if (at < Math.max(1, low) || at > high) break
    if (looked === maxNear) return undefined
    if (series.has(at)) all.push(at)
  }
  return all.slice(skipped)
}

/** The rows of a list by their ranks in it. */
function rowsByRank({ series, low, high }: Omit<KeysetList, 'field'>, { reverse, skipped, count }: Wanted): number[] {
  const before = series.rank(low - 1)
  const last = series.rank(high)
  const length = Math.max(0, Math.min(count, last - before - skipped))
  return Array.from({ length }, (_, index) =>
    series.at(reverse ? last - skipped - index : before + 1 + skipped + index),
  )
}

/** The number of rows of a keyset list. */
export function keysetCount({ series, low, high }: KeysetList): number {
  return Math.max(0, series.rank(high) - series.rank(low - 1))
}

/** A page by offset, of rows in ascending order. Only a full page has a next key. */
export function offsetPage<T>(request: PageRequest, ascending: readonly T[]): Page<T> {
  const rows = sliceOf(request, ascending, request.offset)
  return { rows, ...offsetKeys(request, rows.length) }
}

/** A page of rows that the key of the request already bounds. The next key is the cursor of the last row. */
export function boundedPage<T>(
  request: PageRequest,
  ascending: readonly T[],
  offset: number,
  cursorOf: (row: T) => unknown,
): Page<T> {
  const rows = sliceOf(request, ascending, offset)
  const end = rows.at(-1)
  const nextKey = end === undefined ? null : request.encodeKey(JSON.stringify(cursorOf(end)))
  return { rows, previousKey: null, nextKey }
}

function sliceOf<T>(request: PageRequest, ascending: readonly T[], offset: number): readonly T[] {
  const ordered = request.reverse ? ascending.toReversed() : ascending
  return ordered.slice(offset, offset + request.limit)
}

function offsetKeys({ limit, offset, encodeKey }: PageRequest, rows: number) {
  return {
    previousKey: offset > 0 && offset >= limit ? encodeKey(String(offset - limit)) : null,
    nextKey: rows === limit ? encodeKey(String(offset + limit)) : null,
  }
}

function readKey(text: string): Key {
  if (!text.startsWith('{')) {
    if (integer(text) === undefined || !/^\d/.test(text)) {
      throw new HttpError(400, 'pagination.key must decode to a nonnegative integer')
    }
    return { kind: 'offset', decimal: true }
  }
  const { sequence, height, token_id: tokenId } = readObject(text)
  if (sequence !== undefined) return cursor('sequence', sequence)
  if (height === undefined) return { kind: 'offset', decimal: false }
  if (tokenId === undefined) return cursor('height', height)
  return isInt64(height) && typeof tokenId === 'string'
    ? { kind: 'token', value: height, tokenId }
    : { kind: 'misfit', of: 'token' }
}

function cursor(kind: 'sequence' | 'height', value: unknown): Key {
  return isInt64(value) ? { kind, value } : { kind: 'misfit', of: kind }
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, 'invalid pagination.key format')
  }
}

function isInt64(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 63
}

/** A decimal integer. Undefined if it does not fit in 64 bits. */
function integer(text: string | null): number | undefined {
  if (text === null || !/^[+-]?\d+$/.test(text)) return undefined
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? Number(value) : undefined
}

function flag(text: string | null): boolean {
  return !['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text ?? 'true')
}
