import type { Context } from '../../../engine/graphql/builder.ts'
import { findFirstKey, type Neighbors, type Point } from '../../../engine/pagination/firstKey.ts'
import { decodeKey, encodeKey } from '../../../engine/pagination/keys.ts'
import { List } from '../../../engine/pagination/list.ts'
import type { KeysetField, ListSource } from '../../../engine/pagination/source.ts'
import { GatewayError, isUpstreamFault } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { unreadableError } from '../../../engine/upstream/upstreamError.ts'
import { type Listed, type Page, UnreadableRecord } from '../../../engine/wire/decode.ts'

export type { Point }

/** A list of all records of a kind on a chain, whose keys and values ascend together. */
export interface NumberedList<T> {
  readonly source: Partial<ListSource<Listed<T>>> &
    Pick<ListSource<Listed<T>>, 'path' | 'page'> & {
      readonly strategy: { readonly kind: 'keyset'; readonly field: KeysetField }
    }
  readonly valueOf: (record: T) => bigint
}

/** Points of lists that were read. They never change, but expire since a chain can be reset. */
const knownPoints = { name: 'points of lists', maxEntries: 1_000, ttlMs: 60 * 60_000 }

/** Keys that were found. They stay true likewise. */
const foundKeys = { name: 'keys of values', maxEntries: 10_000, ttlMs: 60 * 60_000 }

/** The most points that are kept of a list. The oldest go first. */
const maxPoints = 500

/** The most requests for one bound of a time span. Two searches for it share them. */
export const maxRequests = 20

/** The requests that are left for a bound. */
export interface RequestBudget {
  left: number
}

/**
 * The key of the first record whose value is at least `target`, or the key after the newest one. Null if the
 * list is empty or not served. Throws `UPSTREAM_REJECTED` if the indexer does not number the records, or if they are
 * so irregular that the budget ends first.
 */
export function findKey<T>(
  context: Context,
  chain: ServedChain,
  list: NumberedList<T>,
  target: bigint,
  budget: RequestBudget,
): Promise<bigint | null> {
  const name = `${chain.indexer.source} ${list.source.path}`
  return context.scope.memory.get(`first of ${name} from ${target}`, async () => {
    const found = context.scope.cache.hints.open<bigint>(foundKeys)
    const remembered = found.get(`${name} ${target}`)
    if (remembered !== undefined) return remembered
    const points = openPoints(context, name)
    const reader = makeReader(context, chain, list, budget)
    let { below, above } = points.around(target)
    if (!above) {
      above = await reader.newest()
      if (!above) return null
      if (above.value < target) return above.key + 1n
      points.add(above)
    }
    const noted = async (read: Promise<KeyedNeighbors | undefined>) => {
      const neighbors = await read
      if (neighbors) points.add(...neighbors.points)
      return neighbors
    }
    const bracket = { below, above }
    const key = await findFirstKey(target, bracket, {
      from: (from) => noted(reader.from(from)),
      before: (before) => noted(reader.before(before)),
    })
    found.set(`${name} ${target}`, key)
    return key
  })
}

/** The nearest known records before and from a value on, as searches have noted them. Undefined where none is known. */
export const keysAround = <T>(context: Context, chain: ServedChain, list: NumberedList<T>, target: bigint) =>
  openPoints(context, `${chain.indexer.source} ${list.source.path}`).around(target)

/**
 * The first record of a list from a key on, or the newest one without a key. An operation reads it once. Undefined if there is
 * none, or the indexer does not number them.
 */
export function findPoint<T>(
  context: Context,
  chain: ServedChain,
  list: NumberedList<T>,
  from?: bigint,
): Promise<Point | undefined> {
  const name = `${chain.indexer.source} ${list.source.path}`
  return context.scope.memory.get(`record of ${name} from ${from}`, async () => {
    const reader = makeReader(context, chain, list, { left: 2 })
    try {
      const point = await (from === undefined ? reader.newest() : reader.first(from))
      if (point) openPoints(context, name).add(point)
      return point
    } catch (error) {
      if (isUpstreamFault(error)) return undefined
      throw error
    }
  })
}

/** The keys of the oldest and of the newest record of a list. Null if the list is empty or not served. */
export function findEnds<T>(
  context: Context,
  chain: ServedChain,
  list: NumberedList<T>,
): Promise<{ readonly oldest: bigint; readonly newest: bigint } | null> {
  const name = `${chain.indexer.source} ${list.source.path}`
  return context.scope.memory.get(`ends of ${name}`, async () => {
    const reader = makeReader(context, chain, list, { left: 2 })
    const [oldest, newest] = await Promise.all([reader.endKey(false), reader.endKey(true)])
    return oldest === undefined || newest === undefined ? null : { oldest, newest }
  })
}

function openPoints({ scope }: Context, name: string) {
  const region = scope.cache.hints.open<readonly Point[]>(knownPoints)
  return {
    around(target: bigint) {
      let below: Point | undefined
      let above: Point | undefined
      for (const point of region.get(name) ?? []) {
        if (point.value < target && (!below || point.key > below.key)) below = point
        if (point.value >= target && (!above || point.key < above.key)) above = point
      }
      return { below, above }
    },
    add(...added: readonly Point[]) {
      region.set(name, [...(region.get(name) ?? []), ...added].slice(-maxPoints))
    },
  }
}

