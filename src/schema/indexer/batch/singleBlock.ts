import type { Context } from '../../../graphql/builder.ts'
import { countingPages, upstreamList } from '../../../pagination/listPage.ts'
import { isShortPage } from '../../../pagination/pageCaps.ts'
import { fetchPage, isCountedPage, scanLimit } from '../../../pagination/source.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { type Listed, readable } from '../../../wire/decode.ts'
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
  const pages = pagesOf(context, chain, list, height)
  const next = (key?: string | null) =>
    fetchPage(pages, { key: key ?? undefined, limit: scanLimit, isReverse: false })
  const items: T[] = []
  let page = await next()
  for (let count = 1; page; page = await next(page.nextKey), count += 1) {
    const records = allReadable(page.items)
    if (records.length < page.items.length) return []
    items.push(...records)
    const isLast =
      !page.nextKey ||
      isShortPage(pages.caps.current(), page, scanLimit) ||
      (count === 1 && isCountedPage(page))
    if (isLast || (await isWhole(items.length))) return items
    if (count === maxPages) return []
  }
  return []
}

/** The pages of the list of a block. The first one is counted. */
function pagesOf<T>(
  context: Context,
  chain: ServedChain,
  { blockPath, page }: ListByBlock<T>,
  height: bigint,
) {
  const source = {
    path: blockPath(height),
    page,
    strategy: { kind: 'keyset', field: 'sequence' },
    total: 'count',
    isWrittenAtOnce: true,
  } as const
  const pages = upstreamList(context, chain.indexer, source, 'ASC')
  return { ...pages, ...countingPages(context, chain.indexer, source, pages) }
}

/** The records of a list. None if one cannot be read, since positions count all records. */
export function allReadable<T>(items: readonly Listed<T>[]): readonly T[] {
  const records = readable(items)
  return records.length < items.length ? [] : records
}
