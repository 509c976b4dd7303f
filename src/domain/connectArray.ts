import { builder, type Context } from '../graph/builder.ts'
import type { Connection } from '../graph/connection.ts'
import { badInput } from '../upstream/error.ts'
import { decodeCursor, encodeCursor } from '../upstream/place.ts'

/** Arguments of a connection over a list that has one order only. */
export interface ArrayPageArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** The paging arguments of a list that has one order only. */
export const arrayPageArgs = () =>
  builder.args((t) => ({
    first: t.int({ description: 'How many records to give from the start, or after `after`.' }),
    after: t.string({ description: 'A cursor of this list; the page begins behind it.' }),
    last: t.int({ description: 'How many records to give from the end, or before `before`.' }),
    before: t.string({ description: 'A cursor of this list; the page ends ahead of it.' }),
  }))

/** Cuts a page from a list held in memory; `list` names it with its filters. */
export function connectArray<T, Node>(
  { limits }: Context,
  list: string,
  items: readonly T[],
  args: ArrayPageArgs,
  toNode: (item: T) => Node,
): Connection<Node> {
  const { first, after, last, before } = args
  const isForward = (last ?? null) === null && (before ?? null) === null
  if (!isForward && ((first ?? null) !== null || (after ?? null) !== null)) {
    throw badInput('A page is cut with `first` and `after`, or with `last` and `before`, not both.')
  }
  const size = first ?? last ?? limits.defaultPageSize
  if (size < 0 || size > limits.maxPageSize) {
    throw badInput(`\`first\` and \`last\` go from 0 to ${limits.maxPageSize}.`)
  }
  const start = isForward
    ? indexOf(list, after, -1) + 1
    : Math.max(0, indexOf(list, before, items.length) - size)
  const end = isForward
    ? Math.min(items.length, start + size)
    : Math.min(items.length, indexOf(list, before, items.length))
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

function indexOf(list: string, cursor: string | null | undefined, otherwise: number): number {
  if (cursor === null || cursor === undefined) return otherwise
  const place = decodeCursor(list, cursor)
  return place.at === 'start' ? place.index : otherwise
}
