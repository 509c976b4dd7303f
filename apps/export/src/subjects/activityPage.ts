import type { Identity, Page, UnavailableChain } from './subject.ts'

/** The conditions of a list of activity. */
export interface ActivityFilter {
  readonly chainIds?: readonly string[]
  readonly messageTypes?: readonly string[]
  readonly since?: string
  readonly until?: string
}

/** What each edge of a list of activity has, whatever else was asked for. */
export interface AnyActivityEdge {
  readonly chain: { readonly chainId: string }
  readonly node: { readonly hash: string; readonly timestamp: string | null } | null
}

interface ActivityData<Edge> {
  readonly account: {
    readonly list: {
      readonly edges: readonly Edge[]
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null }
      readonly unavailableChains: readonly UnavailableChain[]
    } | null
  } | null
}

/**
 * A document that reads a list of an account on all chains from its beginning. No page passes over a chain that cannot be read,
 * so a cursor says that all before it was read.
 */
export const activityDocument = (
  name: string,
  edge: string,
  { list, filter } = { list: 'activity', filter: 'AccountActivityFilter' },
): string => `query ${name}(
  $address: Address!, $filter: ${filter}, $first: Int!, $after: String
) {
  account(address: $address) {
    hexAddress
    list: ${list}(first: $first, after: $after, filter: $filter, order: ASC, whileUnavailable: HOLD_BACK) {
      pageInfo { hasNextPage endCursor }
      unavailableChains { chainId code }
      edges { chain { chainId } ${edge} }
    }
  }
}`

/** The page in the data of such a document. */
export function activityPageIn<Edge>(data: unknown): Page<Edge> | undefined {
  const list = (data as ActivityData<Edge> | null)?.account?.list
  return list ? { edges: list.edges, ...list.pageInfo, unavailable: list.unavailableChains } : undefined
}

/** What tells a transaction from all others. */
export const identifyEdge = ({ chain, node }: AnyActivityEdge): Identity | undefined =>
  node?.timestamp ? { chainId: chain.chainId, id: node.hash, time: node.timestamp } : undefined
