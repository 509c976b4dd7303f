import type { CoinMove } from './coins.ts'

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
  | 'settle'

/** The kinds whose packet, deposit or withdrawal has the number of its transaction. */
export const numberedKinds: ReadonlySet<TransactionKind> = new Set(['ibcTransfer', 'deposit', 'withdraw'])

/** The coins that users get from the relayer, and those that they give. */
export interface Settlement {
  readonly paid: readonly CoinMove[]
  readonly collected: readonly CoinMove[]
}

/** The work of a transaction, without its time. It repeats with the traffic. */
export interface Shape {
  readonly kind: TransactionKind
  /** Decides the amounts and costs: a number that no other transaction of a period has, but its repetition. */
  readonly source: number
  /** Index of the first signer in `users`. The relayer signs relays and settlements instead. */
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
  /** The coins that a settlement moves. */
  readonly settlement?: Settlement
}

/** The messages of a settlement, each with the coins it moves. One that would move none is left out. */
export function partsOf({ settlement }: Shape) {
  const { paid = [], collected = [] } = settlement ?? {}
  const parts = [
    { isExec: false, moves: paid },
    { isExec: true, moves: collected },
  ]
  return parts.filter(({ moves }) => moves.length > 0)
}
