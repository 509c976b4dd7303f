import { bytesOf } from '../addresses/bytes.ts'
import { type ChangeBounds, UnboundedChanges } from './bound.ts'
import type { Owner } from './change.ts'
import type { EventPart } from './events.ts'
import type { MoveEvent } from './moveEvents.ts'
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
export function storeOwners(
  changes: readonly StoreChange[],
  events: readonly MoveEvent[],
  candidates: () => Iterable<string>,
  { maxHashes }: Pick<ChangeBounds, 'maxHashes'>,
): (store: string) => Owner {
  const owners = new Map<string, string>()
  for (const { store, owner } of changes) if (owner) owners.set(store, owner)
  for (const { tag, fields } of events) {
    if (tag !== '0x1::primary_fungible_store::PrimaryStoreCreatedEvent') continue
    const [store, owner] = [moveAddress(fields.get('store_addr')), fields.get('owner_addr')]
    if (store && owner) owners.set(store, owner)
  }
  const open = changes.filter(({ store }) => !owners.has(store))
  if (open.length > 0) findPrimary(owners, open, candidates(), maxHashes)
  return (store) => {
    const owner = owners.get(store)
    return owner === undefined
      ? { account: null, isOwnerKnown: false, store: `0x${store}` }
      : ownerOf(owner)
  }
}

function findPrimary(
  owners: Map<string, string>,
  open: readonly StoreChange[],
  candidates: Iterable<string>,
  maxHashes: number,
): void {
  const stores = new Map<string, Set<string>>()
  for (const { store, metadata } of open) {
    stores.set(metadata, (stores.get(metadata) ?? new Set()).add(store))
  }
  let hashes = 0
  for (const candidate of candidates) {
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
    if (stores.size === 0) return
  }
}

const addressForm = /0x[0-9a-f]{1,64}(?![0-9a-z])|[a-z]{1,20}1[02-9ac-hj-np-z]{38,59}(?![0-9a-z])/gi

/**
 * The addresses in the events, as hex digits, in order and each once.
 * @throws UnboundedChanges when more texts would have to be read.
 */
export function* addressesIn(
  parts: readonly EventPart[],
  { maxAddresses }: Pick<ChangeBounds, 'maxAddresses'>,
): Generator<string> {
  const texts = new Set<string>()
  const found = new Set<string>()
  for (const { values } of parts) {
    for (const text of [...values.values()].flatMap((value) => value.match(addressForm) ?? [])) {
      if (texts.has(text)) continue
      if (texts.size === maxAddresses) {
        throw new UnboundedChanges(
          `Its events have more than ${maxAddresses} texts like addresses.`,
        )
      }
      texts.add(text)
      const bytes = bytesOf(text)
      if (bytes === null || found.has(bytes)) continue
      found.add(bytes)
      yield bytes
    }
  }
}
