import { type ActivityFilter, activityDocument, activityPageIn, identifyEdge } from '../subjects/activityPage.ts'
import type { Source } from '../subjects/subject.ts'

/** An asset as its chain's list has it, and where it was issued. */
export interface KoinlyAsset {
  readonly symbol: string | null
  readonly decimals: number | null
  readonly originChainId: string | null
  readonly originDenom: string | null
  readonly origin: { readonly chainId: string; readonly denom: string; readonly symbol: string | null } | null
}

/** An amount of an action. */
export interface ActionAmount {
  readonly amount: string
  readonly denom: string
  /** It is not read with the action, which would double the cost of a page: `addAssets` adds it. */
  readonly asset?: KoinlyAsset | null
}

/** What a message did. */
export interface Action {
  readonly kind: string
  /** The type of its message. */
  readonly rawKind: string | null
  readonly summary: string
  /** One for all messages inside a message. */
  readonly messageIndex: number | null
  readonly isSuccessful: boolean
  readonly actor: { readonly hexAddress: string | null } | null
  readonly remoteAddress: string | null
  readonly amounts: readonly ActionAmount[] | null
  readonly receivedAmounts: readonly ActionAmount[] | null
}

interface Place {
  readonly address: string
}

/** What an account lost or gained of an asset by one message. */
export interface KoinlyChange {
  readonly kind: 'COIN' | 'FEE' | 'NFT' | 'OBJECT' | 'TOKEN'
  readonly amount: string
  /** In US dollars, negative for losses. */
  readonly usdValueAtTime: string | null
  readonly denom: string | null
  readonly objectAddress: string | null
  readonly messageIndex: number | null
  readonly contract: Place | null
  readonly collection: Place | null
  readonly asset: KoinlyAsset | null
}

/** A transaction of an account, as far as its rows in Koinly's format have it. */
export interface KoinlyEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly hash: string
    readonly timestamp: string | null
    readonly isSuccessful: boolean | null
    readonly actions: readonly Action[]
    readonly signers?: readonly { readonly account: { readonly hexAddress: string | null } | null }[]
  } | null
  /** Null if they could not be read. */
  readonly balanceChanges: readonly KoinlyChange[] | null
}

/** What is asked of an asset. */
export const assetFields = '{ symbol decimals originChainId originDenom origin { chainId denom symbol } }'

const edge = `node {
  hash timestamp isSuccessful
  actions {
    kind rawKind summary messageIndex isSuccessful remoteAddress actor { hexAddress }
    amounts { amount denom } receivedAmounts { amount denom }
  }
  ... on Transaction { signers { account { hexAddress } } }
}
balanceChanges(byMessage: true) {
  kind amount usdValueAtTime denom objectAddress messageIndex contract { address } collection { address }
  asset ${assetFields}
}`

/** The activity of an account on all chains, with what each message changed. */
export const koinlySource = (address: string, filter: ActivityFilter): Source<KoinlyEdge> => ({
  document: activityDocument('ExportKoinly', edge),
  variablesAt: (place) => ({ address, filter, ...place }),
  pageIn: activityPageIn<KoinlyEdge>,
  // Without its changes, nothing is known of what it did to the account.
  identify: (of) => (of.balanceChanges === null ? undefined : identifyEdge(of)),
})
