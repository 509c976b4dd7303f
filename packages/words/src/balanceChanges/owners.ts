import { bytesOf } from '../addresses/bytes.ts'
import type { Owner } from './change.ts'

/** The account of an address in an event. */
export const ownerOf = (address: string): Owner => ({
  account: hexAddress(address),
  isOwnerKnown: true,
})

/** No account is named by the events. */
export const noOwner: Owner = { account: null, isOwnerKnown: false }

/** An address in hex with `0x`, equal for all its spellings. A text that is no address stands for itself. */
export const hexAddress = (address: string): string => {
  const bytes = bytesOf(address)
  return bytes === null ? address : `0x${bytes}`
}

/** The holder of each NFT while the events of a transaction are read in order. */
export interface Holders {
  /** The NFT has come to this account. Null if no account has it any longer. */
  set(nft: string, address: string | null): void
  /** The holder of the NFT before, if this transaction shows it. */
  of(nft: string): Owner
}

/** Nobody is known to hold an NFT at first. */
export function createHolders(): Holders {
  const held = new Map<string, string | null>()
  return {
    set: (nft, address) => held.set(nft, address && hexAddress(address)),
    of(nft) {
      const account = held.get(nft) ?? null
      return account === null ? noOwner : { account, isOwnerKnown: true }
    },
  }
}
