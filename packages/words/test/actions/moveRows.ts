import { type Event, event } from '../../../sandbox/src/world/events.ts'
import {
  deposited,
  metadataOf,
  moveEvent,
  primaryStore,
  short as unpadded,
  withdrawn,
} from '../../../sandbox/src/world/moveStores.ts'
import { alice, bob, contract, failed, type Row, row, short, usdc } from './row.ts'

const execute = 'initia.move.v1.MsgExecute'
const [init, other] = [metadataOf('uinit'), metadataOf(usdc)]
const share = contract.hex

const call = (module_address: string, module_name: string, function_name: string) => ({
  sender: alice.bech32,
  module_address,
  module_name,
  function_name,
  type_args: [],
  args: [],
})
const swap = call('0x1', 'dex', 'swap_script')
const store = (metadata: string) => primaryStore(alice, metadata)
const gave = (metadata: string, amount: bigint) => withdrawn(store(metadata), metadata, amount, false)
const got = (metadata: string, amount: bigint) => deposited(store(metadata), metadata, amount, false)
const swapped = moveEvent('0x1::dex::SwapEvent', {
  offer_coin: unpadded(init),
  return_coin: unpadded(other),
})
const swapEvents: readonly Event[] = [...gave(init, 2_000_000n), swapped, ...got(other, 990_000n)]
const moved = moveEvent('0x1::object::TransferEvent', {
  object: '0xca7',
  from: unpadded(alice.hex),
  to: bob.hex,
})
const minted = (id: string) =>
  moveEvent('0x1::collection::MintEvent', { collection: '0xc0', nft: `0xca${id}`, token_id: id })

const amount = (metadata: string, units: bigint) => ({ denom: null, metadata, amount: units })

/** Transactions of Move chains. */
export const moveRows: Readonly<Record<string, Row>> = {
  'a swap': row(execute, swap, swapEvents, 'SWAP', 'Swapped 2 INIT for 0.99 USDC', {
    actor: alice.bech32,
    amounts: [amount(init, 2_000_000n)],
    received: [amount(other, 990_000n)],
  }),
  'a swap by a script': row(
    'initia.move.v1.MsgScript',
    { sender: alice.bech32 },
    swapEvents,
    'SWAP',
    'Swapped 2 INIT for 0.99 USDC',
    {},
  ),
  'a failed swap, whose arguments nobody read': failed(
    execute,
    swap,
    'CONTRACT_CALL',
    'Tried to call 0x1::dex::swap_script',
    { function: '0x1::dex::swap_script' },
  ),
  'a vault that swaps for itself': row(
    execute,
    call(contract.hex, 'vault', 'enter'),
    [...gave(init, 2_000_000n), swapped, ...got(share, 5n)],
    'CONTRACT_CALL',
    `Called ${short(contract.hex)}::vault::enter, paid 2 INIT and got 5 base units of token ${short(share)}`,
    { contract: contract.hex, function: `${contract.hex}::vault::enter` },
  ),
  'new liquidity': row(
    execute,
    call('0x1', 'dex', 'provide_liquidity_script'),
    [
      ...gave(init, 2_000_000n),
      ...gave(other, 3_000_000n),
      moveEvent('0x1::dex::ProvideEvent', { liquidity_token: unpadded(share) }),
      ...got(share, 7n),
    ],
    'ADD_LIQUIDITY',
    'Added 2 INIT and 3 USDC to a liquidity pool',
    { received: [amount(share, 7n)] },
  ),
  'withdrawn liquidity': row(
    execute,
    call('0x1', 'stableswap', 'withdraw_liquidity_script'),
    [
      ...gave(share, 7n),
      moveEvent('0x1::stableswap::WithdrawEvent', { liquidity_token: unpadded(share) }),
      ...got(init, 2_000_000n),
      ...got(other, 3_000_000n),
    ],
    'REMOVE_LIQUIDITY',
    'Withdrew 2 INIT and 3 USDC from a liquidity pool',
    { amounts: [amount(share, 7n)] },
  ),
  'an object of unknown type': row(
    execute,
    call('0x1', 'object', 'transfer_call'),
    [moved],
    'OBJECT_TRANSFER',
    `Sent object 0xca7 to ${short(bob.hex)}`,
    { actor: alice.bech32, counterparty: bob.hex },
  ),
  'an NFT, by the type of the call': row(
    execute,
    { ...call('0x1', 'object', 'transfer'), type_args: ['0x1::nft::Nft'] },
    [moved],
    'NFT_TRANSFER',
    `Sent NFT 0xca7 to ${short(bob.hex)}`,
    {
      nfts: [{ collection: null, tokenId: null, objectAddress: `0x${'ca7'.padStart(64, '0')}` }],
    },
  ),
  'a new NFT': row(
    execute,
    call(contract.hex, 'cats', 'adopt'),
    [minted('7')],
    'NFT_MINT',
    `Minted NFT 7 of ${short(`0x${'c0'.padStart(64, '0')}`)}`,
    {},
  ),
  'several new NFTs': row(
    execute,
    call('0x1', 'initia_nft', 'create_collection'),
    [minted('7'), minted('8'), minted('9')],
    'NFT_MINT',
    `Minted 3 NFTs of ${short(`0x${'c0'.padStart(64, '0')}`)}`,
    {},
  ),
  'a burnt NFT': row(
    execute,
    call('0x1', 'simple_nft', 'burn'),
    [moveEvent('0x1::collection::BurnEvent', { collection: '0xc0', nft: '0xca7', token_id: '7' })],
    'NFT_BURN',
    `Burned NFT 7 of ${short(`0x${'c0'.padStart(64, '0')}`)}`,
    {},
  ),
  'a call with a known name only': row(
    'initia.move.v1.MsgExecuteJSON',
    call(contract.hex, 'lighthouse', 'keep_watch'),
    [event('execute', {})],
    'CONTRACT_CALL',
    `Called ${short(contract.hex)}::lighthouse::keep_watch`,
    { function: `${contract.hex}::lighthouse::keep_watch` },
  ),
  'a function with a name that is none': row(
    execute,
    call(contract.hex, 'lighthouse', 'watch and claimed 5 INIT'),
    [],
    'CONTRACT_CALL',
    'Called a Move function',
    { function: null },
  ),
  'a script': row('initia.move.v1.MsgScript', { sender: alice.bech32 }, [], 'CONTRACT_CALL', 'Ran a Move script', {}),
  'new modules': row(
    'initia.move.v1.MsgPublish',
    { sender: alice.bech32, code_bytes: ['', ''] },
    [],
    'CONTRACT_DEPLOY',
    'Published 2 Move modules',
    {},
  ),
}
