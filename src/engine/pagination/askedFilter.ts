import type { UpstreamFacts } from '../upstream/cachedReads.ts'
import type { Query } from '../upstream/request.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import type { Page } from '../wire/decode.ts'
import type { ListPage, ListPageRequest, PageQuery, Total } from './page.ts'
import type { AskedFilter, ListSource } from './source.ts'

// The contract lets an upstream filter a list. One that fails on the filter, or ignores it, is found out by its answers. Then the
// list is read without it, and filtered here.

/** Whether an upstream applies a filter of a kind of list. It can also be too early to say. */
export interface Obedience {
  readonly current: () => boolean | undefined
  readonly note: (isObeyed: boolean) => void
}

const region = {
  name: 'filters that upstreams apply',
  maxEntries: 10_000,
  // A service can be replaced by another version.
  ttlMs: 60 * 60 * 1000,
}

/** Whether a source applies the filters of a route. */
export function learntObedience(hints: UpstreamFacts, source: string, route: string): Obedience {
  const entries = hints.open<boolean>(region)
  const name = `${source} ${route}`
  return { current: () => entries.get(name), note: (isObeyed) => void entries.set(name, isObeyed) }
}

/** Opens a list as a source has it. */
type Open<T> = (source: ListSource<T>) => {
  read(request: ListPageRequest): Promise<ListPage<T> | null>
  count(): Promise<Total | undefined>
  fetch(query: PageQuery): Promise<Page<T> | null>
}

/** The list as the upstream filters it, with a filter that checks it. */
const filtered = <T>(source: ListSource<T>, query: Query, filter: (item: T) => boolean): ListSource<T> => ({
  ...source,
  ...{ query: { ...source.query, ...query }, filter, stopAtUnmatchedPage: true },
  // A type that the upstream has never seen is no filter until it is seen.
  isAppendOnly: false,
})

/** A page of a list that the upstream is asked to filter. Null if the upstream does not serve the list. */
export async function readAsked<T>(
  source: ListSource<T>,
  asked: AskedFilter<T>,
  obedience: Obedience,
  open: Open<T>,
  request: ListPageRequest,
): Promise<ListPage<T> | null> {
  const isAsked = obedience.current() !== false
  const filteredPage = isAsked ? await readFiltered(source, asked, obedience, open, request) : 'failed'
  if (filteredPage !== 'failed' && filteredPage !== 'unfiltered') return filteredPage
  const page = await open({ ...source, filter: asked.isMatch, total: 'none' }).read({ ...request, onTotal: undefined })
  // The filter was the fault, since without it the list can be read.
  if (filteredPage === 'failed' && isAsked) obedience.note(false)
  return page
}

/** The page as the upstream filters it, or why it is none. */
async function readFiltered<T>(
  source: ListSource<T>,
  { query, isMatch, probeOf }: AskedFilter<T>,
  obedience: Obedience,
  open: Open<T>,
  request: ListPageRequest,
): Promise<ListPage<T> | null | 'failed' | 'unfiltered'> {
  const others: T[] = []
  let matches = 0
  const check = (item: T) => {
    const isOwn = isMatch(item)
    if (isOwn) matches += 1
    else others.push(item)
    return isOwn
  }
  let total: Total | undefined
  const onTotal = (counted: Total) => {
    total = counted
  }
  const counting = request.onTotal ? { ...request, onTotal } : request
  const page = await open(filtered(source, query, check))
    .read(counting)
    .catch(undefinedIfFailed)
  if (page === undefined) return 'failed'
  if (others.length > 0 && matches > 0) {
    obedience.note(false)
    return 'unfiltered'
  }
  // The upstream drops a filter of what it has never seen, or all of them. Another filter shows which.
  if (others.length > 0 && !(obedience.current() ?? (await appliesOther(source, probeOf(others), obedience, open)))) {
    return 'unfiltered'
  }
  if (total !== undefined) request.onTotal?.(others.length > 0 ? 0n : total)
  return page
}

/** Whether the upstream applies a filter of this kind. */
async function appliesOther<T>(
  source: ListSource<T>,
  probe: Omit<AskedFilter<T>, 'probeOf'> | undefined,
  obedience: Obedience,
  open: Open<T>,
): Promise<boolean> {
  if (!probe) return false
  const list = open(filtered(source, probe.query, probe.isMatch))
  const page = await list.fetch({ limit: probeSize, isReverse: true }).catch(undefinedIfFailed)
  const isObeyed = page?.items.every(probe.isMatch) === true
  obedience.note(isObeyed)
  return isObeyed
}

/** Records that show whether a filter is applied. */
const probeSize = 20

/** The number of records of a list that the upstream is asked to filter. Null if it does not filter it. */
export async function countAsked<T>(
  source: ListSource<T>,
  { query, isMatch }: AskedFilter<T>,
  obedience: Obedience,
  open: Open<T>,
): Promise<Total | undefined> {
  if (obedience.current() === false) return null
  const list = open(filtered(source, query, isMatch))
  const page = await list.fetch({ limit: 1, isReverse: true }).catch(undefinedIfFailed)
  if (page === undefined) return null
  // It has never seen what is asked for.
  if (page?.items.every(isMatch) === false) return obedience.current() === true ? 0n : null
  return list.count()
}

/** An upstream that cannot apply a filter may refuse it or fail. */
function undefinedIfFailed(error: unknown): undefined {
  const isRefusal = error instanceof UpstreamHttpError && failures.includes(error.status)
  if (!isRefusal) throw error
}

const failures = [400, 404, 422, 500, 501]
