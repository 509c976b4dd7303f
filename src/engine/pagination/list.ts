import type { OperationCache } from '../upstream/cachedReads.ts'
import type { Upstream } from '../upstream/client.ts'
import { GatewayError, isUpstreamFault } from '../upstream/error.ts'
import type { OperationMemory } from '../upstream/operationMemory.ts'
import { isOptionalRoute } from '../upstream/readResponse.ts'
import { get, routeOf } from '../upstream/request.ts'
import type { RequestScope } from '../upstream/requestScope.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import { type Page, UnreadableRecord } from '../wire/decode.ts'
import { countAsked, learntObedience, readAsked } from './askedFilter.ts'
import { learntKeys } from './keyForms.ts'
import { isFinalPage } from './keys.ts'
import {
  countOf,
  fetchPage,
  isCountedPage,
  type ListPage,
  type ListPageRequest,
  type PageQuery,
  type PageResult,
  type Total,
  toListPage,
} from './page.ts'
import { isShortPage, learntCaps, type ObservedPageLimits } from './pageCaps.ts'
import type { ListOrder, ListSource, ListWindow, UpstreamList } from './source.ts'
import { paginate } from './strategy.ts'
import { pageOfWindow, paginateUntied, readWindow } from './wholeList.ts'

// One list of an upstream, such as the blocks of a chain, read as pages of the graph. The upstream cuts pages as it
// likes: it caps their size, and hands out keys of several forms. So a page of the graph is put together from as many
// upstream pages as it needs, by the strategy of the list (`strategy.ts`; `keyset.ts` has an example in numbers). A
// list around it adds what does not depend on the strategy: the number of records, asked for with the first page and no
// more once a count was slow; a short list that is read whole instead (`wholeList.ts`); which pages can be cached for
// good; and the page cap, which is learnt from what the upstream returns.

/** Lists whose records take their upstream too long to count, so that a page must not wait for it. */
const slowCounts = { name: 'slow counts', maxEntries: 10_000, ttlMs: 10 * 60_000 }

/** Lists that were too long for their windows a short time ago. */
const longLists = { name: 'long lists', maxEntries: 10_000, ttlMs: 10 * 60_000 }

/** What a list uses of the scope of its operation. */
interface ListScope extends Pick<RequestScope, 'fetch'> {
  readonly cache: Pick<OperationCache, 'hints'>
  readonly memory: Pick<OperationMemory, 'releaseAtEnd'>
}

/** A list of an upstream, in one order. Equal pages are requested once in an operation. */
export class List<T> {
  readonly source: ListSource<T>
  readonly order: ListOrder
  readonly #scope: ListScope
  readonly #upstream: Upstream
  readonly #caps: ObservedPageLimits
  readonly #keys: UpstreamList<T>['keys']

  constructor(scope: ListScope, upstream: Upstream, source: ListSource<T>, order: ListOrder) {
    this.#scope = scope
    this.#upstream = upstream
    this.source = source
    this.order = order
    const filters = Object.entries(source.query ?? {}).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    const { hints } = scope.cache
    this.#caps = learntCaps(hints, upstream.source, source.path, filters)
    this.#keys = (isReverse) => learntKeys(hints, upstream.source, source.path, isReverse, filters)
  }

  /** Names the list in its order. A cursor is valid for lists of the same name. */
  get name(): string {
    return this.#nameIn(this.order)
  }

