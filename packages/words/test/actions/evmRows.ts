import { event } from '../../../sandbox/src/world/events.ts'
import {
  approvalLog,
  callData,
  evmLogEvents,
  type LogDraft,
  nftTransferLog,
  transferLog,
  voucherLogs,
  zeroAddress,
} from '../../../sandbox/src/world/logs.ts'
import { shortText } from '../../src/actions/summary.ts'
import { alice, bob, carol, coin, failed, type Row, row, short, token } from './row.ts'

const type = 'minievm.evm.v1.MsgCall'
const [a, b, of, pool] = [alice.hex, bob.hex, token.hex, carol.hex]
const five = 5n * 10n ** 18n
const call = (input: string, contract_addr = of) => ({
  ...{ sender: alice.bech32, contract_addr, input, value: '0' },
})
const emitted = (...logs: readonly LogDraft[]) => evmLogEvents(logs)
const transfer = callData('transfer(address,uint256)', b, five)
const transferFrom = callData('transferFrom(address,address,uint256)', b, a, 7n)
const approve = (amount: bigint) => callData('approve(address,uint256)', b, amount)
const nft = { collection: of, tokenId: '7', objectAddress: null, quantity: 1n }
/** `Swap(address,uint256,uint256,uint256,uint256,address)`, of Uniswap's second version. */
const swapLog = {
  address: pool,
  topics: ['0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822'],
  data: '0x',
}
/** `ApprovalForAll(address,address,bool)` */
const approvedForAll = {
  address: of,
  topics: ['0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31'],
  data: '0x',
}

