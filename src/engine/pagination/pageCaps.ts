import type { UpstreamFacts } from '../upstream/cachedReads.ts'
import { type Path, routeOf } from '../upstream/request.ts'
import type { Page } from '../wire/decode.ts'

/** The sizes of pages that the responses of one list have shown. */
export interface PageCaps {
  /** The most records returned in one page. No cap has cut a page smaller than this. */
  readonly largestPage: number
  readonly maxLimit: number
}

/** The page caps of one list, which grow more exact with each response. */
export interface ObservedPageLimits {
  readonly current: () => PageCaps
  /** Notes the size of a page that the upstream served. */
  readonly observe: (page: Page<unknown>) => void
  /** Notes that the upstream serves this limit and refuses larger ones. */
  readonly lowerLimit: (limit: number) => void
}

/** The largest limit of known indexers. */
export const largestLimit = 1000

/** The assumption for an unread list. */
const unknownCaps: PageCaps = { largestPage: 0, maxLimit: largestLimit }

const region = {
  name: 'page caps',
  // Routes are part of the code: a few dozen for each chain.
  maxEntries: 10_000,
  // An upstream can begin to serve larger pages.
  ttlMs: 60 * 60 * 1000,
}

/**
 * The page caps of the lists on one route of a source.
 *
 * Caps are learnt for each route, not for each source: one list may cut its pages at 50 while another
 * serves 100, and a page of 50 is then the end of the second list only. The values in a path do not
 * count, because one handler serves every account or block. The names of filters do, because an
 * upstream may serve a filtered list by another query with another cap.
 */
export function learntCaps(
  hints: UpstreamFacts,
  source: string,
  path: Path | string,
  filters: readonly string[] = [],
): ObservedPageLimits {
  const entries = hints.open<PageCaps>(region)
  const key = `${source} ${routeOf(path)} ${filters.toSorted().join()}`
  const current = () => entries.get(key) ?? unknownCaps
  return {
    current,
    observe({ items: { length } }) {
      const caps = current()
      if (length > caps.largestPage) entries.set(key, { ...caps, largestPage: length })
    },
    lowerLimit(limit) {
      const caps = current()
      if (limit < caps.maxLimit) entries.set(key, { ...caps, maxLimit: limit })
    },
  }
}

/**
 * Whether a page is the last one of its list: it is empty, or it is smaller than the limit and than a
 * page that the list has served. Any other page may have been cut by a cap.
 */
export const isShortPage = (
  { largestPage, maxLimit }: PageCaps,
  { items: { length } }: Page<unknown>,
  limit: number,
): boolean => length === 0 || length < Math.min(limit, maxLimit, largestPage)
