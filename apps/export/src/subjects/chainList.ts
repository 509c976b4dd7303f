import type { Page } from './subject.ts'

interface ChainData<Node> {
  readonly chain: {
    readonly list: {
      readonly nodes: readonly (Node | null)[]
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
    } | null
  } | null
}

/** An edge in the form of those of activity. */
interface ChainEdge<Node> {
  readonly chain: { readonly chainId: string }
  readonly node: Node | null
}

/** A document that reads a list of a chain from its beginning. */
export const chainListDocument = (name: string, list: string, filter: string, fields: string): string => `query ${name}(
  $chainId: ChainId!, $filter: ${filter}, $first: Int!, $after: String
) {
  chain(chainId: $chainId) {
    list: ${list}(first: $first, after: $after, filter: $filter, order: ASC) {
      pageInfo { hasNextPage endCursor }
      nodes { ${fields} }
    }
  }
}`

/** The page in the data of such a document. If the chain cannot be read, it has an error in its place. */
export function chainPageIn<Node>(data: unknown, chainId: string): Page<ChainEdge<Node>> | undefined {
  const list = (data as ChainData<Node> | null)?.chain?.list
  if (!list) return undefined
  const edges = list.nodes.map((node) => ({ chain: { chainId }, node }))
  return { edges, ...list.pageInfo, unavailable: [] }
}
