import type { Steps } from '#kit/steps'
import { bytesOf } from '../addresses/bytes.ts'
import { type ChangeBounds, UnboundedChanges } from './bound.ts'
import { type BalanceChange, type ChangedAsset, coinAsset, tokenAsset } from './change.ts'
import { readCoins } from './coins.ts'
import type { DenomOf, KnownDenoms } from './denoms.ts'
import { amountIn, type EventPart } from './events.ts'
import { type MoveEvent, moveEventsOf, moveText } from './moveEvents.ts'
import { objectChanges } from './moveObjects.ts'
import { type StoreChange, storeOwners } from './storeOwners.ts'
import { metadataOf, moveAddress } from './stores.ts'

/**
 * The changes on a Move chain, by the events of its stores and objects. The bank module of such a chain moves
 * tokens between stores, so that its own events repeat them: they only name the denoms. If an account is given,
 * only its own stores are found by their hashes.
 */
export function* moveChanges(
  parts: readonly EventPart[],
  known: KnownDenoms | null,
  account: string | undefined,
  bounds: ChangeBounds,
): Steps<BalanceChange[]> {
  const events = yield* moveEventsOf(parts)
  const stores = yield* storeChanges(events)
  const owners = { parts, only: account === undefined ? undefined : bytesOf(account) }
  const ownerOfStore = yield* storeOwners(stores, events, owners, bounds)
  const denomOf = yield* moveDenoms(parts, known, bounds)
  const changes: BalanceChange[] = []
  for (const { store, metadata, amount, messageIndex } of stores) {
    yield
    const asset = assetOf(`0x${metadata}`, denomOf)
    changes.push({ ...ownerOfStore(store), ...asset, amount, messageIndex })
  }
  return [...changes, ...(yield* objectChanges(events))]
}

const storeEvents: Readonly<Record<string, { readonly sign: bigint; readonly owner: string }>> = {
  '0x1::fungible_asset::WithdrawEvent': {
    sign: -1n,
    owner: '0x1::fungible_asset::WithdrawOwnerEvent',
  },
  '0x1::fungible_asset::DepositEvent': {
    sign: 1n,
    owner: '0x1::fungible_asset::DepositOwnerEvent',
  },
}

/** The changes of stores. Newer nodes name the owner of a primary store in the next event. */
function* storeChanges(events: readonly MoveEvent[]): Steps<StoreChange[]> {
  const changes: StoreChange[] = []
  for (const [i, event] of events.entries()) {
    const { tag, messageIndex } = event
    const kind = Object.hasOwn(storeEvents, tag) ? storeEvents[tag] : undefined
    if (!kind || messageIndex === null) continue
    yield
    const store = moveAddress(moveText(event, 'store_addr'))
    const metadata = moveAddress(moveText(event, 'metadata_addr'))
    const amount = amountIn(moveText(event, 'amount'))
    if (!store || !metadata || amount === null) continue
    const next = events[i + 1]
    const isNamed = next?.tag === kind.owner && next.messageIndex === messageIndex
    const owner = isNamed ? moveText(next, 'owner') : undefined
    changes.push({ store, metadata, amount: kind.sign * amount, messageIndex, owner })
  }
  return changes
}

function assetOf(metadata: string, denomOf: DenomOf): ChangedAsset {
  const denom = denomOf(metadata)
  return denom === null || denom.startsWith('move/') ? tokenAsset(metadata, denom) : coinAsset(denom, metadata)
}

/**
 * Names a metadata by the hashes of denoms: the transaction's denoms first, then the list's. A token made in Move
 * has the denom `move/…`, and looks like a coin that no list has.
 * @throws UnboundedChanges, when it is called, if the transaction has too many denoms to be sure.
 */
export function* moveDenoms(
  parts: readonly EventPart[],
  known: KnownDenoms | null,
  { maxDenoms, maxRows }: ChangeBounds,
): Steps<DenomOf> {
  const denoms = [...(yield* denomsIn(parts, maxRows))]
  const own = new Map(denoms.slice(0, maxDenoms).map((denom) => [metadataOf(denom), denom]))
  return (contract) => {
    const metadata = contract.replace('0x', '')
    const named = own.get(metadata) ?? known?.ofMetadata(metadata)
    // One of the other denoms can be its name, so it may be no token made in Move.
    if (!named && denoms.length > maxDenoms) {
      throw new UnboundedChanges(`Its coins have more than ${maxDenoms} denoms.`)
    }
    return named ?? null
  }
}

/** The denoms of the coins that the bank module reports. */
function* denomsIn(parts: readonly EventPart[], maxCoins: number): Steps<Set<string>> {
  const denoms = new Set<string>()
  for (const { type, values } of parts) {
    if (type !== 'coin_spent' && type !== 'coin_received') continue
    yield
    for (const { denom } of readCoins(values.get('amount') ?? '', maxCoins)) denoms.add(denom)
  }
  return denoms
}
