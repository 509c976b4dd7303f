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
