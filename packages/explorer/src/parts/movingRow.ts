import type { MovingRow } from '../app/movesFilter.ts'
import type { TransactionParts } from './tables.tsx'

/** The amounts by which it changed the balances of the account, but for the fee. */
export const changedBy = ({ changes }: TransactionParts) =>
  changes?.filter(({ kind }) => kind !== 'FEE').map(({ amount }) => amount) ?? []

export const timeOf = (row: TransactionParts | null) => Date.parse(row?.timestamp ?? '')

/** What a transaction moved of the account. One that moved nothing may name amounts, as one of 0. */
export function movingOf({ chain, from, signers, changes, actions }: TransactionParts): MovingRow {
  const parts = actions?.flatMap(({ summaryParts }) => summaryParts) ?? []
  const moved = changes?.filter(({ kind }) => kind !== 'FEE') ?? []
  const signer = from?.address ?? signers?.[0]?.account?.address
  return {
    chain,
    signer,
    moved: moved.length > 0 ? moved : parts.flatMap(({ amount }) => amount ?? []),
    parties: [signer, ...parts.map(({ account, address }) => account?.address ?? address)],
  }
}
