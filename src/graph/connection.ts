import type { ObjectRef } from '@pothos/core'
import type { z } from 'zod'
import { get, type Query } from '../upstream/call.ts'
import { badInput } from '../upstream/error.ts'
import { decodeCursor, encodeCursor, type Place } from '../upstream/place.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { UpstreamList } from '../upstream/walk/list.ts'
import { walk } from '../upstream/walk/walk.ts'
import type { Page } from '../upstream/wire.ts'
import { builder, type Context, callCost } from './builder.ts'

/** A page of a list, as the Relay cursor connections specification has it. */
export interface Connection<Node> {
  readonly edges: readonly Edge<Node>[]
  readonly pageInfo: PageInfo
  /** Asks for the number of records; null when the upstream cannot tell. */
  readonly countAll: () => Promise<bigint | null>
  readonly isTotalCountEstimate: boolean
}

interface Edge<Node> {
  readonly cursor: string
  readonly node: Node
}

interface PageInfo {
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
  readonly startCursor: string | null
  readonly endCursor: string | null
}

/** An upstream list, from which connections are cut. */
export interface ListSource<T>
  extends Pick<UpstreamList<T>, 'family' | 'keyOf' | 'size' | 'accepts' | 'endsAtForeignPage'> {
  readonly path: string
  /** Filters the upstream applies, besides those of paging. */
  readonly query?: Query
  /** Tells apart lists of equal path and query; only what the gateway filters itself goes here. */
  readonly filter?: string
  readonly page: z.ZodType<Page<T>>
  /** What the upstream's `total` is worth; a function counts in another way. */
  readonly total: 'count' | 'estimate' | 'none' | ((context: Context) => Promise<bigint | null>)
}

/** Arguments of every connection. */
export interface PageArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
  readonly order: 'ASC' | 'DESC'
}

const Order = builder.enumType('Order', {
  description: 'Which end of a list comes first.',
  values: {
    DESC: { description: 'The newest, highest or largest first.' },
    ASC: { description: 'The oldest, lowest or smallest first.' },
  },
})

/** The paging arguments, with the order that list is best read in. */
export const pageArgs = (order: 'ASC' | 'DESC' = 'DESC') =>
  builder.args((t) => ({
    first: t.int({ description: 'How many records to give from the start, or after `after`.' }),
    after: t.string({ description: 'A cursor of this list; the page begins behind it.' }),
    last: t.int({ description: 'How many records to give from the end, or before `before`.' }),
    before: t.string({ description: 'A cursor of this list; the page ends ahead of it.' }),
    order: t.field({
      type: Order,
      required: true,
      defaultValue: order,
      description: 'The order of the list. A cursor holds for the order it was cut in.',
    }),
  }))

/** The cost of a connection: one request, and its fields once for each record it may give. */
export const pageCost = (args: {
  first?: number | null | undefined
  last?: number | null | undefined
}) => ({ field: callCost, multiplier: Math.max(1, args.first ?? args.last ?? 20) })

const PageInfo = builder.objectRef<PageInfo>('PageInfo').implement({
  description: 'Where a page stands in its list.',
  fields: (t) => ({
    hasNextPage: t.exposeBoolean('hasNextPage', {
      description: 'Whether a record follows the page, or may follow what a filter passed over.',
    }),
    hasPreviousPage: t.exposeBoolean('hasPreviousPage', {
      description: 'Whether a record precedes the page.',
    }),
    startCursor: t.exposeString('startCursor', {
      nullable: true,
      description: 'What to give as `before` for the page ahead; null on an empty page.',
    }),
    endCursor: t.exposeString('endCursor', {
      nullable: true,
      description: 'What to give as `after` for the page behind; null on an empty page.',
    }),
  }),
})

