import type { GraphQLResolveInfo } from 'graphql'
import type { Position } from '../pagination/cursor.ts'
import { countList, type ListSource, listName, type Total } from '../pagination/listPage.ts'
import { decodePageCursor } from '../pagination/pageCursors.ts'
import { emptyPage, fetchListPage, type ListPage, listPageOfWhole } from '../pagination/readList.ts'
import type { WholeList } from '../pagination/run.ts'
import type { Upstream } from '../upstream/client.ts'
import { readValue, unreadableError } from '../upstream/upstreamError.ts'
import { type Listed, UnreadableRecord } from '../wire/decode.ts'
import type { Context } from './builder.ts'
import { type Connection, toConnection } from './connection.ts'
import { type PageArgs, readCursorArgs } from './pageArgs.ts'
import { selectedFields } from './selection.ts'

/**
 * A list that is read whole together with others where that takes fewer requests. A page of blocks waits with
 * a hundred of them, so what reads a list on its own is made when it turns out to be needed.
 */
export interface BatchedList<T> {
  /** Reads the list for a page of this many records from an end. Null if it has to be read on its own. */
  readonly loadBatch: LoadBatch<T>
  /** How it is read on its own. */
  readonly single: () => ListSource<Listed<T>>
}

/** Reads a list together with others, as `BatchedList` says. */
export type LoadBatch<T> = (count: number) => Promise<WholeList<T> | null>

/** The fields of a connection that need its page. */
const pageFields = ['edges', 'nodes', 'pageInfo']

/** The node of a record. A record that cannot be read is an error of the field, in every GraphQL executor. */
export const readNode = <T, Node>(
  service: string,
  item: Listed<T>,
  nodeOf: (item: T) => Node,
): Node =>
  item instanceof UnreadableRecord ? (unreadableError(service, item) as Node) : nodeOf(item)

/**
 * Resolves a connection over an upstream list. Null if the upstream does not serve the list. The number of
 * records is requested with the page where it can be, and alone where nothing of the page is selected. Throws
 * `BAD_USER_INPUT` for invalid arguments.
 */
export function resolveConnection<T, Node>(
  context: Context,
  upstream: Upstream,
  list: ListSource<Listed<T>> | BatchedList<T>,
  args: PageArgs,
  nodeOf: (item: T, position: Position) => Node,
  info: GraphQLResolveInfo,
): Promise<Connection<Node> | null> {
  if (!('loadBatch' in list)) return resolveSingle(context, upstream, list, args, nodeOf, info)

  const { single } = list
  const { order } = args
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const readSingle = () => resolveSingle(context, upstream, single(), args, nodeOf, info)
  if (cursor !== null || count === 0 || !isPageSelected(info)) return readSingle()
  return list.loadBatch(count).then((whole) => {
    if (!whole) return readSingle()
    const page = listPageOfWhole(whole, { order, count, isForward })
    const name = () => listName(upstream, single(), order)
    return {
      isTotalCountEstimate: false,
      countAll: async () => BigInt(whole.items.length),
      ...toPage(context, upstream, name, page, nodeOf),
    }
  })
}

function resolveSingle<T, Node>(
  context: Context,
  upstream: Upstream,
  source: ListSource<Listed<T>>,
  args: PageArgs,
  nodeOf: (item: T, position: Position) => Node,
  info: GraphQLResolveInfo,
): Promise<Connection<Node> | null> {
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const { order } = args
  const from =
    cursor === null
      ? null
      : decodePageCursor(context.signer, listName(upstream, source, order), cursor)
  const connect = connectPage(context, upstream, source, order, nodeOf)
  const isCounted = selectedFields(info).has('totalCount')
  if (isCounted && !isPageSelected(info)) {
    const total = countList(context, upstream, source)
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
  const request = { order, count, isForward, from, onTotal }
  return fetchListPage(context, upstream, source, request).then((page) => {
    if (!page) return null
    if (count > 0) reportWhole(source, order, page)
    return connect(page, total)
  })
}

/** Hands on the records of a page that is the whole list. */
function reportWhole<T>(
  { onWhole, filter }: ListSource<T>,
  order: PageArgs['order'],
  { items, hasNextPage, hasPreviousPage }: ListPage<T>,
): void {
  if (!onWhole || filter || hasNextPage || hasPreviousPage) return
  const records = items.map(({ item }) => item)
  onWhole(order === 'ASC' ? records : records.toReversed())
}

const isPageSelected = (info: GraphQLResolveInfo): boolean => {
  const selected = selectedFields(info)
  return pageFields.some((name) => selected.has(name))
}

/** Makes connections of pages of a list, whose records are counted unless their number is given. */
const connectPage =
  <T, Node>(
    context: Context,
    upstream: Upstream,
    source: ListSource<Listed<T>>,
    order: PageArgs['order'],
    nodeOf: (item: T, position: Position) => Node,
  ) =>
  (
    page: ListPage<Listed<T>>,
    total: Total | undefined | Promise<Total | undefined>,
  ): Connection<Node> => ({
    isTotalCountEstimate: source.total === 'estimate' || source.isTotalEstimate === true,
    countAll: async () =>
      readValue(
        upstream.service,
        await (total === undefined ? countList(context, upstream, source) : total),
      ),
    ...toPage(context, upstream, () => listName(upstream, source, order), page, nodeOf),
  })

/** The part of a connection that its page is. Most pages in pages have no cursors, and so need no name. */
function toPage<T, Node>(
  context: Context,
  upstream: Upstream,
  nameOf: () => string,
  page: ListPage<Listed<T>>,
  nodeOf: (item: T, position: Position) => Node,
) {
  let known: string | undefined
  const name = () => {
    known ??= nameOf()
    return known
  }
  return toConnection(
    context.signer,
    name,
    context.scope.releaseAtEnd(page),
    (item: Listed<T>, position: Position) =>
      readNode(upstream.service, item, (record) => nodeOf(record, position)),
  )
}
