import type { Client } from '../client.ts'
import { type FollowOptions, followConnection } from '../follow.ts'
import { type Answer, missingIn, readPage, whenWholer } from '../missing.ts'
import type { PortolanError } from '../portolanError.ts'
import type { Source } from './store.ts'

/** The rows of a list that is followed. */
export interface ConnectionState<Page, Row> {
  /** Newest first. */
  readonly rows: readonly Row[]
  /** The page that was read last. Undefined before the first. */
  readonly page: Page | undefined
  /** Why it ended, or what is missing: a chain, a part of the page, or a row. */
  readonly error: PortolanError | undefined
  /** Whether there is an older page. */
  readonly hasMore: boolean
}

/** A followed list, and where its older pages are. */
export interface ConnectionOptions<Page, PageVariables, Event, EventVariables, Row>
  extends Omit<FollowOptions<Page, PageVariables, Event, EventVariables, Row>, 'signal'> {
  /** The cursor of the next older page. Null if there is none. */
  readonly endCursorOf?: (page: Page) => string | null | undefined
  /** The variable of `page` that takes it. Default: `after`. */
  readonly endCursorVariable?: string
}

/** Older pages that are read anew with the first. Beyond them, a reader loads them again. */
const maxRead = 10

/** A followed list that reads older pages on demand. */
export interface ConnectionSource<Page, Row> extends Source<ConnectionState<Page, Row>> {
  /** Reads the next older page. */
  readonly loadMore: () => Promise<void>
}

/**
 * A page, its continuation, and older pages on demand. Each page that lacks a chain is read again until it is whole. It is read
 * anew, with its older pages, after a gap and when it starts again.
 */
export function connectionSource<Page, PageVariables, Event, EventVariables, Row>(
  client: Client,
  options: ConnectionOptions<Page, PageVariables, Event, EventVariables, Row>,
): ConnectionSource<Page, Row> {
  const { rowsOf, endCursorOf, endCursorVariable = 'after' } = options
  const initial: ConnectionState<Page, Row> = { rows: [], page: undefined, error: undefined, hasMore: false }
  let set: (change: () => ConnectionState<Page, Row>) => void = () => {}
  let isStarted = false
  let newer: readonly Row[] = []
  let first: Answer<Page> | undefined
  let older: readonly Answer<Page>[] = []
  /** Why the list ended, or what its newest rows lack. */
  let fault: PortolanError | undefined
  /** Older pages are read one after another. */
  let turn: Promise<unknown> = Promise.resolve()
  let loading: Promise<void> | undefined
  /** Ends the wait for an older page that lacks a chain. */
  let repair = new AbortController()

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }
  const endOf = (answer: Answer<Page> | undefined) => answer && endCursorOf?.(answer.data)
  const readAfter = (cursor: string, signal?: AbortSignal): Promise<Answer<Page>> =>
    readPage<Page>(client, options.page, { ...options.pageVariables, [endCursorVariable]: cursor }, signal)

  /** These older pages, and the next ones until there are so many. */
  const readOlder = async (pages: readonly Answer<Page>[], count: number, newest = first) => {
    const all = [...pages]
    while (all.length < count) {
      const cursor = endOf(all.at(-1) ?? newest)
      if (!cursor) break
      all.push(await readAfter(cursor))
    }
    return all
  }

  const show = () => {
    const pages = first ? [first, ...older] : []
    const state = {
      rows: [...newer, ...pages.flatMap(({ data }) => rowsOf(data))],
      page: first?.data,
      error: fault ?? pages.find(({ error }) => error)?.error,
      hasMore: Boolean(endOf(pages.at(-1))),
    }
    set(() => state)
  }

  const showOlder = (pages: readonly Answer<Page>[]) => {
    older = pages
    show()
    repair.abort()
    repair = new AbortController()
    if (isStarted) void repairOlder(repair.signal)
  }

  /** Waits for the first older page that lacks a chain, and reads those after it anew. */
  const repairOlder = async (signal: AbortSignal) => {
    // All are read anew when the first page has become whole.
    if (!first || missingIn(first).size > 0) return
    const at = older.findIndex((answer) => missingIn(answer).size > 0)
    const lacking = older[at]
    const cursor = endOf(older[at - 1] ?? first)
    if (!lacking || !cursor) return
    const found = await whenWholer(lacking, () => readAfter(cursor, signal), signal)
    if (!found) return
    await inTurn(async () => {
      if (signal.aborted) return
      const start = [...older.slice(0, at), found]
      const pages = await readOlder(start, older.length).catch(() => start)
      if (!signal.aborted) showOlder(pages)
    })
  }

  const follow = async (signal: AbortSignal) => {
    for await (const item of followConnection(client, { ...options, signal })) {
      if (item.kind === 'page') {
        await inTurn(async () => {
          const { data, error } = item
          const newest = { data, error }
          // Rows that are shown stay, so their pages are read before any is replaced.
          const pages = await readOlder([], Math.min(older.length, maxRead), newest).catch(() => [])
          if (signal.aborted) return
          first = newest
          newer = []
          fault = undefined
          showOlder(pages)
        })
      }
      if (item.kind === 'row') newer = [item.row, ...newer]
      if (item.kind === 'error') fault = item.error
      if (item.kind === 'row' || item.kind === 'error') show()
    }
  }

  return {
    initial,
    start(setState) {
      set = setState
      isStarted = true
      const abort = new AbortController()
      follow(abort.signal).catch((error) => {
        if (abort.signal.aborted) return
        fault = error
        show()
      })
      return () => {
        isStarted = false
        abort.abort()
        repair.abort()
      }
    },
    loadMore() {
      loading ??= inTurn(async () => showOlder(await readOlder(older, older.length + 1))).finally(() => {
        loading = undefined
      })
      return loading
    },
  }
}
