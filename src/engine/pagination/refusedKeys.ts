import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import { isBeyond, type KeysetStart } from './keysetStart.ts'
import { paginateOpaque } from './opaque.ts'
import { type Item, nonMonotonicPage, type PageResult, scanLimit, takePage } from './page.ts'
import type { UpstreamList } from './source.ts'

// Some upstreams refuse or ignore a page key that was made of a record, since their own keys have another form.

/** Handles an error: undefined if the upstream refuses the key, else it is thrown. */
export function undefinedIfRefused(error: unknown): undefined {
  if (!(error instanceof UpstreamHttpError && error.status === 400)) throw error
}

/**
 * Reads on from a key that the upstream does not take, since its own have another form: from the end, past all records
 * up to that key. The first page of such a list shows no key if it is also the last.
 */
export async function paginateBeyond<T>(
  list: UpstreamList<T>,
  { bound, skip }: KeysetStart,
  isForward: boolean,
  count: number,
): Promise<PageResult<T> | null> {
  const isReverse = list.isDescending === isForward
  const whole = await paginateOpaque({ ...list, filter: undefined }, null, isForward, scanLimit - 1)
  if (whole === null) return null
  const passed = whole.items.findLastIndex(({ item }) => !isBeyond(list, item, bound, isReverse))
  if (passed === whole.items.length - 1 && whole.hasMore)
    throw nonMonotonicPage('The upstream does not take the key of a record.')
  const items = whole.items.slice(passed + 1 + skip).flatMap(({ item, position }): Item<T>[] => {
    const key = list.keyOf?.(item)
    if (list.filter?.(item) === false) return []
    return [{ item, position: key === undefined ? position : { kind: 'keyset', key, offset: 0 } }]
  })
  const page = takePage(items, count)
  return { ...page, hasMore: page.hasMore || whole.hasMore }
}
