import { sha3_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { Account } from '../address.ts'
import { memoize } from '../memoize.ts'
import { type Event, event } from './events.ts'

// On Move chains a balance is an object, the store, of one owner and one kind of token, the metadata. Events
// name stores and metadata. Newer blocks name the owner of a primary store in an event of its own.

/** A store of tokens. Only a primary store, whose address follows from its owner, has an owner here. */
export interface Store {
  readonly address: string
  readonly owner?: Account
}

const hexBytes = (hex: string): Uint8Array => hexToBytes(hex.slice(2).padStart(64, '0'))

const derived = (...parts: readonly Uint8Array[]): string => `0x${bytesToHex(sha3_256(concatBytes(...parts)))}`

/** Addresses of each sort that are kept. */
const maxAddresses = 2_000

/** The metadata of a coin that was not made in Move. */
export const metadataOf = memoize(maxAddresses, (denom: string): string =>
  derived(hexBytes('0x1'), utf8ToBytes(denom), Uint8Array.of(0xfe)),
)

const primaryAddress = memoize(maxAddresses, (key: string): string => {
  const [owner = '', metadata = ''] = key.split(' ')
  return derived(hexBytes(owner), hexBytes(metadata), Uint8Array.of(0xfc))
})

/** The primary store of an account. */
export const primaryStore = (owner: Account, metadata: string): Store => ({
  address: primaryAddress(`${owner.hex} ${metadata}`),
  owner,
})

/** An address as Move events write it: without leading zeros. */
export const short = (hex: string): string => hex.replace(/^0x0+(?=.)/, '0x')

/** An event of a Move module. Its data is JSON, and newer blocks repeat each field as an attribute. */
export function moveEvent(typeTag: string, data: Readonly<Record<string, string>>): Event {
  return event('move', { type_tag: typeTag, data: JSON.stringify(data), ...data })
}

const changed =
  (kind: 'Withdraw' | 'Deposit') =>
  (store: Store, metadata: string, amount: bigint, hasOwners: boolean): readonly Event[] => {
    const { address, owner } = store
    const tag = `0x1::fungible_asset::${kind}`
    return [
      moveEvent(`${tag}Event`, {
        store_addr: short(address),
        metadata_addr: short(metadata),
        amount: String(amount),
      }),
      ...(owner && hasOwners ? [moveEvent(`${tag}OwnerEvent`, { owner: short(owner.hex) })] : []),
    ]
  }

/** The events of tokens that leave a store. */
export const withdrawn = changed('Withdraw')
/** The events of tokens that reach a store. */
export const deposited = changed('Deposit')

/** The event of new tokens (`Mint`) or of tokens that are no more (`Burn`). */
export const supplyEvent = (kind: 'Mint' | 'Burn', metadata: string, amount: bigint): Event =>
  moveEvent(`0x1::fungible_asset::${kind}Event`, {
    metadata_addr: short(metadata),
    amount: String(amount),
  })
