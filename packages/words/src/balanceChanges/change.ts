/** The kind of an asset that moved. */
export type ChangeKind = 'COIN' | 'TOKEN' | 'NFT' | 'OBJECT' | 'FEE'

/** The asset that moved, by the transaction itself. */
export interface ChangedAsset {
  readonly kind: ChangeKind
  /** Null for a CW-20 token without one, for NFTs and objects, and if unknown. */
  readonly denom: string | null
  /**
   * The ERC-20 or CW-20 contract, the Move metadata, or the collection of an NFT, as the chain writes it. Null
   * for a coin without a known contract.
   */
  readonly contract: string | null
  /** Null unless it is an NFT. */
  readonly tokenId: string | null
  /** The address of a Move object, which can be an NFT. */
  readonly object: string | null
}

/** Whose a change is. */
export interface Owner {
  /** Hex with `0x`, or the text of an event that is no address. Null if no event says whose it is. */
  readonly account: string | null
  /**
   * Whether the events prove it. False without an account, and where they name only who moved an NFT, which
   * an operator can do for its owner.
   */
  readonly isOwnerKnown: boolean
  /** The Move store that changed, if its owner is not known. */
  readonly store?: string
}

/** A change of what an account has. */
export interface BalanceChange extends Owner, ChangedAsset {
  /** In base units. Negative for what the account lost, never 0. */
  readonly amount: bigint
  /** The message that made it, from 0. Null for a fee, and if several messages made it. */
  readonly messageIndex: number | null
}

/** A coin of the bank module. */
export const coinAsset = (denom: string, contract: string | null = null): ChangedAsset => ({
  kind: 'COIN',
  denom,
  contract,
  tokenId: null,
  object: null,
})

export const tokenAsset = (contract: string, denom: string | null): ChangedAsset => ({
  kind: 'TOKEN',
  denom,
  contract,
  tokenId: null,
  object: null,
})

/** A token of a collection. */
export const nftAsset = (
  contract: string | null,
  tokenId: string | null,
  object: string | null = null,
): ChangedAsset => ({ kind: 'NFT', denom: null, contract, tokenId, object })
