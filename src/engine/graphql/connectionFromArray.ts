import type { OffsetPosition } from '../pagination/cursor.ts'
import { decodePageCursor } from '../pagination/pageCursors.ts'
import type { Context } from './builder.ts'
import { type Connection, toConnection } from './connection.ts'
import { type CursorArgs, readCursorArgs } from './pageArgs.ts'

/** A connection over a list in memory. `list` is the name of the list with its filters. */
export function connectionFromArray<T, Node>(
  context: Context,
  list: string,
  array: readonly T[],
  args: CursorArgs,
  toNode: (item: T) => Node,
): Connection<Node> {
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const bound = cursor === null ? (isForward ? -1 : array.length) : parseCursor(context, list, cursor)
  const start = isForward ? bound + 1 : Math.max(0, bound - count)
  const end = Math.min(array.length, isForward ? start + count : bound)
  const items = array.slice(start, end).map((item, i) => ({ item, position: positionAt(start + i) }))
  const page = {
    items,
    hasNextPage: end < array.length,
    hasPreviousPage: start > 0,
    start: items[0]?.position ?? null,
    end: items.at(-1)?.position ?? null,
  }
  return {
    ...toConnection(context.signer, () => list, page, toNode),
    countAll: async () => BigInt(array.length),
    isTotalCountEstimate: false,
  }
}

const positionAt = (index: number): OffsetPosition => ({ kind: 'offset', from: 'start', index })

function parseCursor({ signer }: Context, list: string, cursor: string): number {
  const position = decodePageCursor(signer, list, cursor)
  // The cursors of such a list all count from its start.
  return position.kind === 'offset' && position.from === 'start' ? position.index : -1
}
