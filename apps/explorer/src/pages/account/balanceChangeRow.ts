import type { TransactionParts } from '../../parts/TransactionTable.tsx'
import type { BalanceChangeRow } from './balanceChangeFilter.ts'

/** The amounts by which it changed the balances of the account, but for the fee. */
export const changedBy = ({ changes }: TransactionParts) =>
  changes?.filter(({ kind }) => kind !== 'FEE').map(({ amount }) => amount) ?? []

export const timeOf = (row: TransactionParts | null) => Date.parse(row?.timestamp ?? '')

/** The balance changes of the account by a transaction. One without any may name amounts, as one of 0. */
export function balanceChangeRowOf({
  chain,
  from,
  signers,
  changes,
  standards,
  actions,
}: TransactionParts): BalanceChangeRow {
  const parts = actions?.flatMap(({ summaryParts }) => summaryParts) ?? []
  const standardOf = new Map(standards?.map(({ standard, contract }) => [contract.address.toLowerCase(), standard]))
  const assets = (changes?.filter(({ kind }) => kind !== 'FEE') ?? []).map((change) => ({
    ...change,
    standard: standardOf.get(change.collection?.address.toLowerCase() ?? ''),
  }))
  const signer = from?.address ?? signers?.[0]?.account?.address
  return {
    chain,
    signer,
    changes: assets.length > 0 ? assets : parts.flatMap(({ amount }) => amount ?? []),
    parties: [signer, ...parts.map(({ account, address }) => account?.address ?? address)],
  }
}
