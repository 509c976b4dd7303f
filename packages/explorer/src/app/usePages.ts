import type { PortolanError } from '@portolan/client/errors'
import { useClient } from '@portolan/client/react'
import { useRef, useState } from 'preact/hooks'
import type { TypedDocumentString } from '../generated/graphql.ts'

interface PageInfo {
  readonly hasNextPage: boolean
  readonly endCursor?: string | null
}

/** The rows of a list whose first page a query has read, and what loads the next page. */
export function usePages<Data, Variables extends object, Row>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
  {
    first,
    rowsOf,
    infoOf,
  }: {
    first: Data | undefined
    rowsOf: (page: Data) => readonly (Row | null)[]
    infoOf: (page: Data) => PageInfo | undefined
  },
) {
  const client = useClient()
  const [older, setOlder] = useState<{ of: Data | undefined; pages: readonly Data[] }>({
    of: first,
    pages: [],
  })
  const [fault, setFault] = useState<PortolanError>()
  const pages = first === undefined ? [] : [first, ...(older.of === first ? older.pages : [])]
  const last = pages.at(-1)
  const info = last && infoOf(last)
  const load = async () => {
    const after = info?.endCursor
    const page = await client.query(
      ...([document, { ...variables, after }, { onPartial: setFault }] as never as [never, never]),
    )
    setOlder({ of: first, pages: [...pages.slice(1), page as Data] })
  }
  // The rows of a page stay the same objects, so that they are not drawn anew when the next page comes.
  const read = useRef(new WeakMap<object, readonly Row[]>())
  const rows = pages.flatMap((page) => {
    const known = read.current.get(page as object) ?? rowsOf(page).filter((row) => row !== null)
    read.current.set(page as object, known)
    return known
  })
  return { rows, pages, load, hasMore: info?.hasNextPage ?? false, fault }
}
