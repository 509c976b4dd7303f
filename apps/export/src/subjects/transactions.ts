import { type DescribedAction, tellWhole, toldFields } from '#kit/summary'
import { toColumns } from '#kit/table'
import type { Table } from '../table.ts'
import { type ActivityFilter, activityDocument, activityPageIn, identifyEdge } from './activityPage.ts'
import { chainListDocument, chainPageIn } from './chainList.ts'
import type { Source } from './subject.ts'

interface TransactionEdge {
  readonly chain: { readonly chainId: string }
  readonly node: {
    readonly hash: string
    readonly height: number
    readonly timestamp: string | null
    readonly isSuccessful: boolean | null
    readonly actions: readonly (DescribedAction & { readonly kind: string })[]
    readonly code: number
    readonly gasUsed: string | null
    readonly gasWanted: string
    readonly memo: string | null
    readonly fee: { readonly amount: readonly { readonly amount: string; readonly denom: string }[] } | null
    readonly signers: readonly { readonly account: { readonly address: string } | null }[]
  } | null
}

const fields = `hash height timestamp isSuccessful actions { kind ${toldFields} }
... on Transaction { code gasUsed gasWanted memo fee { amount { amount denom } } signers { account { address } } }`

/** The transactions of an account on all chains. */
export const accountTransactions = (address: string, filter: ActivityFilter): Source<TransactionEdge> => ({
  document: activityDocument('ExportTransactions', `node { ${fields} }`),
  variablesAt: (place) => ({ address, filter, ...place }),
  pageIn: activityPageIn<TransactionEdge>,
  identify: identifyEdge,
})

/** All transactions of a chain. */
export const chainTransactions = (chainId: string, filter: ActivityFilter): Source<TransactionEdge> => ({
  document: chainListDocument(
    'ExportChainTransactions',
    'transactions',
    'TransactionFilter',
    `chain { chainId } ${fields}`,
  ),
  variablesAt: (place) => ({ chainId, filter, ...place }),
  pageIn: (data) => chainPageIn(data, chainId),
  identify: identifyEdge,
})

/** A row for each transaction. */
export const transactionTable: Table<TransactionEdge> = {
  columns: toColumns({
    ...{ time: 'time', chain_id: 'code', height: 'integer', hash: 'code', is_successful: 'boolean', code: 'integer' },
    ...{ kind: 'code', summary: 'text', signers: 'code', fee: 'text', gas_used: 'amount', gas_wanted: 'amount' },
    memo: 'text',
  }),
  rowsOf({ chain, node }) {
    if (!node) return []
    const signers = node.signers.flatMap(({ account }) => account?.address ?? [])
    const fee = node.fee?.amount.map(({ amount, denom }) => `${amount}${denom}`).join(',')
    return [
      [
        ...[node.timestamp, chain.chainId, node.height, node.hash, node.isSuccessful, node.code],
        [...new Set(node.actions.map(({ kind }) => kind))].join(' ') || null,
        node.actions.map(tellWhole).join('; ') || null,
        ...[signers.join(' ') || null, fee ?? null, node.gasUsed, node.gasWanted, node.memo],
      ],
    ]
  },
}
