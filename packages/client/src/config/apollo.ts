import type { FieldPolicy, TypePolicies, TypePolicy } from '@apollo/client'
import { relayStylePagination } from '@apollo/client/utilities'
import { lists, replaced, values } from './generated/tables.ts'

/** What the cache keeps of a list, besides its edges. */
interface StoredConnection {
  readonly nodes?: readonly unknown[]
  readonly pageInfo?: { readonly startCursor?: string | null; readonly endCursor?: string | null }
  /** How many nodes come before the cursor that a page began after. */
  readonly places?: Readonly<Record<string, number>>
}

/** A list in pages, whose `nodes` are put together like its `edges`. */
function pagesOf(keyArguments: readonly string[]): FieldPolicy<StoredConnection> {
  const policy = relayStylePagination([...keyArguments]) as FieldPolicy<StoredConnection>
  const { merge, read } = policy
  if (typeof merge !== 'function' || !read) throw new Error('Apollo has no functions for pages.')
  return {
    ...policy,
    read(list, options) {
      // By itself it leaves out edges whose node was not selected, and has texts for the cursors of an empty list.
      const canRead: typeof options.canRead = (node) => node === undefined || options.canRead(node)
      const all = read(list, { ...options, canRead })
      const { pageInfo } = all ?? {}
      if (!pageInfo) return all
      const cursors = {
        startCursor: pageInfo.startCursor || null,
        endCursor: pageInfo.endCursor || null,
      }
      return { ...all, pageInfo: { ...pageInfo, ...cursors } }
    },
    merge(before, page: StoredConnection | null, options) {
      // A list that could not be read. What was there before stays.
      if (!page) return (before ?? null) as StoredConnection
      const merged = merge(before as never, page as never, options) as StoredConnection
      const { after, before: end } = options.args ?? {}
      if (!before || (!after && !end)) return { ...merged, ...nodesOf({}, page, undefined) }
      // A later page says null of the list, such as of its `liveCursor`, where the first one said more.
      const kept = Object.entries(merged).map(([name, value]) => [
        name,
        value ?? before[name as keyof StoredConnection],
      ])
      const place = typeof after === 'string' ? after : undefined
      return { ...Object.fromEntries(kept), ...nodesOf(before, page, place) }
    },
  }
}

/** The nodes of a list and of a page that comes after a cursor. Without one, the page comes before them. */
function nodesOf(before: StoredConnection, page: StoredConnection, after: string | undefined): StoredConnection {
  const { nodes = [], places = {} } = before
  if (!page.nodes) return {}
  if (after === undefined && before.nodes) return { nodes: [...page.nodes, ...nodes], places: {} }
  const length = after === undefined ? 0 : (places[after] ?? nodes.length)
  const all = [...nodes.slice(0, length), ...page.nodes]
  const end = page.pageInfo?.endCursor
  return { nodes: all, places: { ...places, ...(end && { [end]: all.length }) } }
}

const replace: FieldPolicy = { merge: false }

/**
 * Policies for the `InMemoryCache` of Apollo Client 4. The pages of a list form one list. Records are known by
 * their `id`; objects without one belong to their parent, and their fields are kept together.
 */
export const typePolicies: TypePolicies = Object.fromEntries(
  [...new Set([...values, ...Object.keys(lists), ...Object.keys(replaced)])].map((name) => {
    const fields = Object.fromEntries([
      ...(replaced[name] ?? []).map((field) => [field, replace] as const),
      ...Object.entries(lists[name] ?? {}).map(([field, key]) => [field, pagesOf(key)] as const),
    ])
    const policy: TypePolicy = values.includes(name) ? { keyFields: false, merge: true, fields } : { fields }
    return [name, policy]
  }),
)
