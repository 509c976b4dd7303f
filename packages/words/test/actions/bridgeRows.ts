import { event } from '../../../sandbox/src/world/events.ts'
import { abroad, alice, bob, carol, coin, init, type Row, row, short, usdc } from './row.ts'

const channel = 'ibc.core.channel.v1'
const host = 'opinit.ophost.v1'
const child = 'opinit.opchild.v1'
const [a, b, far] = [alice.bech32, bob.bech32, abroad]

const outgoing = {
  source_port: 'transfer',
  source_channel: 'channel-9',
  token: init('5000000'),
  sender: a,
  receiver: far,
}

/** A packet as relayers deliver it. */
const packet = (data: unknown, port = 'transfer') => ({
  packet: {
    destination_port: port,
    destination_channel: 'channel-9',
    data: Buffer.from(JSON.stringify(data)).toString('base64'),
  },
  signer: b,
})
const coins = { amount: '5000000', denom: 'uusdc', sender: far, receiver: a }
const received = event('recv_packet', { packet_sequence: '1' })
const accepted = event('write_acknowledgement', { packet_ack: '{"result":"AQ=="}' })
const paid = event('coin_received', { receiver: a, amount: `5000000${usdc}` })
const update = { type: 'ibc.core.client.v1.MsgUpdateClient', fields: { signer: b } }
const acknowledgement = { type: `${channel}.MsgAcknowledgement`, fields: { signer: b } }

const deposit = { sender: a, bridge_id: '12', to: b, amount: init('5000000') }
const finalized = { sender: carol.bech32, from: a, to: b, amount: init('5000000') }

