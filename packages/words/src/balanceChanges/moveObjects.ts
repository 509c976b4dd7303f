import type { Steps } from '#kit/steps'
import { type BalanceChange, type ChangedAsset, nftAsset, type Owner } from './change.ts'
import { type MoveEvent, moveText } from './moveEvents.ts'
import { createHolders, type Holders, ownerOf } from './owners.ts'
import { moveAddress } from './stores.ts'

/**
 * The objects that changed hands. The event of a transfer has no kind of the object: it is an NFT only if
 * another event of the transaction names it as one.
 */
export function* objectChanges(events: readonly MoveEvent[]): Steps<BalanceChange[]> {
  const nfts = yield* nftsIn(events)
  const holders = createHolders()
  const assetOf = (object: string) => nfts.get(object) ?? plainObject(object)
  const changes: BalanceChange[] = []
  for (const event of events) {
    const { messageIndex } = event
    if (messageIndex === null) continue
    yield
    for (const { object, amount, ...owner } of movesOf(event, holders)) {
      changes.push({ ...owner, ...assetOf(object), amount, messageIndex })
    }
  }
  return changes
}

interface ObjectMove extends Owner {
  readonly object: string
  readonly amount: bigint
}

function movesOf(event: MoveEvent, holders: Holders): ObjectMove[] {
  const { tag } = event
  const [from, to, owner] = ['from', 'to', 'owner'].map((name) => moveText(event, name))
  const isOfNft = tag === minted || tag === burnt
  const object = moveAddress(moveText(event, isOfNft ? 'nft' : 'object'))
  if (!object) return []
  switch (tag) {
    case '0x1::object::CreateEvent':
      if (owner) holders.set(object, owner)
      return []
    case '0x1::object::TransferEvent':
      if (!from || !to) return []
      holders.set(object, to)
      return [
        { ...ownerOf(from), object, amount: -1n },
        { ...ownerOf(to), object, amount: 1n },
      ]
    case minted:
      return [{ ...holders.of(object), object, amount: 1n }]
    case burnt: {
      const holder = holders.of(object)
      holders.set(object, null)
      return [{ ...holder, object, amount: -1n }]
    }
    default:
      return []
  }
}

const minted = '0x1::collection::MintEvent'
const burnt = '0x1::collection::BurnEvent'

const plainObject = (object: string): ChangedAsset => ({
  kind: 'OBJECT',
  denom: null,
  contract: null,
  tokenId: null,
  object: `0x${object}`,
})

/** The objects that events of NFTs and collections name, as NFTs. */
function* nftsIn(events: readonly MoveEvent[]): Steps<Map<string, ChangedAsset>> {
  const nfts = new Map<string, ChangedAsset>()
  for (const event of events) {
    const object = /^0x1::(collection|nft)::/.test(event.tag) ? moveAddress(moveText(event, 'nft')) : null
    if (!object) continue
    yield
    const collection = moveAddress(moveText(event, 'collection'))
    const tokenId = moveText(event, 'token_id') ?? null
    if (collection) nfts.set(object, nftAsset(`0x${collection}`, tokenId, `0x${object}`))
    else if (!nfts.has(object)) nfts.set(object, nftAsset(null, null, `0x${object}`))
  }
  return nfts
}
