import { decodeCursor } from '../pagination/cursor.ts'
import { countList, fetchListPage, type ListSource, listName } from '../pagination/listPage.ts'
import type { Upstream } from '../upstream/client.ts'
import type { Context } from './builder.ts'
import { type Connection, toConnection } from './connection.ts'
import { type PageArgs, readCursorArgs } from './pageArgs.ts'

/** Resolves a connection over an upstream list. Null if the upstream does not serve the list. */
export async function resolveConnection<T, Node>(
  context: Context,
  upstream: Upstream,
  source: ListSource<T>,
  args: PageArgs,
  toNode: (item: T) => Node,
): Promise<Connection<Node> | null> {
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const { order } = args
  const list = listName(upstream, source, order)
  const from = cursor === null ? null : decodeCursor(context.signer, list, cursor)
  const page = await fetchListPage(context, upstream, source, { order, count, isForward, from })
  return (
    page && {
      ...toConnection(list, page, toNode),
      isTotalCountEstimate: source.total === 'estimate',
      countAll: () => countList(context, upstream, source),
    }
  )
}