/** Page sizes of the successive requests of a search. They grow as the budget of requests shrinks. */
const sizes = [20, 20, 20, 20, 20, 20, 20, 20, 100, 100, 100, 100]
const largestSize = 500

/** Neighboring records, and the points that they show. */
interface KeyedNeighbors extends Neighbors {
  readonly points: readonly Point[]
}

function makeReader<T>(
  context: Context,
  { chainId, indexer }: ServedChain,
  list: NumberedList<T>,
  budget: RequestBudget,
) {
  const { field } = list.source.strategy
  const source = { ...list.source, isAppendOnly: true, total: 'none' } as const
  const pages = new List(context.scope, indexer, source, 'DESC')
  const read = (bound: bigint | undefined, isReverse: boolean, limit: number) => {
    if (budget.left === 0) throw tooIrregular(chainId)
    budget.left -= 1
    const key = bound === undefined ? {} : { key: encodeKey(field, bound) }
    return pages.fetch({ ...key, limit, isReverse })
  }
  /** The number in the key of a page. Null if the indexer sends none with the last page of a list. */
  const keyOf = ({ nextKey }: Page<Listed<T>>): bigint | null => {
    const key = nextKey === null ? null : decodeKey(field, nextKey)
    if (key === undefined) throw notNumbered(chainId)
    return key
  }
  const readableValue = (item: Listed<T>) => (item instanceof UnreadableRecord ? undefined : list.valueOf(item))

  let reads = 0
  /** The records beyond a bound. Reads fewer of the last ones of a list, if the indexer sends no key with them. */
  const neighbors = async (
    bound: bigint,
    isReverse: boolean,
    limit = sizes[reads] ?? largestSize,
  ): Promise<KeyedNeighbors | undefined> => {
    reads += 1
    const page = await read(bound, isReverse, limit)
    const [first] = page?.items ?? []
    if (!page || first === undefined) return undefined
    const values = page.items.map(readableValue)
    const value = values.find((each) => each !== undefined)
    const { length } = values
    const key = keyOf(page)
    if (key === null && length > 1) return neighbors(bound, isReverse, length - 1)
    if (value === undefined) throw unreadableError(chainId, first as UnreadableRecord)
    // A single record without a next key is the oldest of the list, or the newest.
    const lastKey = key ?? (isReverse ? 1n : bound + 1n)
    const isDense = (isReverse ? bound - lastKey : lastKey - bound) === BigInt(length)
    const last = values.at(-1)
    const points = [
      // No record lies between the bound and the first one, so `bound + 1` gets the value of the first.
      ...(isReverse ? [] : [{ key: bound + 1n, value }]),
      ...(last === undefined || key === null ? [] : [{ key, value: last }]),
    ]
    const keyAt = async (index: number): Promise<bigint> => {
      if (key === null) return isReverse ? bound - 1n : lastKey
      if (index === length - 1) return lastKey
      if (isDense) return isReverse ? bound - 1n - BigInt(index) : bound + 1n + BigInt(index)
      const shorter = await read(bound, isReverse, index + 1)
      const own = shorter && keyOf(shorter)
      if (own == null) throw notNumbered(chainId)
      return own
    }
    return { values, lastKey, keyAt, points }
  }
  return {
    /** The key of the first record from one end. */
    async endKey(isReverse: boolean): Promise<bigint | undefined> {
      const page = await read(undefined, isReverse, 1)
      if (!page || page.items.length === 0) return undefined
      const key = keyOf(page)
      if (key === null) throw notNumbered(chainId)
      return key
    },
    async newest(): Promise<Point | undefined> {
      for (const limit of [1, readableWithin]) {
        const page = await read(undefined, true, limit)
        const [first] = page?.items ?? []
        if (!page || first === undefined) return undefined
        const key = keyOf(page)
        if (key === null) throw notNumbered(chainId)
        const value = page.items.map(readableValue).find((each) => each !== undefined)
        if (value !== undefined) return { key, value }
        if (limit > 1) throw unreadableError(chainId, first as UnreadableRecord)
      }
      return undefined
    },
    /** The first record from a key on. */
    async first(key: bigint): Promise<Point | undefined> {
      const found = await neighbors(key - 1n, false, 1)
      return found?.points[0]
    },
    from: (key: bigint) => neighbors(key - 1n, false),
    before: (key: bigint) => neighbors(key, true),
  }
}

/** Records read where the newest one cannot be read. */
const readableWithin = 10

const tooIrregular = (chainId: string) =>
  new GatewayError(
    'UPSTREAM_REJECTED',
    `The records of ${chainId} are too irregular in time: no place was found within ${maxRequests} requests. Read the list without a time.`,
    { service: chainId },
  )

const notNumbered = (chainId: string) =>
  new GatewayError(
    'UPSTREAM_REJECTED',
    `The indexer of ${chainId} does not number the records of this list, so that it cannot be read from a time on.`,
    { service: chainId },
  )
