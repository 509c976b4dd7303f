import type { ActionAmount, ActionNft, Piece, Sentence } from './action.ts'

/** A sentence of a verb and what follows it. */
export const says = (verb: Sentence['verb'], ...pieces: readonly (Piece | readonly Piece[])[]): Sentence => ({
  verb,
  pieces: pieces.flat(),
})

/** Amounts, or other words if none is known. */
export const coins = (amounts: readonly ActionAmount[] | undefined, otherwise = 'coins'): Piece => ({
  amounts: amounts ?? [],
  otherwise,
})

const after = (word: string): string => (word ? ` ${word} ` : ' ')

/** A word, or none, and an address. Nothing without an address. */
export const withAddress = (word: string, address: string | null | undefined): readonly Piece[] =>
  address ? [after(word), { address }] : []

/** A word and an account on another chain. Nothing without one. */
export const withRemote = (word: string, remoteAddress: string | null | undefined): readonly Piece[] =>
  remoteAddress ? [after(word), { remoteAddress }] : []

/** A word, or none, and an identifier. Nothing without one. */
export const withId = (word: string, id: string | null | undefined): readonly Piece[] =>
  id ? [after(word), { id }] : []

/** The way over a channel. */
export const overIbc = (channel: string | null): readonly Piece[] =>
  channel ? [' over IBC ', { channel }] : [' over IBC']

/** The words of another chain or module for why it did not do something. */
export const refusedWith = (reason: string | null): readonly Piece[] =>
  reason ? [': refused with ', { quoted: reason }] : []

/** NFTs: the one by its id, or how many they are, and their collection. */
export function nftPieces(nfts: readonly ActionNft[]): readonly Piece[] {
  const [first, ...others] = nfts
  if (!first) return ['NFTs']
  const isOneCollection = nfts.every(({ collection }) => collection === first.collection)
  const named = first.isRemote ? withId : withAddress
  const of = isOneCollection ? named('of', first.collection) : []
  if (others.length > 0) return [`${nfts.length} NFTs`, ...of]
  const { quantity = 1n, tokenId } = first
  const units = quantity === 1n ? '' : `${quantity} units of `
  return [units, tokenId ? { nft: { ...first, tokenId } } : 'an NFT', ...of]
}
