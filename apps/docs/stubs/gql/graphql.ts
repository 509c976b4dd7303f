import type { TypedDocumentNode } from '@graphql-typed-document-node/core'

// What GraphQL Code Generator writes for the documents of the pages.

export interface LiveBlocksSubscription {
  blocks: {
    cursor: string
    node: { id: string; height: number; timestamp: string; transactionCount: number } | null
    notice: { kind: string; message: string } | null
  }
}

export declare const LiveBlocksDocument: TypedDocumentNode<
  LiveBlocksSubscription,
  { chainId: string; after?: string | null }
>

export declare const BlockDocument: TypedDocumentNode<
  { chain: { block: { hash: string; timestamp: string } | null } | null },
  { chainId: string; height: number }
>

export declare const WatchTransferDocument: TypedDocumentNode<
  { transfer: { state: string } },
  { chainId: string; hash: string }
>

interface Row {
  id: string
  hash: string
  actions: { summary: string }[] | null
}

export declare const ActivityPageDocument: TypedDocumentNode<
  {
    account: {
      activity: {
        liveCursor: string
        nodes: (Row | null)[]
        pageInfo: { hasNextPage: boolean; endCursor: string | null } | null
      } | null
    } | null
  },
  { address: string; after?: string | null }
>

export declare const LiveActivityDocument: TypedDocumentNode<
  { activity: { cursor: string; node: Row | null } },
  { address: string; after?: string | null }
>

export interface TransfersQuery {
  account: {
    bridgeTransfers: {
      nodes: ({ summary: string; state: string } | null)[]
      pageInfo: { hasNextPage: boolean; endCursor: string | null }
      unavailableChains: { chainId: string }[]
    } | null
  } | null
}

export declare const TransfersDocument: TypedDocumentNode<TransfersQuery, { address: string; after?: string | null }>

export declare const FollowDocument: TypedDocumentNode<
  { bridgeTransfers: { cursor: string; bridgeTransfers: { summary: string; state: string }[] | null } },
  { address: string; after?: string | null }
>
