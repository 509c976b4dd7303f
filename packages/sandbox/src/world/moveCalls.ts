import { hexDigest, itemAt } from '../random.ts'
import { type CoinMove, namesOwners } from './coins.ts'
import { type Event, event, type MessageDraft } from './events.ts'
import type { Fixtures } from './fixtures.ts'
import {
  deposited,
  metadataOf,
  moveEvent,
  primaryStore,
  type Store,
  short,
  supplyEvent,
  withdrawn,
} from './moveStores.ts'
import { amountOf, partiesOf } from './parties.ts'
import { placeOf } from './schedule.ts'
import type { Shape } from './shape.ts'

/** The message that calls a Move function, or runs a script. */
export function moveMessage(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  switch (shape.kind) {
    case 'createCollection':
      return createCollection(fixtures, shape)
    case 'transferNft':
      return transferNft(fixtures, shape)
    default:
      return useModule(fixtures, shape, sequence)
  }
}

interface Call {
  readonly address?: string
  readonly module: string
  readonly name: string
  readonly args: readonly string[]
}

/** The message of a call, and the events it emits. Arguments are in BCS, which nobody reads here. */
function call(sender: string, { address = '0x1', module, name, args }: Call, events: readonly Event[]): MessageDraft {
  const target = { module_name: module, function_name: name }
  return {
    type: '/initia.move.v1.MsgExecute',
    fields: {
      sender,
      module_address: address,
      ...target,
      type_args: [],
      args: args.map((text) => Buffer.from(text).toString('base64')),
    },
    events: [event('execute', { sender, module_addr: address, ...target }), ...events],
  }
}

function createCollection(fixtures: Fixtures, shape: Shape): MessageDraft {
  const [sender] = partiesOf(fixtures, shape)
  const { address, name, tokens } = itemAt(fixtures.collections, shape.collection)
  const collection = short(address.hex)
  return call(sender.bech32, { module: 'initia_nft', name: 'create_collection', args: [name] }, [
    moveEvent('0x1::collection::CreateCollectionEvent', {
      collection: address.hex,
      creator: sender.hex,
      name,
    }),
    ...tokens.flatMap(({ tokenId, objectAddress, firstOwner }) => [
      moveEvent('0x1::object::CreateEvent', {
        object: short(objectAddress),
        owner: itemAt(fixtures.users, firstOwner).hex,
        version: '1',
      }),
      moveEvent('0x1::collection::MintEvent', {
        collection,
        token_id: tokenId,
        nft: short(objectAddress),
      }),
    ]),
  ])
}

function transferNft(fixtures: Fixtures, shape: Shape): MessageDraft {
  const [sender, peer] = partiesOf(fixtures, shape)
  const { tokens } = itemAt(fixtures.collections, shape.collection)
  const object = itemAt(tokens, shape.token).objectAddress
  const moved = moveEvent('0x1::object::TransferEvent', {
    object: short(object),
    from: sender.hex,
    to: peer.hex,
  })
  return call(sender.bech32, { module: 'object', name: 'transfer_call', args: [object, peer.hex] }, [moved])
}

/** A store of a pool, whose owner no event names. */
const poolStore = ({ dex }: Fixtures, metadata: string): Store => ({
  address: `0x${hexDigest(32, dex.hex, 'pool', metadata)}`,
})

/** The form of a call of a module. */
function moduleFormOf({ variant, calls }: Shape): 'swap' | 'provide' | 'withdraw' | 'watch' {
  if (variant < 2 || calls === 4) return 'swap'
  return calls === 1 ? 'provide' : calls === 2 ? 'withdraw' : 'watch'
}

/** The coins of the bank that a call of a module moves, out of pools that no account owns and into them. */
export function poolMoves(fixtures: Fixtures, shape: Shape): readonly CoinMove[] {
  if (shape.kind !== 'execute') return []
  const { chain, bridgedDenom } = fixtures
  const [sender] = partiesOf(fixtures, shape)
  const amount = amountOf(fixtures, shape)
  const coin = (denom: string, of: bigint) => ({ denom, amount: of })
  const halves = [chain.denom, bridgedDenom].map((denom) => coin(denom, amount / 2n))
  switch (moduleFormOf(shape)) {
    case 'swap': {
      const returned = shape.variant === 0 ? [] : [coin(bridgedDenom, returnOf(amount))]
      return [
        { from: sender, coins: [coin(chain.denom, amount)] },
        { to: sender, coins: returned },
      ]
    }
    case 'provide':
      return [{ from: sender, coins: halves }]
    case 'withdraw':
      return [{ to: sender, coins: halves }]
    case 'watch':
      return []
  }
}

