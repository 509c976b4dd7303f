import { toColumns } from '#kit/table'
import type { Table } from '../table.ts'
import { identifyEdge } from './activityPage.ts'
import { chainListDocument, chainPageIn } from './chainList.ts'
import type { Source } from './subject.ts'

interface BlockEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly hash: string
    readonly height: number
    readonly timestamp: string | null
    readonly transactionCount: number
    readonly gasUsed: string | null
    readonly gasWanted: string
    readonly proposer: { readonly operatorAddress: string | null } | null
  } | null
}

const fields = 'hash height timestamp transactionCount gasUsed gasWanted proposer { operatorAddress }'

/** All blocks of a chain. */
export const blockSource = (
  chainId: string,
  filter: { readonly since?: string; readonly until?: string },
): Source<BlockEdge> => ({
  document: chainListDocument('ExportBlocks', 'blocks', 'TimeFilter', fields),
  variablesAt: (place) => ({ chainId, filter, ...place }),
  pageIn: (data) => chainPageIn(data, chainId),
  identify: identifyEdge,
})

/** A row for each block. */
export const blockTable: Table<BlockEdge> = {
  columns: toColumns({
    ...{ time: 'time', chain_id: 'code', height: 'integer', hash: 'code', proposer: 'code' },
    ...{ transaction_count: 'integer', gas_used: 'amount', gas_wanted: 'amount' },
  }),
  rowsOf: ({ chain, node }) =>
    node
      ? [
          [
            ...[node.timestamp, chain.chainId, node.height, node.hash, node.proposer?.operatorAddress ?? null],
            ...[node.transactionCount, node.gasUsed, node.gasWanted],
          ],
        ]
      : [],
}
