import type { Steps } from '#kit/steps'
import { bytesOf } from '../addresses/bytes.ts'
import { type ChangeBounds, UnboundedChanges } from './bound.ts'
import type { Owner } from './change.ts'
import type { EventPart } from './events.ts'
import { type MoveEvent, moveText } from './moveEvents.ts'
import { ownerOf } from './owners.ts'
import { moveAddress, primaryStore } from './stores.ts'

/** A change of a store. The addresses are 64 hex digits. */
export interface StoreChange {
  readonly store: string
  readonly metadata: string
  /** Below 0 for what was withdrawn. */
  readonly amount: bigint
  readonly messageIndex: number | null
  /** The owner of a primary store, if the event behind names it. */
  readonly owner: string | undefined
}

/**
 * Finds the owner of a store: by the event behind a change of the store, by the event of its creation, or because
 * it is the primary store of one of the accounts. Never by anything else: a store can belong to any object.
 * @throws UnboundedChanges if the search for owners would be too long.
 */
export function* storeOwners(
  changes: readonly StoreChange[],
  events: readonly MoveEvent[],
  { parts, only }: Candidates,
  bounds: ChangeBounds,
): Steps<(store: string) => Owner> {
  const owners = new Map<string, string>()
  for (const { store, owner } of changes) if (owner) owners.set(store, owner)
  for (const event of events) {
    if (event.tag !== '0x1::primary_fungible_store::PrimaryStoreCreatedEvent') continue
    yield
    const [store, owner] = [moveAddress(moveText(event, 'store_addr')), moveText(event, 'owner_addr')]
    if (store && owner) owners.set(store, owner)
  }
  const open = changes.filter(({ store }) => !owners.has(store))
  if (open.length > 0) {
    const search = createSearch(owners, open, bounds.maxHashes)
    if (only === undefined) yield* searchAddresses(parts, bounds, search)
    else if (only !== null) search(only)
  }
  return (store) => {
    const owner = owners.get(store)
    return owner === undefined ? { account: null, isOwnerKnown: false, store: `0x${store}` } : ownerOf(owner)
  }
}

/** The accounts that can own a store: those in the events of a transaction, or only this one, if it is an address. */
interface Candidates {
  readonly parts: readonly EventPart[]
  readonly only: string | null | undefined
}

/** Tries an account as the owner of what has none yet. Returns whether nothing is left to find. */
type Search = (candidate: string) => boolean

function createSearch(owners: Map<string, string>, open: readonly StoreChange[], maxHashes: number): Search {
  const stores = new Map<string, Set<string>>()
  for (const { store, metadata } of open) {
    stores.set(metadata, (stores.get(metadata) ?? new Set()).add(store))
  }
  let hashes = 0
  return (candidate) => {
    for (const [metadata, missing] of stores) {
      if (hashes === maxHashes) {
        throw new UnboundedChanges(`Its stores and accounts need more than ${maxHashes} hashes.`)
      }
      hashes += 1
      const store = primaryStore(candidate.padStart(64, '0'), metadata)
      if (!missing.delete(store)) continue
      owners.set(store, `0x${candidate}`)
      if (missing.size === 0) stores.delete(metadata)
    }
    return stores.size === 0
  }
}

const addressForm = /0x[0-9a-f]{1,64}(?![0-9a-z])|[a-z]{1,20}1[02-9ac-hj-np-z]{38,59}(?![0-9a-z])/gi

/** The longest text that is searched for addresses, in characters. */
const maxTextLength = 256 * 1024

/**
 * Tries the addresses in the events in their order, each once, until nothing is left to find.
 * @throws UnboundedChanges when more texts would have to be read.
 */
function* searchAddresses(
  parts: readonly EventPart[],
  { maxAddresses }: Pick<ChangeBounds, 'maxAddresses'>,
  search: Search,
): Steps<void> {
  const texts = new Set<string>()
  const found = new Set<string>()
  for (const { values } of parts) {
    for (const value of values.values()) {
      yield
      if (value.length > maxTextLength) {
        throw new UnboundedChanges(`One of its events has a text of more than ${maxTextLength} characters.`)
      }
      for (const [text] of value.matchAll(addressForm)) {
        if (texts.has(text)) continue
        if (texts.size === maxAddresses) {
          throw new UnboundedChanges(`Its events have more than ${maxAddresses} texts like addresses.`)
        }
        texts.add(text)
        const bytes = bytesOf(text)
        if (bytes === null || found.has(bytes)) continue
        found.add(bytes)
        if (search(bytes)) return
      }
    }
  }
}
