import { activityColumns, activityRows, type RowEdge } from '#kit/activityTable'
import { toldFields } from '#kit/summary'
import { isAddressOf } from '../isAddressOf.ts'
import type { Table } from '../table.ts'
import type { ActivityFilter } from './activityPage.ts'
import { activityDocument, activityPageIn, identifyEdge } from './activityPage.ts'
import type { Source } from './subject.ts'

const edge = `node {
  hash height timestamp isSuccessful
  actions {
    kind messageIndex remoteAddress channel packetSequence
    actor { address hexAddress } counterparty { address hexAddress } ${toldFields}
  }
}
balanceChanges {
  kind amount formattedAmount usdValueAtTime denom tokenId objectAddress messageIndex
  contract { address } collection { address } asset { symbol }
}`

/** The activity of an account on all chains. */
export const activitySource = (address: string, filter: ActivityFilter): Source<RowEdge> => ({
  document: activityDocument('ExportActivity', edge),
  variablesAt: (place) => ({ address, filter, ...place }),
  pageIn: activityPageIn<RowEdge>,
  // Without its changes, nothing is known of what it did to the account.
  identify: (of) => (of.balanceChanges === null ? undefined : identifyEdge(of)),
})

/** A row for each loss and gain of an account, in hex, or one for a transaction that changed nothing. */
export const activityTable = (account: string): Table<RowEdge> => ({
  columns: activityColumns,
  rowsOf(edge) {
    const owner = { hexAddress: account, isOwn: (address: string) => isAddressOf(address, account) }
    return edge.balanceChanges ? activityRows(edge, owner) : []
  },
})
