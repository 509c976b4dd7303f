import { event } from '../../../sandbox/src/world/events.ts'
import { alice, bob, carol, coin, contract, failed, init, type Row, row, short } from './row.ts'

const type = 'cosmwasm.wasm.v1.MsgExecuteContract'
const [a, b, of] = [alice.bech32, bob.bech32, contract.bech32]
const call = (msg: unknown) => ({ sender: a, contract: of, msg, funds: [] })
const reported = (action: string, attributes: Readonly<Record<string, string>>) => [
  event('wasm', { _contract_address: of, action, ...attributes }),
]
const amount = '5000000'
const sail = [coin(of, 5_000_000n)]

/** Transactions of Wasm chains. */
export const wasmRows: Readonly<Record<string, Row>> = {
  'tokens sent': row(
    type,
    call({ transfer: { recipient: b, amount } }),
    reported('transfer', { from: a, to: b, amount }),
    'SEND',
    `Sent 5 SAIL to ${short(b)}`,
    { actor: a, counterparty: b, amounts: sail, function: 'transfer' },
  ),
  'tokens not sent': failed(
    type,
    call({ transfer: { recipient: b, amount } }),
    'SEND',
    `Tried to send 5 SAIL to ${short(b)}`,
    { isSuccessful: false },
  ),
  'a function named like that of a token': row(
    type,
    call({ transfer: { recipient: b, amount } }),
    reported('transfer_ownership', { to: b }),
    'CONTRACT_CALL',
    `Called transfer of ${short(of)}`,
    { function: 'transfer', amounts: [] },
  ),
  'tokens of another owner': row(
    type,
    call({ transfer_from: { owner: carol.bech32, recipient: b, amount } }),
    reported('transfer_from', { from: carol.bech32, to: b, by: a, amount }),
    'SEND',
    `Sent 5 SAIL to ${short(b)}, executed by ${short(a)} for ${short(carol.bech32)}`,
    { actor: carol.bech32, executor: a },
  ),
  'new tokens': row(
    type,
    call({ mint: { recipient: b, amount } }),
    reported('mint', { to: b, amount }),
    'TOKEN_MINT',
    `Minted 5 SAIL for ${short(b)}`,
    { actor: a, counterparty: b, amounts: sail },
  ),
  'burnt tokens': row(
    type,
    call({ burn: { amount } }),
    reported('burn', { from: a, amount }),
    'TOKEN_BURN',
    'Burned 5 SAIL',
    { actor: a, amounts: sail },
  ),
  'a call that pays out': row(
    type,
    call({ redeem: {} }),
    [event('coin_received', { receiver: a, amount: '7uinit' })],
    'CONTRACT_CALL',
    `Called redeem of ${short(of)}, got 0.000007 INIT`,
    { received: [coin('uinit', 7n)] },
  ),
  'an allowance': row(
    type,
    call({ increase_allowance: { spender: b, amount } }),
    reported('increase_allowance', { spender: b, amount }),
    'APPROVE',
    `Approved ${short(b)} to spend another 5 SAIL`,
    { counterparty: b, amounts: sail },
  ),
  'an NFT sent': row(
    type,
    call({ transfer_nft: { recipient: b, token_id: 'plank-7' } }),
    reported('transfer_nft', { sender: a, recipient: b, token_id: 'plank-7' }),
    'NFT_TRANSFER',
    `Sent NFT plank-7 of ${short(of)} to ${short(b)}`,
    { nfts: [{ collection: of, tokenId: 'plank-7', objectAddress: null }] },
  ),
  'an NFT with words as its id': row(
    type,
    call({ transfer_nft: { recipient: b, token_id: '7 to nobody' } }),
    reported('transfer_nft', { recipient: b, token_id: '7 to nobody' }),
    'NFT_TRANSFER',
    `Sent NFT “7 to nobody” of ${short(of)} to ${short(b)}`,
    {},
  ),
  'an NFT made': row(
    type,
    call({ mint: { owner: b, token_id: 'plank-7' } }),
    reported('mint', { owner: b, token_id: 'plank-7' }),
    'NFT_MINT',
    `Minted NFT plank-7 of ${short(of)} for ${short(b)}`,
    { counterparty: b },
  ),
  'an NFT burnt': row(
    type,
    call({ burn: { token_id: 'plank-7' } }),
    reported('burn', { token_id: 'plank-7' }),
    'NFT_BURN',
    `Burned NFT plank-7 of ${short(of)}`,
    {},
  ),
  'a swap of a pool that reports both sides': row(
    type,
    call({ swap: {} }),
    reported('swap', {
      ...{ sender: a, receiver: a, offer_asset: 'uinit', ask_asset: of },
      ...{ offer_amount: '2000000', return_amount: amount },
    }),
    'SWAP',
    'Swapped 2 INIT for 5 SAIL',
    { amounts: [coin('uinit', 2_000_000n)], received: sail },
  ),
  'a swap with one known side': row(
    type,
    call({ swap: { offer: '2000000' } }),
    reported('swap', { receiver: a, offer_amount: '2000000' }),
    'CONTRACT_CALL',
    `Called swap of ${short(of)}`,
    { function: 'swap' },
  ),
  'a call with coins': row(
    type,
    { ...call({ bond: {} }), funds: [init('2000000')] },
    [],
    'CONTRACT_CALL',
    `Called bond of ${short(of)} with 2 INIT`,
    { contract: of, function: 'bond', amounts: [coin('uinit', 2_000_000n)] },
  ),
  'a function whose name is a sentence': row(
    type,
    call({ 'swap and claimed 1000 INIT': {} }),
    [],
    'CONTRACT_CALL',
    `Called ${short(of)}`,
    { function: null },
  ),
  'a new contract': row(
    'cosmwasm.wasm.v1.MsgInstantiateContract',
    { sender: a, code_id: '7', label: 'Tide\u202e Pools 潮', msg: {} },
    [event('instantiate', { _contract_address: of, code_id: '7' })],
    'CONTRACT_DEPLOY',
    `Created contract ${short(of)} named “Tide Pools 潮” from code 7`,
    { actor: a, contract: of },
  ),
  'new code': row(
    'cosmwasm.wasm.v1.MsgStoreCode',
    { sender: a },
    [event('store_code', { code_id: '8' })],
    'CONTRACT_DEPLOY',
    'Uploaded code 8 for contracts',
    {},
  ),
  'a migration': row(
    'cosmwasm.wasm.v1.MsgMigrateContract',
    { sender: a, contract: of, code_id: '8', msg: {} },
    [],
    'CONTRACT_CALL',
    `Migrated contract ${short(of)} to code 8`,
    {},
  ),
}
