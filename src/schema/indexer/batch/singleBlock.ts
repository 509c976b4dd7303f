import type { Context } from '../../../engine/graphql/builder.ts'
import { List } from '../../../engine/pagination/list.ts'
import { isCountedPage, scanLimit } from '../../../engine/pagination/page.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Listed, readable } from '../../../engine/wire/decode.ts'
import { keptWholeList, type ListByBlock } from './wholeLists.ts'

/** The most pages of one list of a block that are read. */
const maxPages = 5

/** The most records of a list that is read whole. */
export const maxRecords = maxPages * scanLimit

/**
 * The whole list of a block in execution order, unless the operation has read it already. A short page, a count
 * or `isWhole` shows its end. Empty if the list is too long, or has an unreadable record.
 */
export async function readBlockList<T>(
  context: Context,
  chain: ServedChain,
  list: ListByBlock<T>,
  height: bigint,
  isWhole: (length: number) => Promise<boolean>,
): Promise<readonly T[]> {
  const kept = keptWholeList(context, chain, list, height)
  if (kept) return allReadable(kept)
  const pages = listOf(context, chain, list, height)
  const next = (key?: string | null) =>
    pages.fetchCounted({ key: key ?? undefined, limit: scanLimit, isReverse: false })
  const items: T[] = []
  let page = await next()
  for (let count = 1; page; page = await next(page.nextKey), count += 1) {
    const records = allReadable(page.items)
    if (records.length < page.items.length) return []
    items.push(...records)
    const isLast = !page.nextKey || pages.isShort(page, scanLimit) || (count === 1 && isCountedPage(page))
    if (isLast || (await isWhole(items.length))) return items
    if (count === maxPages) return []
  }
  return []
}

function listOf<T>(context: Context, chain: ServedChain, { blockPath, page }: ListByBlock<T>, height: bigint) {
  const source = {
    path: blockPath(height),
    page,
    strategy: { kind: 'keyset', field: 'sequence' },
    total: 'count',
    isWrittenAtOnce: true,
  } as const
  return new List(context.scope, chain.indexer, source, 'ASC')
}

/** The records of a list. None if one cannot be read, since positions count all records. */
export function allReadable<T>(items: readonly Listed<T>[]): readonly T[] {
  const records = readable(items)
  return records.length < items.length ? [] : records
}
