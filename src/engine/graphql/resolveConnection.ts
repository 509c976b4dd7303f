import type { GraphQLResolveInfo } from 'graphql'
import type { Position } from '../pagination/cursor.ts'
import { List } from '../pagination/list.ts'
import { emptyPage, type ListPage, type Total } from '../pagination/page.ts'
import { decodePageCursor } from '../pagination/pageCursors.ts'
import { pageOfWhole, type WholeList } from '../pagination/run.ts'
import type { ListSource } from '../pagination/source.ts'
import type { Upstream } from '../upstream/client.ts'
import { readValue, unreadableError } from '../upstream/upstreamError.ts'
import { type Listed, UnreadableRecord } from '../wire/decode.ts'
import type { Context } from './builder.ts'
import { type Connection, toConnection } from './connection.ts'
import { type PageArgs, readCursorArgs } from './pageArgs.ts'
import { selectedFields } from './selection.ts'

/**
 * Reads a list whole, for a page of this many records from an end, together with others where that takes fewer requests. Null
 * if it has to be read on its own.
 */
export type LoadBatch<T> = (count: number) => Promise<WholeList<T> | null>

/** How the list of a connection is read. */
export interface ConnectionSource<T> extends ListSource<Listed<T>> {
  readonly loadBatch?: LoadBatch<T> | undefined
}

const pageFields = ['edges', 'nodes', 'pageInfo']

/** The node of a record. A record that cannot be read is an error of the field, in every GraphQL executor. */
export const readNode = <T, Node>(service: string, item: Listed<T>, nodeOf: (item: T) => Node): Node =>
  item instanceof UnreadableRecord ? (unreadableError(service, item) as Node) : nodeOf(item)

/**
 * Resolves a connection over an upstream list. Null if the upstream does not serve the list. The number of
 * records is requested with the page where it can be, and alone where nothing of the page is selected. Throws
 * `BAD_USER_INPUT` for invalid arguments.
 */
export function resolveConnection<T, Node>(
  context: Context,
  upstream: Upstream,
  source: ConnectionSource<T>,
  args: PageArgs,
  nodeOf: NodeOf<T, Node>,
  info: GraphQLResolveInfo,
): Promise<Connection<Node> | null> {
  const { loadBatch } = source
  // A page of blocks waits with a hundred lists, so each is made when it turns out to be needed.
  const single = () => new List(context.scope, upstream, source, args.order)
  const readSingle = () => resolveSingle(context, upstream, single(), args, nodeOf, info)
  if (!loadBatch) return readSingle()
  const { count, isForward, cursor } = readCursorArgs(args, context)
  if (cursor !== null || count === 0 || !isPageSelected(info)) return readSingle()
  return loadBatch(count).then((whole) => {
    if (!whole) return readSingle()
    const page = pageOfWhole(whole, args.order, { count, isForward })
    return {
      isTotalCountEstimate: false,
      countAll: async () => BigInt(whole.items.length),
      ...toPage(context, upstream, () => single().name, page, nodeOf),
    }
  })
}

type NodeOf<T, Node> = (item: T, position: Position) => Node

function resolveSingle<T, Node>(
  context: Context,
  upstream: Upstream,
  list: List<Listed<T>>,
  args: PageArgs,
  nodeOf: NodeOf<T, Node>,
  info: GraphQLResolveInfo,
): Promise<Connection<Node> | null> {
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const from = cursor === null ? null : decodePageCursor(context.signer, list.name, cursor)
  const { total: kind, isTotalEstimate } = list.source
  const connect = (
    page: ListPage<Listed<T>>,
    total: Total | undefined | Promise<Total | undefined>,
  ): Connection<Node> => ({
    isTotalCountEstimate: kind === 'estimate' || isTotalEstimate === true,
    // Counted on its own unless the number is known.
    countAll: async () => readValue(upstream.service, await (total === undefined ? list.count() : total)),
    ...toPage(context, upstream, () => list.name, page, nodeOf),
  })
  const isCounted = selectedFields(info).has('totalCount')
  if (isCounted && !isPageSelected(info)) {
    const total = list.count()
    const connection = connect(emptyPage(), total)
    // A count that fails is null on its own, without the connection.
    return total.then(
      (counted) => (counted === undefined ? null : connection),
      () => connection,
    )
  }
  let total: Total | undefined
  const onTotal = isCounted
    ? (counted: Total) => {
        total = counted
      }
    : undefined
  return list.read({ count, isForward, from, onTotal }).then((page) => {
    if (!page) return null
    if (count > 0) reportWhole(list, page)
    return connect(page, total)
  })
}

/** Hands on the records of a page that is the whole list. */
function reportWhole<T>(
  { source: { onWhole, filter, asked }, order }: List<T>,
  { items, hasNextPage, hasPreviousPage }: ListPage<T>,
): void {
  if (!onWhole || filter || asked || hasNextPage || hasPreviousPage) return
  const records = items.map(({ item }) => item)
  onWhole(order === 'ASC' ? records : records.toReversed())
}

const isPageSelected = (info: GraphQLResolveInfo): boolean => {
  const selected = selectedFields(info)
  return pageFields.some((name) => selected.has(name))
}

/** The part of a connection that its page is. Most pages in pages have no cursors, and so need no name. */
function toPage<T, Node>(
  context: Context,
  upstream: Upstream,
  nameOf: () => string,
  page: ListPage<Listed<T>>,
  nodeOf: NodeOf<T, Node>,
) {
  let known: string | undefined
  const name = () => {
    known ??= nameOf()
    return known
  }
  return toConnection(
    context.signer,
    name,
    context.scope.memory.releaseAtEnd(page),
    (item: Listed<T>, position: Position) => readNode(upstream.service, item, (record) => nodeOf(record, position)),
  )
}
