import type { Client } from './client.ts'
import type { Document } from './document.ts'
import type { Live } from './live.ts'
import { type Answer, readPage, whenWholer } from './missing.ts'
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
export type FollowEvent<Page, Event, Row> =
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
 * Reads a page, then what follows it, with no row lost or twice. After a gap, it reads the page anew. A page that lacks a chain
 * is read again after a while, and yielded anew once it has the rows of that chain. What came in part is yielded with its error.
 * @throws PortolanError if a page cannot be read or has no cursor, or the subscription cannot continue.
 */
export async function* followConnection<Page, PageVariables, Event, EventVariables, Row>(
  client: Client,
  options: FollowOptions<Page, PageVariables, Event, EventVariables, Row>,
): AsyncGenerator<FollowEvent<Page, Event, Row>, void, undefined> {
  const { cursorOf, rowsOf, rowOf, keyOf, signal } = options
  const { subscribe } = client as Untyped
  const read = (signal?: AbortSignal) => readPage<Page>(client, options.page, options.pageVariables, signal)
  let gaps = 0
  let wholer: Answer<Page> | undefined
  for (;;) {
    const answer: Answer<Page> = wholer ?? (await read(signal))
    wholer = undefined
    const { data, error } = answer
    const rows = rowsOf(data)
    const known = new Set<unknown>(rows.map(keyOf))
    const cursor = cursorOf(data)
    if (!cursor) throw error ?? new PortolanError('NO_CURSOR', noCursor)
    const [variables, resume] = beginning(options.liveVariables ?? {}, cursor, options.rule)
    const live = subscribe(options.live, variables, { signal, resume })
    const left = new AbortController()
    const repair = whenWholer(answer, () => read(left.signal), left.signal).then((found) => {
      wholer = found
      // It has another cursor to continue after.
      if (found) void live.return()
    })
    try {
      yield { kind: 'page', rows, data, ...(error && { error }) }
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
      if (signal?.aborted || !(gap || wholer)) return
      if (gap) wholer = undefined
      if (gap && ++gaps >= maxGaps) throw new PortolanError(gap.reason, 'No page leads on.')
    } finally {
      left.abort()
      await live.return()
      await repair
    }
  }
}

const noCursor = 'The page has no cursor to continue after.'

/** Gaps in a row, each right after a page, after which the list cannot be followed. */
const maxGaps = 3

/** The function of a client, whose arguments depend on whether variables may be left out. */
interface Untyped {
  subscribe(...args: unknown[]): ReturnType<Client['subscribe']>
}
