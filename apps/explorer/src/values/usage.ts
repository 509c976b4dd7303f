/** A transaction, as far as the use of its chain is counted. */
export interface UsingTransaction {
  readonly height: number
  /** In ISO 8601 with `Z`. Null if unknown. */
  readonly timestamp?: string | null
  readonly isSuccessful?: boolean | null
  /** Null if the indexer did not keep them. */
  readonly signers?: readonly { readonly account?: { readonly hexAddress?: string | null } | null }[] | null
}

/** How a chain was used in an hour or a day of UTC. */
export interface UsageRow {
  /** Its start, such as `2026-11-30T14:00:00Z`. */
  readonly start: string
  readonly transactions: number
  readonly failed: number
  /** Addresses that signed, each once. Signers without a readable address count for nobody. */
  readonly signers: number
  readonly firstHeight: number
  readonly lastHeight: number
  /** Whether all its transactions were read: the newest one goes on, and of the oldest one some may be missing. */
  readonly isWhole: boolean
}

/** The spans by which transactions are counted, with the length of a timestamp that says which one it is. */
export const spans = { hour: 13, day: 10 } as const
export type Span = keyof typeof spans

/**
 * How a chain was used in each hour or day of some transactions, newest first. They have to follow each other without a gap.
 * Those that cannot be read or have no time are counted nowhere, and could be of any row. `isAll` says that there are no older ones.
 */
export function usageOf(
  transactions: readonly (UsingTransaction | null)[],
  span: Span,
  isAll: boolean,
): readonly UsageRow[] {
  const groups = new Map<string, UsingTransaction[]>()
  const isEachKnown = transactions.every((transaction) => transaction?.timestamp)
  for (const transaction of transactions) {
    const key = transaction?.timestamp?.slice(0, spans[span])
    if (transaction && key) groups.set(key, [...(groups.get(key) ?? []), transaction])
  }
  const inOrder = [...groups].toSorted(([a], [b]) => (a < b ? 1 : -1))
  return inOrder.map(([key, group], index) => {
    const heights = group.map(({ height }) => height)
    const signers = group.flatMap((each) => each.signers?.map(({ account }) => account?.hexAddress) ?? [])
    return {
      start: span === 'hour' ? `${key}:00:00Z` : `${key}T00:00:00Z`,
      transactions: group.length,
      failed: group.filter(({ isSuccessful }) => isSuccessful === false).length,
      signers: new Set(signers.filter(Boolean)).size,
      firstHeight: Math.min(...heights),
      lastHeight: Math.max(...heights),
      isWhole: isEachKnown && index > 0 && (index < inOrder.length - 1 || isAll),
    }
  })
}
