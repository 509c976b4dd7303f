import type { z } from 'zod'
import { decodeCursor, encodeCursor, type Position } from '../pagination/cursor.ts'
import { paginate } from '../pagination/paginate.ts'
import type { UpstreamList } from '../pagination/source.ts'
import { upstreamList } from '../pagination/upstreamList.ts'
import type { Upstream } from '../upstream/client.ts'
import type { Page } from '../upstream/decode.ts'
import { get, type Path, type Query } from '../upstream/request.ts'
import type { Context } from './builder.ts'
import type { Connection } from './connection.ts'
import { type PageArgs, readCursorArgs } from './pageArgs.ts'

/** An upstream list, from which connections are cut. */
export interface ListSource<T>
  extends Pick<UpstreamList<T>, 'family' | 'keyOf' | 'size' | 'filter' | 'stopAtUnmatchedPage'> {
  readonly path: Path | string
  /** Filters the upstream applies, besides those of paging. */
  readonly query?: Query
  /** Tells apart lists of equal path and query; only what the gateway filters itself goes here. */
  readonly filterKey?: string | undefined
  readonly page: z.ZodType<Page<T>>
  /** What the upstream's `total` is worth; a function counts in another way. */
  readonly total: 'count' | 'estimate' | 'none' | ((context: Context) => Promise<bigint | null>)
}

/** Cuts the page that the arguments ask for. Null when the upstream does not serve the list. */
export async function resolveConnection<T, Node>(
  context: Context,
  upstream: Upstream,
  source: ListSource<T>,
  args: PageArgs,
  toNode: (item: T) => Node,
): Promise<Connection<Node> | null> {
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const name = `${upstream.service} ${get(source.path, source.page, { query: source.query ?? {} }).target} ${source.filterKey ?? ''} ${args.order}`
  const from = cursor === null ? null : decodeCursor(name, cursor)
  const list = { ...source, ...upstreamList(context, upstream, source, args.order) }
  const walked = source.size === 0n ? nothing : await paginate(list, from, isForward, count)
  if (walked === null) return null
  const cut = (place: Position | null | undefined) => (place ? encodeCursor(name, place) : null)
  const rows = isForward ? walked.rows : walked.rows.toReversed()
  const edge = { near: cut(walked.rows[0]?.position ?? walked.last), far: cut(walked.last) }
  const isBeyond = cursor !== null
  return {
    edges: rows.map(({ item, position }) => ({
      cursor: encodeCursor(name, position),
      node: toNode(item),
    })),
    pageInfo: {
      hasNextPage: isForward ? walked.hasMore : isBeyond,
      hasPreviousPage: isForward ? isBeyond : walked.hasMore,
      startCursor: isForward ? edge.near : edge.far,
      endCursor: isForward ? edge.far : edge.near,
    },
    isTotalCountEstimate: source.total === 'estimate',
    countAll: () => countAll(context, upstream, source),
  }
}

const nothing = { rows: [], hasMore: false, last: null }

async function countAll<T>(
  context: Context,
  upstream: Upstream,
  source: ListSource<T>,
): Promise<bigint | null> {
  if (source.size !== undefined) return source.size
  if (typeof source.total === 'function') return source.total(context)
  if (source.total === 'none') return null
  const page = await context.scope.fetch(
    upstream,
    get(source.path, source.page, {
      query: { ...source.query, 'pagination.limit': 1, 'pagination.count_total': true },
    }),
  )
  return page && countOf(page)
}

/** The count that came with a page; null for -1, given up, and for less than the page holds, not made. */
export const countOf = ({ total, items }: Page<unknown>): bigint | null =>
  total === null || total < BigInt(items.length) ? null : total
