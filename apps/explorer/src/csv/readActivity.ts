import { isIn, type Span } from '../pages/account/activityFilter.ts'

/** The most rows of one file, and the most pages that are read for it. */
export const maxRows = 10_000
export const maxPages = 200

/** What each page of activity has, also if nothing else was asked for. */
export interface ActivityPage<Edge> {
  readonly edges: readonly Edge[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null }
  readonly unavailableChains: readonly MissingChain[]
}

export interface MissingChain {
  readonly chain: { readonly chainId: string; readonly prettyName: string }
  readonly code: string
}

/** An edge, as far as reading it needs to know. Null instead of a transaction that cannot be read. */
interface AnyEdge {
  readonly node?: { readonly timestamp?: string | null } | null
}

/** Why no more was read: all of the span was, a bound was met first, or a later page could not be read. */
export type End = 'complete' | 'too many rows' | 'too many pages' | 'failed'

/** What was read of the activity of a span. */
export interface ReadActivity<Row> {
  readonly rows: readonly Row[]
  readonly end: End
  /** Chains whose records may be missing. */
  readonly missing: readonly MissingChain[]
  /** Transactions that could not be read. */
  readonly unreadable: number
  /** The time of the oldest record that was read. Undefined without any. */
  readonly oldest: number | undefined
}

/**
 * Reads activity from the newest on until it is older than the span. A chain that was missing on an early page
 * comes first on a later one, so only those that the last page lacks are missing.
 */
export async function readActivity<Edge extends AnyEdge, Row>({
  span,
  read,
  rowsOf,
  isAborted,
  onProgress,
}: {
  span: Span
  read: (after: string | undefined) => Promise<ActivityPage<Edge>>
  rowsOf: (edge: Edge) => readonly Row[]
  /** Whether the reader has given it up. A failure then ends it, and keeps nothing. */
  isAborted: () => boolean
  /** Called with the rows so far and the time of the oldest record. */
  onProgress?: (rows: number, oldest: number | undefined) => void
}): Promise<ReadActivity<Row>> {
  const rows: Row[] = []
  let oldest: number | undefined
  let unreadable = 0
  let after: string | undefined
  let missing: readonly MissingChain[] = []
  const done = (end: End) => ({ rows, end, missing, unreadable, oldest })
  for (let pages = 1; ; pages++) {
    const page = await read(after).catch((error: unknown) => {
      if (pages === 1 || isAborted()) throw error
      return undefined
    })
    if (!page) return done('failed')
    missing = page.unavailableChains
    let last = Number.POSITIVE_INFINITY
    for (const edge of page.edges) {
      const time = Date.parse(edge.node?.timestamp ?? '')
      if (!edge.node) unreadable++
      else if (isIn(span, time)) {
        const own = rowsOf(edge)
        if (rows.length + own.length > maxRows) return done('too many rows')
        rows.push(...own)
      }
      if (Number.isNaN(time)) continue
      last = time
      oldest = Math.min(oldest ?? time, time)
    }
    onProgress?.(rows.length, oldest)
    const { hasNextPage, endCursor } = page.pageInfo
    const isOlder = span.since !== undefined && last < span.since
    // Only chains that do not answer may be left, which would be asked for ever.
    const isStuck = missing.length > 0 && page.edges.length === 0
    if (isOlder || isStuck || !hasNextPage || !endCursor) return done('complete')
    if (pages === maxPages) return done('too many pages')
    after = endCursor
  }
}
