import type { Client } from './client.ts'
import type { Document } from './document.ts'
import type { Live } from './live.ts'
import { PortolanError } from './portolanError.ts'
import { beginning, type ResumeRule } from './resume.ts'

/** A list and its continuation. The functions say where the documents have what is needed. */
export interface FollowOptions<Page, PageVariables, Event, EventVariables, Row> {
  readonly page: Document<Page, PageVariables>
  readonly pageVariables?: PageVariables
  readonly live: Document<Event, EventVariables>
  readonly liveVariables?: EventVariables
  /** The cursor of a page after which the subscription continues. */
  readonly cursorOf: (page: Page) => string | null | undefined
  /** The rows of a page, newest first. */
  readonly rowsOf: (page: Page) => readonly Row[]
  /** The row of an event. Null if it has none. */
  readonly rowOf: (event: Event) => Row | null | undefined
  /** A value that identifies a row, such as its id. A row that arrives while a page is read can be in both. */
  readonly keyOf: (row: Row) => unknown
  /** How `live` is resumed. Default: as the generated rules say. */
  readonly rule?: ResumeRule | undefined
  readonly signal?: AbortSignal | undefined
}

/** An event that a followed list yields. */
export type Followed<Page, Event, Row> =
  /** The newest page. It replaces all that was yielded before. */
  | { readonly kind: 'page'; readonly rows: readonly Row[]; readonly data: Page }
  /** A newer row than all before. */
  | { readonly kind: 'row'; readonly row: Row; readonly data: Event }
  | { readonly kind: 'notice'; readonly data: Event; readonly notice: unknown }

/**
 * Reads a page, then what follows it, with no row lost or twice. After a gap, it reads the page anew.
 * @throws PortolanError if a page cannot be read or has no cursor, or the subscription cannot continue.
 */
export async function* followConnection<Page, PageVariables, Event, EventVariables, Row>(
  client: Client,
  options: FollowOptions<Page, PageVariables, Event, EventVariables, Row>,
): AsyncGenerator<Followed<Page, Event, Row>, void, undefined> {
  const { cursorOf, rowsOf, rowOf, keyOf, signal } = options
  const { query, subscribe } = client as Untyped
  let gaps = 0
  for (;;) {
    const data = (await query(options.page, options.pageVariables, { signal })) as Page
    const rows = rowsOf(data)
    const known = new Set<unknown>(rows.map(keyOf))
    const cursor = cursorOf(data)
    if (!cursor) throw new PortolanError('NO_CURSOR', 'The page has no cursor to continue after.')
    const [variables, resume] = beginning(options.liveVariables ?? {}, cursor, options.rule)
    const live = subscribe(options.live, variables, { signal, resume })
    try {
      yield { kind: 'page', rows, data }
      let gap: { readonly reason: string } | undefined
      for await (const event of live as Live<Event>) {
        // Nobody knows when the subscription began anew, so it is left for one that begins after a page.
        if (event.kind === 'gap') {
          gap = event
          break
        }
        if (event.kind === 'notice') yield event
        if (event.kind !== 'data') continue
        gaps = 0
        const row = rowOf(event.data)
        if (row != null && !known.has(keyOf(row))) yield { kind: 'row', row, data: event.data }
      }
      if (!gap || signal?.aborted) return
      if (++gaps >= maxGaps) throw new PortolanError(gap.reason, 'No page leads on.')
    } finally {
      await live.return()
    }
  }
}

/** Gaps in a row, each right after a page, after which the list cannot be followed. */
const maxGaps = 3

/** The functions of a client, whose arguments depend on whether variables may be left out. */
interface Untyped {
  query(...args: unknown[]): Promise<unknown>
  subscribe(...args: unknown[]): ReturnType<Client['subscribe']>
}