/** The amount that a swap gives for an amount. */
const returnOf = (amount: bigint): bigint => (amount * 97n) / 100n

/** Swaps, liquidity, and calls of which no wallet knows more than the name. */
function useModule(fixtures: Fixtures, shape: Shape, sequence: number): MessageDraft {
  const [sender] = partiesOf(fixtures, shape)
  const amount = amountOf(fixtures, shape)
  const pool = [fixtures.dex.hex, String(amount)]
  const form = moduleFormOf(shape)
  if (form === 'swap') {
    return call(
      sender.bech32,
      { module: 'dex', name: 'swap_script', args: pool },
      swapEvents(fixtures, shape, sequence),
    )
  }
  if (form !== 'watch') {
    return call(
      sender.bech32,
      { module: 'stableswap', name: `${form}_liquidity_script`, args: pool },
      liquidityEvents(fixtures, shape, sequence, form),
    )
  }
  const address = short(`0x${hexDigest(32, fixtures.chain.chainId, 'lighthouse')}`)
  return call(sender.bech32, { address, module: 'lighthouse', name: 'keep_watch', args: [String(sequence)] }, [
    moveEvent(`${address}::lighthouse::WatchEvent`, { keeper: sender.hex }),
  ])
}

/** The token that a swap gives. For every third swap it was made in Move, and has no denom of the bank. */
const returnedBy = (fixtures: Fixtures, { variant }: Shape): string =>
  variant === 0 ? fixtures.token.hex : metadataOf(fixtures.bridgedDenom)

function swapEvents(fixtures: Fixtures, shape: Shape, sequence: number): readonly Event[] {
  const [sender] = partiesOf(fixtures, shape)
  const [offered, returned] = [metadataOf(fixtures.chain.denom), returnedBy(fixtures, shape)]
  const amount = amountOf(fixtures, shape)
  const back = returnOf(amount)
  const hasOwners = namesOwners(placeOf(sequence).height)
  return [
    ...withdrawn(primaryStore(sender, offered), offered, amount, hasOwners),
    ...deposited(poolStore(fixtures, offered), offered, amount, hasOwners),
    ...withdrawn(poolStore(fixtures, returned), returned, back, hasOwners),
    moveEvent('0x1::dex::SwapEvent', {
      account: sender.hex,
      liquidity_token: fixtures.dex.hex,
      offer_coin: short(offered),
      return_coin: short(returned),
      offer_amount: String(amount),
      return_amount: String(back),
      spread_amount: '0',
      commission_amount: '0',
    }),
    ...deposited(primaryStore(sender, returned), returned, back, hasOwners),
  ]
}

/** Two coins go into a pool for its token, or come out of it for its token, which is minted or burnt. */
function liquidityEvents(
  fixtures: Fixtures,
  shape: Shape,
  sequence: number,
  direction: 'provide' | 'withdraw',
): readonly Event[] {
  const [sender] = partiesOf(fixtures, shape)
  const amount = amountOf(fixtures, shape)
  const hasOwners = namesOwners(placeOf(sequence).height)
  const share = fixtures.dex.hex
  const shareStore = primaryStore(sender, share)
  const coins = [metadataOf(fixtures.chain.denom), metadataOf(fixtures.bridgedDenom)]
  const emitted = (name: string) =>
    moveEvent(`0x1::stableswap::${name}Event`, {
      account: sender.hex,
      liquidity_token: share,
      coins: JSON.stringify(coins.map(short)),
      liquidity: String(amount),
    })
  if (direction === 'withdraw') {
    return [
      ...withdrawn(shareStore, share, amount, hasOwners),
      supplyEvent('Burn', share, amount),
      ...coins.flatMap((metadata) => [
        ...withdrawn(poolStore(fixtures, metadata), metadata, amount / 2n, hasOwners),
        ...deposited(primaryStore(sender, metadata), metadata, amount / 2n, hasOwners),
      ]),
      emitted('Withdraw'),
    ]
  }
  return [
    ...coins.flatMap((metadata) => [
      ...withdrawn(primaryStore(sender, metadata), metadata, amount / 2n, hasOwners),
      ...deposited(poolStore(fixtures, metadata), metadata, amount / 2n, hasOwners),
    ]),
    supplyEvent('Mint', share, amount),
    moveEvent('0x1::primary_fungible_store::PrimaryStoreCreatedEvent', {
      owner_addr: short(sender.hex),
      store_addr: short(shareStore.address),
      metadata_addr: short(share),
    }),
    emitted('Provide'),
    ...deposited(shareStore, share, amount, hasOwners),
  ]
}
