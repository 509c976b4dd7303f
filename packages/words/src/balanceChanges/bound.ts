/** The most that is read of one transaction. */
export interface ChangeBounds {
  /** Hashes that find the owners of stores, a few microseconds each. */
  readonly maxHashes: number
  /** Texts that are read as addresses, which costs more than a hash. */
  readonly maxAddresses: number
  /** Denoms that are hashed to name coins. */
  readonly maxDenoms: number
  /** Rows of a list: changed balances, coins of one text, and tokens of one log. */
  readonly maxRows: number
}

/** The bounds of readers that set none. */
export const defaultBounds: ChangeBounds = {
  maxHashes: 1_000,
  maxAddresses: 1_000,
  maxDenoms: 200,
  maxRows: 5_000,
}

/** A transaction has more to read than is allowed, so that what is read would not be whole or rightly named. */
export class UnboundedChanges extends Error {
  override readonly name = 'UnboundedChanges'
}