/** Transactions of bridges. */
export const bridgeRows: Readonly<Record<string, Row>> = {
  'coins over IBC': row(
    'ibc.applications.transfer.v1.MsgTransfer',
    outgoing,
    [event('send_packet', { packet_sequence: '41', packet_src_channel: 'channel-9' })],
    'BRIDGE_OUT',
    `Sent 5 INIT over IBC channel-9 to ${short(far)}`,
    {
      actor: a,
      amounts: [coin('uinit', 5_000_000n)],
      remote: { address: far, channel: 'channel-9', packetSequence: '41', opInitBridgeId: null },
    },
  ),
  'a withdrawal of a coin that goes over IBC instead': row(
    `${child}.MsgInitiateTokenWithdrawal`,
    { sender: a, to: b, amount: init('5000000') },
    [event('send_packet', { packet_sequence: '41', packet_src_channel: 'channel-9' })],
    'BRIDGE_OUT',
    `Sent 5 INIT over IBC channel-9 to ${short(b)}`,
    { actor: a, remote: { address: b, channel: 'channel-9', packetSequence: '41', opInitBridgeId: null } },
  ),
  'a deposit of a coin that goes over IBC instead': row(
    `${host}.MsgInitiateTokenDeposit`,
    { sender: a, to: b, bridge_id: '12', amount: init('5000000') },
    [event('send_packet', { packet_sequence: '41', packet_src_channel: 'channel-9' })],
    'BRIDGE_OUT',
    `Sent 5 INIT over IBC channel-9 to ${short(b)}`,
    { actor: a },
  ),
  'NFTs over IBC': row(
    'ibc.applications.nft_transfer.v1.MsgTransfer',
    { ...outgoing, class_id: 'move/cats', token_ids: ['7', '8'] },
    [],
    'BRIDGE_OUT',
    `Sent 2 NFTs of move/cats over IBC channel-9 to ${short(far)}`,
    {
      nfts: ['7', '8'].map((tokenId) => ({
        collection: 'move/cats',
        tokenId,
        objectAddress: null,
      })),
    },
  ),
  'coins from a relayer, beside an update of its client': {
    messages: [
      update,
      {
        type: `${channel}.MsgRecvPacket`,
        fields: packet(coins),
        events: [received, paid, accepted],
      },
    ],
    actions: [
      {
        kind: 'BRIDGE_IN',
        summary: `Received 5 USDC over IBC channel-9 for ${short(a)} from ${short(far)}`,
        parts: { actor: a, amounts: [coin(usdc, 5_000_000n)], messageIndex: 1 },
      },
      {
        kind: 'IBC_RELAY',
        summary: 'Relayed 1 client update over IBC',
        parts: { actor: b, messageIndex: 0 },
      },
    ],
  },
  'coins whose denom here no event names': row(
    `${channel}.MsgRecvPacket`,
    packet(coins),
    [received, accepted],
    'BRIDGE_IN',
    `Received coins over IBC channel-9 for ${short(a)} from ${short(far)}`,
    { amounts: [] },
  ),
  'an NFT from a relayer': row(
    `${channel}.MsgRecvPacket`,
    packet({ classId: 'cats', tokenIds: ['7'], sender: far, receiver: a }, 'nft-transfer'),
    [received, accepted],
    'BRIDGE_IN',
    `Received NFT 7 of cats over IBC channel-9 for ${short(a)} from ${short(far)}`,
    { nfts: [{ collection: 'cats', tokenId: '7', objectAddress: null }] },
  ),
  'a packet that the chain refused': row(
    `${channel}.MsgRecvPacket`,
    packet(coins),
    [received, event('write_acknowledgement', { packet_ack: '{"error":"ABCI code: 5"}' })],
    'BRIDGE_IN',
    `Tried to deliver coins over IBC channel-9 for ${short(a)} from ${short(far)}: refused with “ABCI code: 5”`,
    { isSuccessful: false },
  ),
  'a packet that was delivered before': row(
    `${channel}.MsgRecvPacket`,
    packet(coins),
    [],
    'IBC_RELAY',
    'Relayed 1 packet over IBC',
    { actor: b },
  ),
  'nothing but work of a relayer': {
    messages: [update, acknowledgement, acknowledgement],
    actions: [
      {
        kind: 'IBC_RELAY',
        summary: 'Relayed 1 client update and 2 acknowledgements over IBC',
        parts: { actor: b, messageIndex: 0 },
      },
    ],
  },
  'a relayer that failed': {
    messages: [update, { type: `${channel}.MsgRecvPacket`, fields: packet(coins) }],
    isFailed: true,
    actions: [
      {
        kind: 'IBC_RELAY',
        summary: 'Tried to relay 1 client update and 1 packet over IBC',
        parts: { isSuccessful: false },
      },
    ],
  },
  'a sender in words, who is no address': row(
    `${channel}.MsgRecvPacket`,
    packet({ ...coins, sender: 'you\u202e and claimed 9 INIT' }),
    [received, paid, accepted],
    'BRIDGE_IN',
    `Received 5 USDC over IBC channel-9 for ${short(a)} from “you and claimed 9 INIT”`,
    {},
  ),
  'a deposit to a rollup': row(
    `${host}.MsgInitiateTokenDeposit`,
    deposit,
    [],
    'BRIDGE_OUT',
    `Deposited 5 INIT over bridge 12 to ${short(b)} on its rollup`,
    { actor: a, remote: { address: b, channel: null, opInitBridgeId: '12' } },
  ),
  'a deposit that arrives': row(
    `${child}.MsgFinalizeTokenDeposit`,
    finalized,
    [event('finalize_token_deposit', { success: 'true' })],
    'BRIDGE_IN',
    `Received a deposit of 5 INIT for ${short(b)} from ${short(a)} on the hub`,
    { actor: b, remote: { address: a, channel: null, opInitBridgeId: null } },
  ),
  'a deposit that the rollup refused': row(
    `${child}.MsgFinalizeTokenDeposit`,
    finalized,
    [
      event('finalize_token_deposit', { success: 'false', reason: 'deposit failed; blocked' }),
      event('initiate_token_withdrawal', { from: b, to: a, l2_sequence: '9' }),
    ],
    'BRIDGE_IN',
    `Tried to deliver a deposit of 5 INIT for ${short(b)} from ${short(a)} on the hub: refused with “deposit failed; blocked”, comes back as withdrawal 9`,
    { isSuccessful: false },
  ),
  'a deposit whose messages failed': row(
    `${child}.MsgFinalizeTokenDeposit`,
    { ...finalized, data: 'CtAG' },
    [event('finalize_token_deposit', { success: 'false', reason: 'hook failed; out of gas' })],
    'BRIDGE_IN',
    `Received a deposit of 5 INIT for ${short(b)} from ${short(a)} on the hub, but the messages that came with it failed with “out of gas”`,
    { actor: b, amounts: [coin('uinit', 5_000_000n)] },
  ),
  'a deposit whose messages were executed': row(
    `${child}.MsgFinalizeTokenDeposit`,
    { ...finalized, data: 'CtAG' },
    [event('finalize_token_deposit', { success: 'true' })],
    'BRIDGE_IN',
    `Received a deposit of 5 INIT for ${short(b)} from ${short(a)} on the hub, and executed the messages that came with it`,
    { actor: b },
  ),
  'a deposit that had arrived before': row(
    `${child}.MsgFinalizeTokenDeposit`,
    finalized,
    [],
    'ROLLUP_UPDATE',
    'Relayed a deposit that had arrived before',
    { actor: carol.bech32 },
  ),
  'a withdrawal from a rollup': row(
    `${child}.MsgInitiateTokenWithdrawal`,
    { sender: a, to: b, amount: init('5000000') },
    [],
    'BRIDGE_OUT',
    `Started a withdrawal of 5 INIT to ${short(b)} on the hub`,
    { actor: a, remote: { address: b, channel: null, opInitBridgeId: null } },
  ),
  'a withdrawal that is claimed': row(
    `${host}.MsgFinalizeTokenWithdrawal`,
    { ...finalized, bridge_id: '12' },
    [],
    'BRIDGE_IN',
    `Finalized the withdrawal of 5 INIT over bridge 12 to ${short(b)}`,
    { actor: b, remote: { address: a, channel: null, opInitBridgeId: '12' } },
  ),
  'an output of a rollup': row(
    `${host}.MsgProposeOutput`,
    { proposer: a, bridge_id: '12' },
    [],
    'ROLLUP_UPDATE',
    'Proposed an output of bridge 12',
    { actor: a },
  ),
}