/** Transactions of EVM chains. */
export const evmRows: Readonly<Record<string, Row>> = {
  'ERC-20 sent': row(type, call(transfer), emitted(transferLog(of, a, b, five)), 'SEND', `Sent 5 GAL to ${short(b)}`, {
    ...{ actor: alice.bech32, counterparty: b, amounts: [coin(of, five)] },
    function: 'transfer(address,uint256)',
  }),
  'ERC-20 not sent': failed(type, call(transfer), 'SEND', `Tried to send 5 GAL to ${short(b)}`, {
    isSuccessful: false,
  }),
  'a transfer that no log confirms': row(type, call(transfer), [], 'CONTRACT_CALL', `Called transfer of ${short(of)}`, {
    contract: of,
    function: '0xa9059cbb',
  }),
  'a transfer that another contract reports': row(
    type,
    call(transfer),
    emitted(transferLog(pool, a, b, five)),
    'CONTRACT_CALL',
    `Called transfer of ${short(of)}, paid 5000000000000000000 base units of ${shortText(pool, 14, 6)}`,
    {},
  ),
  'ERC-20 of another owner': row(
    type,
    call(callData('transferFrom(address,address,uint256)', b, a, five)),
    emitted(transferLog(of, b, a, five)),
    'SEND',
    `Sent 5 GAL to ${short(a)}, executed by ${short(alice.bech32)} for ${short(b)}`,
    { actor: b, executor: alice.bech32, counterparty: a },
  ),
  'the same function with an NFT': row(
    type,
    call(transferFrom),
    emitted(nftTransferLog(of, b, a, '7')),
    'NFT_TRANSFER',
    `Sent NFT 7 of ${short(of)} to ${short(a)}, executed by ${short(alice.bech32)} for ${short(b)}`,
    { nfts: [nft] },
  ),
  'the same function, failed: of either standard': failed(
    type,
    call(transferFrom),
    'CONTRACT_CALL',
    `Tried to call transferFrom of ${short(of)}`,
    { function: 'transferFrom(address,address,uint256)' },
  ),
  'an allowance': row(
    type,
    call(approve(five)),
    emitted(approvalLog(of, a, b, five)),
    'APPROVE',
    `Approved ${short(b)} to spend 5 GAL`,
    { counterparty: b, amounts: [coin(of, five)] },
  ),
  'an allowance without a limit': row(
    type,
    call(approve(2n ** 256n - 1n)),
    emitted(approvalLog(of, a, b, 2n ** 256n - 1n)),
    'APPROVE',
    `Approved ${short(b)} to spend any amount of ${short(of)}`,
    {},
  ),
  'an allowance for all NFTs': row(
    type,
    call(callData('setApprovalForAll(address,bool)', b, 1n)),
    emitted(approvedForAll),
    'APPROVE',
    `Approved ${short(b)} to spend all NFTs of ${short(of)}`,
    {},
  ),
  'an allowance taken back': row(
    type,
    call(callData('setApprovalForAll(address,bool)', b, 0n)),
    emitted(approvedForAll),
    'APPROVE',
    `Withdrew the approval of ${short(b)} to spend all NFTs of ${short(of)}`,
    {},
  ),
  'an NFT sent safely': row(
    type,
    call(callData('safeTransferFrom(address,address,uint256)', a, b, 7n)),
    emitted(nftTransferLog(of, a, b, '7')),
    'NFT_TRANSFER',
    `Sent NFT 7 of ${short(of)} to ${short(b)}`,
    { nfts: [nft] },
  ),
  'a swap': row(
    type,
    call('0x12345678', pool),
    emitted(transferLog(of, a, pool, five), swapLog, transferLog(pool, pool, a, 9n)),
    'SWAP',
    `Swapped 5 GAL for 9 base units of ${pool.slice(0, 16)}…${pool.slice(-6)}`,
    { amounts: [coin(of, five)], received: [coin(pool, 9n)], function: '0x12345678' },
  ),
  'a vault that swaps for itself': row(
    type,
    call('0x12345678', pool),
    emitted(transferLog(of, a, pool, five), swapLog, transferLog(pool, zeroAddress, a, 9n)),
    'CONTRACT_CALL',
    `Called a function of ${short(pool)}, paid 5 GAL and got 9 base units of ${shortText(pool, 14, 6)}`,
    {},
  ),
  'a new NFT': row(
    type,
    call('0x12345678'),
    emitted(nftTransferLog(of, zeroAddress, a, '7')),
    'NFT_MINT',
    `Minted NFT 7 of ${short(of)}`,
    { nfts: [nft] },
  ),
  'a new NFT that is paid for': row(
    type,
    call('0x12345678'),
    emitted(transferLog(pool, a, b, 5n), nftTransferLog(of, zeroAddress, a, '7')),
    'NFT_MINT',
    `Minted NFT 7 of ${short(of)} for 5 base units of ${shortText(pool, 14, 6)}`,
    { nfts: [nft], amounts: [coin(pool, 5n)] },
  ),
  'units of ERC-1155': row(
    type,
    call('0x12345678'),
    emitted(...voucherLogs(of, a, 30n).slice(0, 1)),
    'NFT_MINT',
    `Minted 30 units of NFT 1 of ${short(of)}`,
    { nfts: [{ ...nft, tokenId: '1', quantity: 30n }] },
  ),
  'a payment without data': row(
    type,
    { ...call('0x', b), value: '5' },
    emitted(transferLog(of, a, b, five)),
    'SEND',
    `Sent 5 GAL to ${short(b)}`,
    { counterparty: b, amounts: [coin(of, five)] },
  ),
  'a payment whose coins no log names': row(
    type,
    { ...call('0x', b), value: '5' },
    [],
    'SEND',
    `Sent coins to ${short(b)}`,
    { amounts: [] },
  ),
  'a call with a known selector only': row(
    type,
    call('0x18178358'),
    [],
    'CONTRACT_CALL',
    `Called a function of ${short(of)}`,
    { function: '0x18178358' },
  ),
  'a new contract': row(
    'minievm.evm.v1.MsgCreate',
    { sender: alice.bech32, code: '0x60' },
    [event('create', { contract: of })],
    'CONTRACT_DEPLOY',
    `Created contract ${short(of)}`,
    { contract: of },
  ),
  'a contract that was not created': failed(
    'minievm.evm.v1.MsgCreate',
    { sender: alice.bech32, code: '0x60' },
    'CONTRACT_DEPLOY',
    'Tried to create a contract',
    { contract: null },
  ),
}