/** The connection and edge types of a node type. `of` says in words what the list holds. */
export function connectionType<Shape>(
  node: ObjectRef<typeof builder.$inferSchemaTypes, Shape>,
  of: string,
) {
  const edge = builder.objectRef<Edge<Shape>>(`${node.name}Edge`).implement({
    description: `One of the ${of} of a page, with its cursor.`,
    fields: (t) => ({
      cursor: t.exposeString('cursor', {
        description: 'Opaque; stays good while records arrive, for this list in this order only.',
      }),
      node: t.field({
        type: node,
        description: 'The record.',
        resolve: (one) => one.node as never,
      }),
    }),
  })
  return builder.objectRef<Connection<Shape>>(`${node.name}Connection`).implement({
    description: `A page of ${of}.`,
    fields: (t) => ({
      edges: t.field({
        type: [edge],
        description: 'The records with their cursors, in list order.',
        resolve: (connection) => [...connection.edges],
      }),
      nodes: t.field({
        type: [node],
        description: 'The records alone, in list order.',
        resolve: (connection) => connection.edges.map((one) => one.node) as never,
      }),
      pageInfo: t.field({
        type: PageInfo,
        description: 'Where the page stands in its list.',
        resolve: (connection) => connection.pageInfo,
      }),
      totalCount: t.field({
        type: 'BigInt',
        nullable: true,
        description:
          'Records in the whole list. Asked of the upstream only when selected, as it can be slow; null when it gave up counting or cannot tell.',
        complexity: callCost,
        resolve: (connection) => connection.countAll(),
      }),
      isTotalCountEstimate: t.exposeBoolean('isTotalCountEstimate', {
        description: "Whether `totalCount` is the upstream's estimate, which lags behind the list.",
      }),
    }),
  })
}

/** Cuts the page that the arguments ask for. Null when the upstream does not serve the list. */
export async function connect<T, Node>(
  context: Context,
  upstream: Upstream,
  source: ListSource<T>,
  args: PageArgs,
  toNode: (item: T) => Node,
): Promise<Connection<Node> | null> {
  const { count, isForward, cursor } = readPageArgs(args, context)
  const name = `${upstream.service} ${get(source.path, source.page, { query: source.query ?? {} }).target} ${source.filter ?? ''} ${args.order}`
  const from = cursor === null ? null : decodeCursor(name, cursor)
  const list: UpstreamList<T> = {
    ...source,
    isDescending: args.order === 'DESC',
    paging: upstream.paging,
    ask: ({ key, offset, limit, isReverse }) =>
      context.scope.send(
        upstream,
        get(source.path, source.page, {
          query: {
            ...source.query,
            'pagination.key': key,
            'pagination.offset': offset,
            'pagination.limit': limit,
            'pagination.reverse': isReverse,
            'pagination.count_total': false,
          },
        }),
      ),
  }
  const walked = source.size === 0n ? nothing : await walk(list, from, isForward, count)
  if (walked === null) return null
  const cut = (place: Place | null | undefined) => (place ? encodeCursor(name, place) : null)
  const rows = isForward ? walked.rows : walked.rows.toReversed()
  const edge = { near: cut(walked.rows[0]?.place ?? walked.last), far: cut(walked.last) }
  const isBeyond = cursor !== null
  return {
    edges: rows.map(({ item, place }) => ({
      cursor: encodeCursor(name, place),
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
  const page = await context.scope.send(
    upstream,
    get(source.path, source.page, {
      query: { ...source.query, 'pagination.limit': 1, 'pagination.count_total': true },
    }),
  )
  // -1 says that the count took too long, or was never made.
  return page?.total === undefined || page.total === null || page.total < 0n ? null : page.total
}

function readPageArgs(args: PageArgs, context: Context) {
  const { first, last, after, before } = args
  const { maxPageSize, defaultPageSize } = context.limits
  const isForward = (last ?? null) === null && (before ?? null) === null
  if (!isForward && ((first ?? null) !== null || (after ?? null) !== null)) {
    throw badInput('A page is cut with `first` and `after`, or with `last` and `before`, not both.')
  }
  const count = first ?? last ?? defaultPageSize
  if (count < 0 || count > maxPageSize) {
    throw badInput(`\`first\` and \`last\` go from 0 to ${maxPageSize}.`)
  }
  return { count, isForward, cursor: after ?? before ?? null }
}