  /** Reads a page. Null if the upstream does not serve the list. */
  async read(request: ListPageRequest): Promise<ListPage<T> | null> {
    const { asked } = this.source
    if (asked) return readAsked(this.source, asked, this.#obedience(), this.#unasked, request)
    try {
      const result = await this.#readRecords(request)
      return result && toListPage(this.#scope.memory.releaseAtEnd(result), request)
    } catch (error) {
      // What follows the keys of a list does not know its service.
      if (!isUpstreamFault(error) || error.service !== undefined) throw error
      const { service } = this.#upstream
      throw new GatewayError(error.code, error.message, { service, cause: error })
    }
  }

  /**
   * All records of a list with a window. Null if they are too many. Undefined if the upstream does not serve the
   * list. Read once in an operation.
   */
  async readWhole(): Promise<readonly T[] | null | undefined> {
    const { window } = this.source
    return window ? this.#readWindow(window, (query) => this.#fetch(query)) : null
  }

  /** The number of records. Null if the upstream cannot count them, undefined if it does not serve the list. */
  async count(): Promise<Total | undefined> {
    const { path, query, page, size, total, asked } = this.source
    if (asked) return countAsked(this.source, asked, this.#obedience(), this.#unasked)
    if (size !== undefined) return size
    if (typeof total === 'function') return total()
    if (total === 'none') return null
    const counted = { ...query, 'pagination.limit': 1, 'pagination.count_total': true }
    const is404Error = !isOptionalRoute(routeOf(path))
    const first = await this.#scope.fetch(this.#upstream, get(path, page, { query: counted, is404Error }))
    return first ? countOf(first) : undefined
  }

  /** Reads one page as the upstream cuts it, within its limit. */
  fetch(query: PageQuery): Promise<Page<T> | null> {
    return fetchPage({ caps: this.#caps, fetchPage: (each) => this.#fetch(each) }, query)
  }

  /**
   * Reads one page, the first one with the number of records, unless the list was slow to count before or that
   * request fails.
   */
  fetchCounted(query: PageQuery): Promise<Page<T> | null> {
    return fetchPage({ caps: this.#caps, fetchPage: this.#counting() }, query)
  }

  /** Whether a page is the last one of the list. Other pages may be. */
  isShort(page: Page<T>, limit: number): boolean {
    return isShortPage(this.#caps.current(), page, limit)
  }

  async #readRecords(request: ListPageRequest): Promise<PageResult<T> | null> {
    const { size, range: findRange, window } = this.source
    const { count, isForward, from } = request
    if (size === 0n) return noRecords()
    const list = this.#listFor(request)
    if (findRange) {
      const range = await findRange()
      return range ? paginate({ ...list, range }, from, isForward, count) : noRecords()
    }
    if (!window || count === 0) return paginate(list, from, isForward, count)
    return this.#readByWindow(window, list, request)
  }

  /** Reads a page of a list that is read whole if it is short. */
  async #readByWindow(
    window: ListWindow,
    list: UpstreamList<T>,
    { count, isForward, from, onTotal }: ListPageRequest,
  ): Promise<PageResult<T> | null> {
    const { isTied, total } = this.source
    if (isTied && !this.#longMark().has()) {
      const untied = await paginateUntied(list, isTied, from, isForward, count)
      if (untied !== undefined) return untied
    }
    // The whole list has the exact number, so that all who read it share a request without a count.
    const isExact = this.#isCountable && total === 'count'
    const fetch = isExact ? (query: PageQuery) => this.#fetch(query) : list.fetchPage
    const all = await this.#readWindow(window, fetch)
    if (all === undefined) return null
    if (all && isExact) onTotal?.(BigInt(all.length))
    const { isDescending } = list
    const page = all && pageOfWindow(all, window, { isDescending, isForward, count }, from)
    return page ?? paginate(list, from, isForward, count)
  }

  #readWindow(window: ListWindow, fetch: UpstreamList<T>['fetchPage']) {
    const list = { isDescending: this.#isDescending, caps: this.#caps, keys: this.#keys, fetchPage: fetch }
    return readWindow(list, window, this.#longMark())
  }

  /** What a strategy reads, whose first page is requested with the number of records if that is wanted. */
  #listFor({ from, onTotal }: ListPageRequest): UpstreamList<T> {
    const { strategy, keyOf, size, isWrittenAtOnce, filter, stopAtUnmatchedPage } = this.source
    const isWanted = onTotal !== undefined || isWrittenAtOnce === true
    const isCounted = isWanted && from === null && this.#isCountable
    return {
      isDescending: this.#isDescending,
      caps: this.#caps,
      keys: this.#keys,
      fetchPage: isCounted ? this.#counting(onTotal) : (query) => this.#fetch(query),
      strategy,
      keyOf,
      size,
      isWrittenAtOnce,
      filter,
      stopAtUnmatchedPage,
    }
  }

  #fetch(query: PageQuery): Promise<Page<T> | null> {
    // A read with a filter can examine hundreds of records for each record that it returns.
    const isHeavy = this.source.filter !== undefined
    return this.#scope.fetch(this.#upstream, this.#makeRequest(query, false), isHeavy)
  }

  #counting(onTotal?: (total: Total) => void): UpstreamList<T>['fetchPage'] {
    const slow = this.#scope.cache.hints.open<true>(slowCounts)
    const name = this.#nameIn('ASC')
    return async (query) => {
      const isFirst = query.key === undefined && query.offset === undefined
      if (!isFirst || slow.get(name)) return this.#fetch(query)
      try {
        const page = await this.#scope.fetch(this.#upstream, this.#makeRequest(query, true))
        // It has waited for a count that the upstream gave up.
        if (page?.total === -1n) slow.set(name, true)
        if (page) onTotal?.(countOf(page))
        return page
      } catch (error) {
        // A refused limit is not a matter of the count.
        const isRefusal = error instanceof UpstreamHttpError && error.status === 400
        if (!isUpstreamFault(error) || isRefusal) throw error
        slow.set(name, true)
        return this.#fetch(query)
      }
    }
  }

  #makeRequest({ key, offset, limit, isReverse }: PageQuery, isCounted: boolean) {
    const { path, query, page, strategy, size, isAppendOnly, isWrittenAtOnce } = this.source
    const field = isAppendOnly && strategy.kind === 'keyset' ? strategy.field : undefined
    const wanted = { key, offset, limit, isReverse }
    return get(path, page, {
      // V8 takes microseconds to add properties after a spread.
      query: Object.assign({}, query, {
        'pagination.key': key,
        'pagination.offset': offset,
        'pagination.limit': limit,
        'pagination.reverse': isReverse,
        'pagination.count_total': isCounted,
      }),
      // A list that each indexer has is not absent: the request went elsewhere.
      is404Error: !isOptionalRoute(routeOf(path)),
      isFinal: isCounted
        ? isWrittenAtOnce === true && ((read) => isCountedPage(read) && isReadable(read))
        : field !== undefined && ((read) => isFinalPage({ field, size }, wanted, read) && isReadable(read)),
    })
  }

  /** The same list as another source has it, without a filter that the upstream is asked for. */
  readonly #unasked = (source: ListSource<T>) =>
    new List(this.#scope, this.#upstream, { ...source, asked: undefined }, this.order)

  #obedience() {
    return learntObedience(this.#scope.cache.hints, this.#upstream.source, routeOf(this.source.path))
  }

  get #isDescending(): boolean {
    return this.order === 'DESC'
  }

  /** Whether the upstream itself counts the records of the list. */
  get #isCountable(): boolean {
    const { size, total } = this.source
    return size === undefined && (total === 'count' || total === 'estimate')
  }

  #nameIn(order: ListOrder): string {
    const { path, page, filterKey = '', asked } = this.source
    const query = { ...this.source.query, ...asked?.query }
    return `${this.#upstream.service} ${get(path, page, { query }).target} ${filterKey} ${order}`
  }

  /** Where it is noted that the list is too long for its window. */
  #longMark() {
    const region = this.#scope.cache.hints.open<true>(longLists)
    const name = this.#nameIn('ASC')
    return { has: () => region.get(name) === true, add: () => region.set(name, true) }
  }
}

// A new one each time, since an operation takes the items of its pages when it ends.
const noRecords = (): PageResult<never> => ({ items: [], hasMore: false, last: null })

const isReadable = ({ items }: Page<unknown>): boolean => !items.some((item) => item instanceof UnreadableRecord)
