import { activityColumns, activityRows, type RowAction, type RowChange } from '#kit/activity'
import { toldFields } from '#kit/summary'
import { isAddressOf } from '../isAddressOf.ts'
import type { Table } from '../table.ts'
import type { ActivityFilter } from './activityPage.ts'
import { activityDocument, activityPageIn, identifyEdge } from './activityPage.ts'
import type { Source } from './subject.ts'

/** An amount of an action. */
export interface ActionAmount {
  readonly amount: string
  readonly denom: string
}

/** What a message did. */
export interface Action extends RowAction {
  readonly summary: string
  readonly isSuccessful: boolean
  readonly amounts: readonly ActionAmount[] | null
}

/** What an account lost or gained of an asset. */
export interface ExportedChange extends RowChange {
  readonly kind: 'COIN' | 'FEE' | 'NFT' | 'OBJECT' | 'TOKEN'
  readonly amount: string
  readonly asset: {
    readonly symbol: string | null
    readonly decimals: number | null
    readonly originChainId: string | null
    readonly originDenom: string | null
    readonly origin: { readonly symbol: string | null } | null
  } | null
}

/** A transaction of an account. */
export interface ActivityEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly hash: string
    readonly height: number
    readonly timestamp: string | null
    readonly isSuccessful: boolean | null
    readonly actions: readonly Action[]
    readonly signers?: readonly { readonly account: { readonly hexAddress: string | null } | null }[]
  } | null
  readonly balanceChanges: readonly ExportedChange[] | null
}

const edge = `node {
  hash height timestamp isSuccessful
  actions {
    kind summary messageIndex isSuccessful remoteAddress channel packetSequence
    actor { address hexAddress } counterparty { address hexAddress } amounts { amount denom } ${toldFields}
  }
  ... on Transaction { signers { account { hexAddress } } }
}
balanceChanges {
  kind amount formattedAmount usdValueAtTime denom tokenId objectAddress messageIndex
  contract { address } collection { address } asset { symbol decimals originChainId originDenom origin { symbol } }
}`

/** The activity of an account on all chains. */
export const activitySource = (address: string, filter: ActivityFilter): Source<ActivityEdge> => ({
  document: activityDocument('ExportActivity', edge),
  variablesAt: (place) => ({ address, filter, ...place }),
  pageIn: activityPageIn<ActivityEdge>,
  // Without its changes, nothing is known of what it did to the account.
  identify: (of) => (of.balanceChanges === null ? undefined : identifyEdge(of)),
})

/** A row for each loss and gain of an account, in hex, or one for a transaction that changed nothing. */
export const activityTable = (account: string): Table<ActivityEdge> => ({
  columns: activityColumns,
  rowsOf(edge) {
    const owner = { hexAddress: account, isOwn: (address: string) => isAddressOf(address, account) }
    return edge.balanceChanges ? activityRows(edge, owner) : []
  },
})
