import type { BalanceChangeRow, ChangedAsset } from './balanceChangeFilter.ts'

export const timeOf = (row: { readonly timestamp?: string | null } | null) => Date.parse(row?.timestamp ?? '')

interface Place {
  readonly address: string
}

/** A balance change of an account, as far as a choice regards it. */
interface Change extends ChangedAsset {
  readonly collection?: Place | null
  readonly contract?: Place | null
}

/** A transaction, as far as a choice regards it. */
export interface ChangingTransaction {
  readonly chain: BalanceChangeRow['chain']
  readonly from?: Place | null
  readonly signers?: readonly { readonly account?: Place | null }[] | null
  /** The standards of the contracts whose tokens it moved. */
  readonly standards?: readonly { readonly standard: string; readonly contract: Place }[] | null
  readonly changes?: readonly Change[] | null
  readonly actions?:
    | readonly {
        readonly summaryParts: readonly {
          readonly amount?: ChangedAsset | null
          readonly account?: Place | null
          readonly address?: string | null
        }[]
      }[]
    | null
}

/** The balance changes of the account by a transaction, without the fee. One without any may name amounts, as one of 0. */
export function balanceChangeRowOf({
  chain,
  from,
  signers,
  changes,
  standards,
  actions,
}: ChangingTransaction): BalanceChangeRow {
  const parts = actions?.flatMap(({ summaryParts }) => summaryParts) ?? []
  const standardOf = new Map(standards?.map(({ standard, contract }) => [contract.address.toLowerCase(), standard]))
  const signer = from?.address ?? signers?.[0]?.account?.address
  return {
    chain,
    signer,
    changes: (changes?.filter(({ kind }) => kind !== 'FEE') ?? []).map((change) => ({
      ...change,
      denom: assetIdOf(change),
      standard: standardOf.get(change.collection?.address.toLowerCase() ?? ''),
    })),
    named: parts.flatMap(({ amount }) => amount ?? []),
    parties: [signer, ...parts.map(({ account, address }) => account?.address ?? address)],
  }
}

/** An asset as the files name it: by its denom, or by the address of its contract or object. */
const assetIdOf = ({ denom, collection, contract, objectAddress }: Change): string | null =>
  denom ?? collection?.address ?? contract?.address ?? objectAddress ?? null
