/** The slippage of swaps that a wallet tolerates unless it asks for another one, in percent: the default of `transferMessages`. */
export const usualSlippage = 1

/** The least that a swap gives at the usual slippage, in base units, rounded down. */
export const leastOf = (amount: string): string => ((BigInt(amount) * BigInt(100 - usualSlippage)) / 100n).toString()

/** What the least is worth in US dollars, of the worth of the whole. Undefined without one. */
export const leastWorth = (usd: string | null | undefined): string | undefined =>
  usd == null ? undefined : String((Number(usd) * (100 - usualSlippage)) / 100)
