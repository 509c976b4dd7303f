import { parseAddress } from '../address.ts'
import type { World } from '../world/world.ts'
import { HttpError } from './httpError.ts'
import type { Page, PageRequest } from './paging.ts'

/** What a route answers from. */
export interface RouteContext {
  readonly world: World
  readonly query: URLSearchParams
  /** Reads the paging parameters; throws a refusal when they are bad. */
  page(): PageRequest
}

/** One GET route; `answer` takes the path's parameters as they came, never percent-decoded, and gives the JSON body. */
export interface Route {
  /** With `{name}` for a parameter, which is one path segment. */
  readonly path: string
  readonly summary: string
  readonly isList: boolean
  /** Query parameters beside those of paging. */
  readonly filters?: readonly string[]
  answer(question: RouteContext, first: string, second: string): unknown
}

/** The body of a list answer. */
export function listBody<T>(name: string, page: Page<T>, total: number | string) {
  return {
    [name]: page.rows,
    pagination: {
      previous_key: page.previousKey,
      next_key: page.nextKey,
      total: String(total),
    },
  }
}

/** A count as the indexer gives it: "0" when not asked for, "-1" when it takes too long. */
export function countedTotal(
  { world }: RouteContext,
  request: PageRequest,
  count: () => number,
): string {
  if (!request.countTotal) return '0'
  return world.chain.quirks?.totals === 'timeout' ? '-1' : String(count())
}

/** A height out of a path. */
export function readHeight(text: string): number {
  const refuse = (why: string) =>
    new HttpError(
      400,
      `[INVALID_VALUE] invalid value for height: ${text} (must be a ${why} integer)`,
    )
  if (!/^[+-]?\d+$/.test(text)) throw refuse('valid')
  const height = Number(text)
  if (Math.abs(height) >= 2 ** 63) throw refuse('valid')
  if (height < 1) throw refuse('positive')
  return height
}

/** An account out of a path, as 0x hex. */
export function readAccount({ world }: RouteContext, text: string): string {
  const address = parseAddress(text, world.chain.bech32Prefix)
  if (address !== undefined) return address
  const why = '(invalid address format)'
  throw new HttpError(400, `[INVALID_VALUE] invalid value for account: ${text} ${why}`)
}

/** A collection's address out of a path or query, as 0x hex. */
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

/** A hash out of a path as lower-case hex without 0x; of any length, since only the look-up minds. */
export function readHash(text: string): string {
  const digits = text.replace(/^0x/, '')
  if (!/^[0-9a-f]*$/i.test(digits)) throw new HttpError(400, 'invalid hash format')
  return (digits.length % 2 ? `0${digits}` : digits).toLowerCase()
}
