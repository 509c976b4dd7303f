/** What a native transaction does. */
export type TransactionKind =
  | 'createCollection'
  | 'transferNft'
  | 'burnNft'
  | 'mintNft'
  | 'send'
  | 'delegate'
  | 'claim'
  | 'ibcTransfer'
  | 'receive'
  | 'deposit'
  | 'withdraw'
  | 'execute'
  | 'deploy'

/** What a transaction does, without the amounts and times that differ between repetitions. */
export interface Shape {
  readonly kind: TransactionKind
  /** Index of the first signer in `users`. Relays are signed by the relayer instead. */
  readonly sender: number
  /** Index of the counterparty in `users`. */
  readonly peer: number
  readonly failed: boolean
  /** Which of three variants of the kind it is, from 0 to 2. */
  readonly variant: number
  /** Indexes of the collection and token it moves. 0 if it moves none. */
  readonly collection: number
  readonly token: number
  /** Number of EVM calls it makes, from 1 to 4. */
  readonly calls: number
  /** Whether it does the same as the transaction before it, but is not signed as an EVM transaction. */
  readonly isRepeat?: boolean
}

/** The sequence that decides the amounts and costs of a transaction: of a repetition, the one before. */
export const sourceOf = ({ isRepeat }: Shape, sequence: number): number =>
  isRepeat ? sequence - 1 : sequence
