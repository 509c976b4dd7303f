import {
  AccountDocument,
  AssetDocument,
  AssetsDocument,
  BlockDocument,
  ChainDocument,
  CollectionDocument,
  ContractDocument,
  HomeDocument,
  NftDocument,
  ProposersDocument,
  RecentCallsDocument,
  RoutableChainsDocument,
  SearchDocument,
  ServiceDocument,
  StatusDocument,
  TransactionDocument,
  UsageDocument,
} from '../generated/graphql.ts'
import type { PageWithPath } from './pages.ts'

/** What a page asks for first. The build writes this table into the document of the site. */
export interface FirstQuery {
  readonly document: { toString(): string }
  /**
   * The variables, in the order in which the page has them, or undefined if the page asks for nothing. Its source text is written into a script, so that it
   * uses nothing but its arguments: the parts of the path after the name of the page, and the query.
   */
  readonly variables: (parts: readonly string[], query: URLSearchParams) => object | undefined
}

/** The query of the header, which all pages have. */
export const headerQuery: FirstQuery = { document: ServiceDocument, variables: () => ({}) }

/** The first query of each page. Pages without one begin with a subscription, or with what is kept in the browser. */
export const firstQueries: Partial<Readonly<Record<PageWithPath, FirstQuery>>> = {
  home: { document: HomeDocument, variables: () => ({}) },
  search: {
    document: SearchDocument,
    variables: (_, query) => {
      const text = (query.get('q') ?? '').trim()
      return text === '' ? undefined : { text }
    },
  },
  chain: { document: ChainDocument, variables: ([chainId]) => ({ chainId }) },
  block: {
    document: BlockDocument,
    variables: ([chainId, height = '']) =>
      /^\d{1,15}$/.test(height) ? { chainId, height: Number(height) } : undefined,
  },
  transaction: {
    document: TransactionDocument,
    variables: (parts) => ({
      hash: parts.at(-1),
      chainId: parts.length > 1 ? parts[0] : null,
    }),
  },
  account: { document: AccountDocument, variables: ([address]) => ({ address }) },
  asset: {
    document: AssetDocument,
    variables: ([chainId, ...denom]) => ({ chainId, denom: denom.join('/') }),
  },
  assets: {
    document: AssetsDocument,
    variables: (_, query) => {
      const search = (query.get('q') ?? '').trim()
      return { chainId: query.get('chain') || null, ...(search && { search }) }
    },
  },
  validators: { document: ProposersDocument, variables: ([chainId]) => ({ chainId }) },
  contracts: { document: RecentCallsDocument, variables: ([chainId]) => ({ chainId }) },
  usage: { document: UsageDocument, variables: ([chainId]) => ({ chainId }) },
  collection: {
    document: CollectionDocument,
    variables: ([chainId, address]) => ({ chainId, address }),
  },
  contract: {
    document: ContractDocument,
    variables: ([chainId, address]) => ({ chainId, address, denom: address }),
  },
  nft: {
    document: NftDocument,
    variables: ([chainId, collection, tokenId]) => ({ chainId, collection, tokenId }),
  },
  quote: { document: RoutableChainsDocument, variables: () => ({}) },
  status: { document: StatusDocument, variables: () => ({}) },
}
