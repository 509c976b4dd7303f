import type { ActionKind } from './kinds.ts'

/** An amount of a coin or of a fungible token, in base units. */
export interface ActionAmount {
  /** The denom, or the address of a token contract. Null if only the metadata of a Move token is known. */
  readonly denom: string | null
  /** The metadata address of a Move token: 0x and 64 digits. */
  readonly metadata?: string
  readonly amount: bigint
}

/** An NFT, as far as the transaction names it. */
export interface ActionNft {
  /** Address of the collection, or the class of an NFT that crosses a bridge. */
  readonly collection: string | null
  /** Whether that is what another chain calls it. */
  readonly isRemote?: boolean
  readonly tokenId: string | null
  /** Address of the object, on a Move chain. */
  readonly objectAddress: string | null
  /** How many of it. 1 unless the contract is one of EIP-1155. */
  readonly quantity?: bigint
}

/** The known facts of the other chain of a bridge. */
export interface ActionRemote {
  /** The party on the other chain, as it is written there. */
  readonly address: string | null
  /** The IBC channel of this chain that leads there. */
  readonly channel: string | null
  /** The number of the IBC packet, which its source channel counts. */
  readonly packetSequence?: string | null
  /** The id that the hub gave the OPinit bridge of the rollup. */
  readonly opInitBridgeId: string | null
}

/** Something of a chain that a sentence can name. */
export type ChainReference =
  | { readonly address: string }
  /** An account on another chain, as it is written there. */
  | { readonly remoteAddress: string }
  /** An IBC channel of this chain, or a light client by IBC v2. */
  | { readonly channel: string }
  /** An NFT whose token id is known. */
  | { readonly nft: ActionNft & { readonly tokenId: string } }

/** A part of a sentence: words, or something of the chain that `summaryOf` writes. */
export type Piece =
  | string
  | ChainReference
  | { readonly amounts: readonly ActionAmount[]; readonly otherwise: string }
  | { readonly id: string }
  /** A function, by its selector, signature or place in a Move module. */
  | { readonly called: string }
  | { readonly quoted: string }

/** A sentence without its subject. `verb` has the past and the base form: `Sent`, `send`. */
export interface Sentence {
  readonly verb: readonly [past: string, base: string]
  readonly pieces: readonly Piece[]
}

/** The parts of an action. Parts that do not apply, or that the transaction omits, are missing. */
interface ActionParts {
  /** The account whose action it is. Under an authorization, the account that gave it. */
  readonly actor?: string | null
  /** The account that acted under an authorization or an approval of the actor. */
  readonly executor?: string | null
  /** The other account on this chain. */
  readonly counterparty?: string | null
  readonly validator?: string | null
  /** Amounts that the actor gave, moved or approved. */
  readonly amounts?: readonly ActionAmount[]
  /** Amounts that the actor received in return. */
  readonly received?: readonly ActionAmount[]
  readonly nfts?: readonly ActionNft[]
  readonly contract?: string | null
  /** `0x1::dex::swap_script`, the key of a Wasm message, or the selector or signature of an EVM function. */
  readonly function?: string | null
  readonly remote?: ActionRemote
  readonly proposalId?: string | null
}

/** What a message took from its actor, and what it gave. */
export interface ActorChanges {
  readonly paid: readonly ActionAmount[]
  readonly got: readonly ActionAmount[]
  readonly gotNfts: readonly ActionNft[]
}

/** An action as a family reads it. */
export interface Draft extends ActionParts {
  readonly kind: ActionKind
  readonly says: Sentence
  /** Whether it failed although the transaction did not: a packet that the chain refused. */
  readonly isRefused?: boolean
  /** Makes the action whole with what its message changed for its actor, whose reading takes turns. */
  readonly finish?: (changes: ActorChanges) => Draft
}

/** The effect of one message of a transaction, or of several that belong together. */
export interface Action extends Omit<Draft, 'finish'> {
  /** Index of the message, then its index in the message that executes it, and so on. Empty without messages. */
  readonly path: readonly number[]
  /** Index of the message, or of the first of several. Null for a transaction without messages. */
  readonly messageIndex: number | null
  /** Type URL of the message, also if it is inside another. Null for a transaction without messages. */
  readonly messageType: string | null
  readonly isSuccessful: boolean
}
