import type { GraphQLResolveInfo } from 'graphql'
import { decodeCursor, type Position } from '../pagination/cursor.ts'
import { countList, type ListSource, listName } from '../pagination/listPage.ts'
import { emptyPage, fetchListPage } from '../pagination/readList.ts'
import type { Upstream } from '../upstream/client.ts'
import { type Listed, UnreadableRecord } from '../upstream/decode.ts'
import { unreadableError } from '../upstream/upstreamError.ts'
import type { Context } from './builder.ts'
import { type Connection, toConnection } from './connection.ts'
import { type PageArgs, readCursorArgs } from './pageArgs.ts'
import { selectedFields } from './selection.ts'

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
  source: ListSource<Listed<T>>,
  args: PageArgs,
  nodeOf: (item: T, position: Position) => Node,
  info: GraphQLResolveInfo,
): Promise<Connection<Node> | null> {
  const toNode = (item: Listed<T>, position: Position) =>
    readNode(upstream.service, item, (record) => nodeOf(record, position))
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const { order } = args
  // Most pages in pages have no cursors, and so need no name.
  let name: string | undefined
  const list = () => {
    name ??= listName(upstream, source, order)
    return name
  }
  const from = cursor === null ? null : decodeCursor(context.signer, list(), cursor)
  const selected = selectedFields(info)
  const isCounted = selected.has('totalCount')
  const isTotalCountEstimate = source.total === 'estimate' || source.isTotalEstimate === true
  const countAll = () => countList(context, upstream, source)

  if (isCounted && !pageFields.some((name) => selected.has(name))) {
    const total = countAll()
    const connection = {
      isTotalCountEstimate,
      countAll: () => total,
      ...toConnection(list, emptyPage, toNode),
    }
    // A count that fails is null on its own, without the connection.
    return total.then(
      (counted) => (counted === undefined ? null : connection),
      () => connection,
    )
  }
  let total: bigint | null | undefined
  const onTotal = isCounted
    ? (counted: bigint | null) => {
        total = counted
      }
    : undefined
  const request = { order, count, isForward, from, onTotal }
  return fetchListPage(context, upstream, source, request).then(
    (page) =>
      page && {
        isTotalCountEstimate,
        countAll: () => (total === undefined ? countAll() : Promise.resolve(total)),
        ...toConnection(list, page, toNode),
      },
  )
}
