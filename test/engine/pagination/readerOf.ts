import { z } from 'zod'
import type { Position } from '../../../src/engine/pagination/cursor.ts'
import { countIn } from '../../../src/engine/pagination/keyForms.ts'
import { List } from '../../../src/engine/pagination/list.ts'
import type { Item, PageQuery } from '../../../src/engine/pagination/page.ts'
import type { ListSource } from '../../../src/engine/pagination/source.ts'
import type { UpstreamFacts } from '../../../src/engine/upstream/cachedReads.ts'
import type { Upstream } from '../../../src/engine/upstream/client.ts'
import type { Page } from '../../../src/engine/wire/decode.ts'
import { CacheStore } from '../../../src/kit/cache/cache.ts'

/** A page in the direction of the read: backward reads give the last record first. */
export interface ReadPage<T> {
  readonly items: readonly Item<T>[]
  readonly hasMore: boolean
  /** Where to continue. */
  readonly last: Position | null
}

/** Reads a page from a position, or from an end. */
export type Reader<T> = (from: Position | null, isForward: boolean, count: number) => Promise<ReadPage<T> | null>

// A store for each list would cost more than the list.
const commonHints = new CacheStore({ now: () => 0 })
let lists = 0

/** How the upstream of a test pages its list, and in which order the list is read. */
export type ListOptions<T> = Partial<ListSource<T>> & {
  readonly isDescending?: boolean
}

/** Answers a request for a page. Null if the list is not served. */
export type Answer<T> = (query: PageQuery, target: string) => Page<T> | null

/** Reads a list whose upstream answers its requests so. Nothing that one page has read is kept for the next one. */
export function readerOf<T>(
  answer: Answer<T>,
  { isDescending = false, ...source }: ListOptions<T> = {},
  hints: UpstreamFacts = commonHints,
): Reader<T> {
  lists += 1
  const upstream: Upstream = {
    ...{ service: 'chain-1', source: 'chain-1' },
    send: async ({ target }) => answer(pageQuery(target), target) as never,
  }
  const { signal } = new AbortController()
  const list = new List<T>(
    {
      fetch: (_, request) => upstream.send(request, signal),
      cache: { hints },
      memory: { releaseAtEnd: (page) => page },
    },
    upstream,
    {
      path: `/list/${lists}`,
      page: z.custom<Page<T>>(),
      strategy: { kind: 'keyset', field: 'sequence' },
      total: 'none',
      ...source,
    },
    isDescending ? 'DESC' : 'ASC',
  )
  return async (from, isForward, count) => {
    const page = await list.read({ count, isForward, from })
    if (!page) return null
    const { items, hasNextPage, hasPreviousPage, start, end } = page
    return isForward
      ? { items, hasMore: hasNextPage, last: end }
      : { items: items.toReversed(), hasMore: hasPreviousPage, last: start }
  }
}

/** How many records a request skips: as its offset says, or a key that counts them. */
export const skippedBy = ({ key, offset }: PageQuery): number => offset ?? (key === undefined ? 0 : (countIn(key) ?? 0))

/** The key after that many records. */
export const countKey = (records: number): string => Buffer.from(String(records)).toString('base64')

function pageQuery(target: string): PageQuery {
  const query = new URL(target, 'http://upstream').searchParams
  const offset = query.get('pagination.offset')
  return {
    key: query.get('pagination.key') ?? undefined,
    offset: offset === null ? undefined : Number(offset),
    limit: Number(query.get('pagination.limit')),
    isReverse: query.get('pagination.reverse') === 'true',
  }
}

/** All records from an end of a list, or from a position, and `between` is called after each page but the last. */
export async function readAll<T>(
  read: Reader<T>,
  {
    count,
    isForward = true,
    from = null,
  }: {
    readonly count: number
    readonly isForward?: boolean
    readonly from?: Position | null
  },
  between: () => void = () => {},
): Promise<Item<T>[]> {
  const items: Item<T>[] = []
  for (let position = from; ; between()) {
    const page = await read(position, isForward, count)
    if (page === null) throw new Error('the list is served')
    items.push(...page.items)
    if (!page.hasMore) return items
    if (page.items.length !== count) throw new Error(`a page of ${page.items.length}, not ${count}`)
    position = page.last
  }
}
