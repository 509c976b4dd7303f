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
  /** The newest page. It replaces all that was yielded before. `error` says which of its fields failed. */
  | {
      readonly kind: 'page'
      readonly rows: readonly Row[]
      readonly data: Page
      readonly error?: PortolanError
    }
  /** A newer row than all before. `error` says which of its fields failed. */
  | {
      readonly kind: 'row'
      readonly row: Row
      readonly data: Event
      readonly error?: PortolanError
    }
  /** An event whose row could not be read. */
  | { readonly kind: 'error'; readonly data: Event; readonly error: PortolanError }
  | { readonly kind: 'notice'; readonly data: Event; readonly notice: unknown }

/**
 * Reads a page, then what follows it, with no row lost or twice. After a gap, it reads the page anew.
 * What came in part is yielded with its error.
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
    let fault: PortolanError | undefined
    const onPartial = (error: PortolanError) => {
      fault = error
    }
    const asked = { signal, onPartial }
    const data = (await query(options.page, options.pageVariables, asked)) as Page
    const partial: { error?: PortolanError } = fault ? { error: fault } : {}
    const rows = rowsOf(data)
    const known = new Set<unknown>(rows.map(keyOf))
    const cursor = cursorOf(data)
    if (!cursor) throw partial.error ?? new PortolanError('NO_CURSOR', noCursor)
    const [variables, resume] = beginning(options.liveVariables ?? {}, cursor, options.rule)
    const live = subscribe(options.live, variables, { signal, resume })
    try {
      yield { kind: 'page', rows, data, ...partial }
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
        const { kind: _, ...own } = event
        const row = rowOf(event.data)
        if (row != null && !known.has(keyOf(row))) yield { kind: 'row', row, ...own }
        else if (row == null && own.error) yield { kind: 'error', ...own, error: own.error }
      }
      if (!gap || signal?.aborted) return
      if (++gaps >= maxGaps) throw new PortolanError(gap.reason, 'No page leads on.')
    } finally {
      await live.return()
    }
  }
}

const noCursor = 'The page has no cursor to continue after.'

/** Gaps in a row, each right after a page, after which the list cannot be followed. */
const maxGaps = 3

/** The functions of a client, whose arguments depend on whether variables may be left out. */
interface Untyped {
  query(...args: unknown[]): Promise<unknown>
  subscribe(...args: unknown[]): ReturnType<Client['subscribe']>
}
