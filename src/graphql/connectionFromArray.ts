import { decodeCursor, encodeCursor } from '../pagination/cursor.ts'
import type { Context } from './builder.ts'
import type { Connection } from './connection.ts'
import { type CursorArgs, readCursorArgs } from './pageArgs.ts'

/** Cuts a page from a list held in memory; `list` names it with its filters. */
export function connectionFromArray<T, Node>(
  context: Context,
  list: string,
  items: readonly T[],
  args: CursorArgs,
  toNode: (item: T) => Node,
): Connection<Node> {
  const { count, isForward, cursor: bound } = readCursorArgs(args, context)
  const at = bound === null ? (isForward ? -1 : items.length) : indexOf(list, bound)
  const start = isForward ? at + 1 : Math.max(0, at - count)
  const end = Math.min(items.length, isForward ? start + count : at)
  const cursor = (index: number) => encodeCursor(list, { at: 'start', index })
  const edges = items
    .slice(start, end)
    .map((item, offset) => ({ cursor: cursor(start + offset), node: toNode(item) }))
  return {
    edges,
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
    countAll: async () => BigInt(items.length),
    isTotalCountEstimate: false,
  }
}

function indexOf(list: string, cursor: string): number {
  const place = decodeCursor(list, cursor)
  // Only cursors of this making pass for this list, and they all count from its start.
  return place.at === 'start' ? place.index : -1
}
