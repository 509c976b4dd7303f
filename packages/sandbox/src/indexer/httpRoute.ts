import { parseAddress } from '../address.ts'
import type { World } from '../world/world.ts'
import { HttpError } from './httpError.ts'
import type { Page, PageRequest } from './paging.ts'

/** What a route reads to build its response. */
export interface RouteContext {
  readonly world: World
  readonly query: URLSearchParams
  /** Reads the paging parameters. Throws an HttpError if one is invalid. */
  page(): PageRequest
}

/** A GET route. `answer` takes the parameters of the path, never percent-decoded, and returns the JSON body. */
export interface Route {
  /** `{name}` is a parameter of one path segment. */
  readonly path: string
  readonly summary: string
  readonly isList: boolean
  /** Query parameters other than those of paging. */
  readonly filters?: readonly string[]
  answer(context: RouteContext, first: string, second: string): unknown
}

/** The body of a list response. */
export function listBody<T>(name: string, page: Page<T>, total: number | string) {
  return {
    [name]: page.rows,
    pagination: { previous_key: page.previousKey, next_key: page.nextKey, total: String(total) },
  }
}

/** A total as the indexer returns it: "0" if not requested, "-1" if counting takes too long. */
export function countedTotal({ world }: RouteContext, request: PageRequest, count: () => number): string {
  if (!request.countTotal) return '0'
  return world.chain.quirks?.totals === 'timeout' ? '-1' : String(count())
}

/** Reads a height from a path. */
export function readHeight(text: string): number {
  const invalid = (why: string) =>
    new HttpError(400, `[INVALID_VALUE] invalid value for height: ${text} (must be a ${why} integer)`)
  if (!/^[+-]?\d+$/.test(text)) throw invalid('valid')
  const height = Number(text)
  if (Math.abs(height) >= 2 ** 63) throw invalid('valid')
  if (height < 1) throw invalid('positive')
  return height
}

/** Reads an account from a path, as 0x hex. */
export function readAccount({ world }: RouteContext, text: string): string {
  const address = parseAddress(text, world.chain.bech32Prefix)
  if (address !== undefined) return address
  const why = '(invalid address format)'
  throw new HttpError(400, `[INVALID_VALUE] invalid value for account: ${text} ${why}`)
}

/** Reads the address of a collection from a path or query, as 0x hex. */
export function readCollection({ world }: RouteContext, text: string): string {
  const { bech32Prefix } = world.chain
  const address = parseAddress(text, bech32Prefix)
  if (address !== undefined) return address
  const bad = /[^0-9a-f]/iu.exec(text.replace(/^0x/, ''))?.[0]
  if (bad === undefined || text.startsWith(`${bech32Prefix}1`)) {
    throw new HttpError(400, `[INVALID_VALUE] invalid value for address: ${text}`)
  }
  const point = (bad.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  throw new HttpError(400, `encoding/hex: invalid byte: U+${point} '${bad}'`)
}

/** Reads a hash from a path, as lower-case hex without 0x. Any length passes: the look-up then finds nothing. */
export function readHash(text: string): string {
  const digits = text.replace(/^0x/, '')
  if (!/^[0-9a-f]*$/i.test(digits)) throw new HttpError(400, 'invalid hash format')
  return (digits.length % 2 ? `0${digits}` : digits).toLowerCase()
}
