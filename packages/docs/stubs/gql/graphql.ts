import type { TypedDocumentNode } from '@graphql-typed-document-node/core'

// What GraphQL Code Generator writes for the documents of the pages.

export declare const LiveBlocksDocument: TypedDocumentNode<
  {
    blocks: {
      cursor: string
      node: { height: number; timestamp: string; transactionCount: number } | null
      notice: { kind: string; message: string } | null
    }
  },
  { chainId: string; after?: string | null }
>

export declare const BlockDocument: TypedDocumentNode<
  { chain: { block: { hash: string } | null } | null },
  { chainId: string; height: number }
>

export declare const WatchTransferDocument: TypedDocumentNode<
  { transfer: { state: string } },
  { chainId: string; hash: string }
>

export declare const ActivityPageDocument: TypedDocumentNode<
  {
    account: { activity: { liveCursor: string; nodes: ({ hash: string } | null)[] } | null } | null
  },
  { address: string }
>

export declare const LiveActivityDocument: TypedDocumentNode<
  { activity: { cursor: string; node: { hash: string } | null } },
  { address: string; after?: string | null }
>
