import { useEffect, useRef, useState } from 'react'
import type { Client } from '../client.ts'
import { type Answer, readPage } from '../missing.ts'
import type { PortolanError } from '../portolanError.ts'
import { useClient } from './context.ts'
import type { QueryState } from './query.ts'

/** Where the pages of a query have their rows, and their ends. */
export interface UsePagesOptions<Data, Row> {
  /** The rows of a page. Called once for each, so that rows stay the same objects. Nulls are left out. */
  readonly rowsOf: (page: Data) => readonly (Row | null)[]
  readonly pageInfoOf: (
    page: Data,
  ) => { readonly hasNextPage: boolean; readonly endCursor?: string | null } | null | undefined
  /** The variable that takes the end cursor. Default: `after`. */
  readonly endCursorVariable?: string | undefined
}

/** The pages of a list that were read. */
export interface QueryPages<Data, Row> {
  readonly rows: readonly Row[]
  readonly pages: readonly Data[]
  /** What later pages lack, such as a chain. */
  readonly error: PortolanError | undefined
  readonly hasMore: boolean
  /** Reads the next page. Rejects if that fails, and can then be called again. */
  readonly loadMore: () => Promise<void>
}

/** A page that is being read. */
interface PageRead<Data> {
  readonly client: Client
  /** The first page that it follows. */
  readonly first: Data | undefined
  readonly abort: AbortController
  readonly done: Promise<void>
}

/** The rows of a list whose first page a query reads, and later pages on demand. A newer first page begins anew. */
export function usePages<Data, Row>(
  query: QueryState<Data>,
  { rowsOf, pageInfoOf, endCursorVariable = 'after' }: UsePagesOptions<Data, Row>,
): QueryPages<Data, Row> {
  const client = useClient()
  const { data: first, document, variables } = query
  const [later, setLater] = useState<{ readonly first: Data; readonly answers: readonly Answer<Data>[] }>()
  const answers = later && later.first === first ? later.answers : []
  const pages = first === undefined ? [] : [first, ...answers.map(({ data }) => data)]
  const last = pages.at(-1)
  const { hasNextPage = false, endCursor } = (last === undefined ? undefined : pageInfoOf(last)) ?? {}

  const reading = useRef<PageRead<Data>>(undefined)
  // Pages after an older first page are given up. A page that is read after this one, but before the effect has run, is not.
  useEffect(
    () => () => {
      const own = reading.current
      if (own?.client !== client || own.first !== first) return
      own.abort.abort()
      reading.current = undefined
    },
    [client, first],
  )

  const read = async (signal: AbortSignal) => {
    if (first === undefined || !hasNextPage) return
    try {
      const answer = await readPage(client, document, { ...variables, [endCursorVariable]: endCursor }, signal)
      if (!signal.aborted) setLater({ first, answers: [...answers, answer] })
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
  const loadMore = () => {
    const before = reading.current
    if (before?.client === client && before.first === first) return before.done
    before?.abort.abort()
    const abort = new AbortController()
    const done = read(abort.signal).finally(() => {
      if (reading.current?.abort === abort) reading.current = undefined
    })
    reading.current = { client, first, abort, done }
    return done
  }

  const rows = useRef(new WeakMap<object, readonly Row[]>())
  const rowsOnce = (page: Data): readonly Row[] => {
    const found = rows.current.get(page as object) ?? rowsOf(page).filter((row) => row !== null)
    rows.current.set(page as object, found)
    return found
  }
  return {
    rows: pages.flatMap(rowsOnce),
    pages,
    error: answers.find(({ error }) => error)?.error,
    hasMore: hasNextPage,
    loadMore,
  }
}
