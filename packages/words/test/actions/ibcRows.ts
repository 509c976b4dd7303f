import { event } from '../../../sandbox/src/world/events.ts'
import { abroad, alice, bob, carol, coin, contract, type Row, row, short, token, usdc } from './row.ts'

const channel = 'ibc.core.channel.v1'
const [a, b, far] = [alice.bech32, bob.bech32, abroad]
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

const sent = { amount: '900', denom: 'uinit', sender: a, receiver: far }

/** A packet that this chain sent, as relayers report on it. */
const outgoing = (data: unknown = sent, sequence = '41') => ({
  packet: {
    sequence,
    source_port: 'transfer',
    source_channel: 'channel-9',
    destination_port: 'transfer',
    destination_channel: 'channel-892',
    data: base64(data),
  },
  signer: b,
})
const paid = (amount: string, receiver = a) => event('coin_received', { receiver, amount })
const timedOut = [
  paid('900uinit'),
  event('timeout_packet', { packet_sequence: '41' }),
  event('timeout', { refund_receiver: a, refund_denom: 'uinit', refund_amount: '900' }),
]
const acknowledged = event('acknowledge_packet', { packet_sequence: '41' })
const told = event('fungible_token_packet', { error: 'ABCI code: 5' })
const error = { error: 'ABCI code: 5: error handling packet: see events for details' }
const wayBack = `${short(a)}: the transfer over IBC channel-9 to ${short(far)}`
const refund = {
  actor: a,
  amounts: [coin('uinit', 900n)],
  remote: { address: far, channel: 'channel-9', packetSequence: '41', opInitBridgeId: null },
}
const nfts = { classId: 'move/cats', tokenIds: ['7'], sender: a, receiver: far }

// What the middleware of packets does: a packet arrives for an account between, and leaves in the same message.
const between = contract.bech32
const forward = { receiver: carol.bech32, port: 'transfer', channel: 'channel-3', retries: 2 }
const arriving = (memo: unknown) => ({
  packet: {
    sequence: '8',
    destination_channel: 'channel-9',
    data: base64({
      ...{ amount: '50', denom: 'uusdc', sender: far, receiver: 'pfm' },
      memo: JSON.stringify(memo),
    }),
  },
  signer: b,
})
const arrived = event('recv_packet', { packet_sequence: '8' })
const sentOn = [
  paid(`50${usdc}`, between),
  event('coin_spent', { spender: between, amount: `50${usdc}` }),
  paid(`50${usdc}`, token.bech32),
  event('ibc_transfer', { sender: between, receiver: carol.bech32 }),
  event('send_packet', { packet_sequence: '21', packet_src_channel: 'channel-3' }),
]
const passedOn = {
  actor: between,
  amounts: [coin(usdc, 50n)],
  remote: {
    ...{ address: carol.bech32, channel: 'channel-3', packetSequence: '21' },
    opInitBridgeId: null,
  },
}
const received = `received over IBC channel-9 from ${short(far)}`
const toCarol = short(carol.bech32)
const refused = event('write_acknowledgement', { packet_ack: '{"error":"ABCI code: 6"}' })

/** A packet that this chain sent on. */
const onward = {
  packet: {
    ...outgoing().packet,
    source_channel: 'channel-3',
    data: base64({
      ...{ amount: '50', denom: 'transfer/channel-9/uusdc' },
      ...{ sender: between, receiver: carol.bech32 },
    }),
  },
  signer: b,
}
const origin = JSON.stringify({ amount: '50', denom: 'uusdc', sender: far, receiver: 'pfm' })
const reported = (data: Readonly<Record<string, string>>) =>
  event('write_acknowledgement', {
    ...{ packet_dst_channel: 'channel-9', packet_ack: '{"error":"giving up"}' },
    ...data,
  })

/** Packets that relayers report back on, and packets that pass through this chain. */
export const ibcRows: Readonly<Record<string, Row>> = {
  'a new light client': row(
    'ibc.core.client.v1.MsgCreateClient',
    { signer: b },
    [],
    'IBC_RELAY',
    'Relayed 1 new client over IBC',
    { actor: b },
  ),
  'NFTs for a function of a Move module': row(
    'ibc.applications.nft_transfer.v1.MsgTransfer',
    {
      ...{ sender: a, source_channel: 'channel-9', class_id: 'move/cats', token_ids: ['7'] },
      receiver: `${contract.hex}::nft::ibc_transfer`,
    },
    [],
    'BRIDGE_OUT',
    `Sent NFT 7 of move/cats over IBC channel-9 to ${short(contract.hex)}::nft::ibc_transfer`,
    { actor: a },
  ),
  'a transfer that timed out': row(
    `${channel}.MsgTimeout`,
    outgoing(),
    timedOut,
    'BRIDGE_REFUND',
    `Returned 0.0009 INIT to ${wayBack} timed out`,
    refund,
  ),
  'a transfer whose channel was closed': row(
    `${channel}.MsgTimeoutOnClose`,
    outgoing(),
    timedOut,
    'BRIDGE_REFUND',
    `Returned 0.0009 INIT to ${wayBack} timed out`,
    refund,
  ),
  'a transfer that the other chain refused': row(
    `${channel}.MsgAcknowledgement`,
    { ...outgoing(), acknowledgement: base64(error) },
    [paid('900uinit'), acknowledged],
    'BRIDGE_REFUND',
    `Returned 0.0009 INIT to ${wayBack} failed with “ABCI code: 5: error handling packet: see events for details”`,
    refund,
  ),
  'an error without words, in the form of paid relayers': row(
    `${channel}.MsgAcknowledgement`,
    { ...outgoing(), acknowledgement: base64({ app_acknowledgement: base64({ error: '' }) }) },
    [acknowledged, told],
    'BRIDGE_REFUND',
    `Returned 0.0009 INIT to ${wayBack} failed`,
    refund,
  ),
  'a returned coin of another chain': row(
    `${channel}.MsgTimeout`,
    outgoing({ ...sent, denom: 'transfer/channel-9/uusdc' }),
    [event('timeout_packet', {}), paid(`900${usdc}`)],
    'BRIDGE_REFUND',
    `Returned 0.0009 USDC to ${wayBack} timed out`,
    { amounts: [coin(usdc, 900n)] },
  ),
  'a returned coin that no event names': row(
    `${channel}.MsgTimeout`,
    outgoing({ ...sent, denom: 'transfer/channel-9/uusdc' }),
    timedOut.slice(1),
    'BRIDGE_REFUND',
    `Returned coins to ${wayBack} timed out`,
    { amounts: [] },
  ),
  'an NFT that the other chain refused': row(
    `${channel}.MsgAcknowledgement`,
    { ...outgoing(nfts), acknowledgement: base64(error) },
    [acknowledged, event('non_fungible_token_packet', { acknowledgement: 'error' })],
    'BRIDGE_REFUND',
    `Returned NFT 7 of move/cats to ${wayBack} failed with “ABCI code: 5: error handling packet: see events for details”`,
    { actor: a, nfts: [{ collection: 'move/cats', tokenId: '7', objectAddress: null }] },
  ),
  'two refunds and an acknowledgement': {
    messages: [
      { type: `${channel}.MsgTimeout`, fields: outgoing(), events: timedOut },
      {
        type: `${channel}.MsgAcknowledgement`,
        fields: { ...outgoing(sent, '42'), acknowledgement: base64({ result: 'AQ==' }) },
        events: [acknowledged],
      },
      {
        type: `${channel}.MsgTimeout`,
        fields: outgoing({ ...sent, sender: b, amount: '7' }, '43'),
        events: [event('timeout_packet', {}), paid('7uinit', b)],
      },
    ],
    actions: [
      {
        kind: 'BRIDGE_REFUND',
        summary: `Returned 0.0009 INIT to ${wayBack} timed out`,
        parts: { ...refund, messageIndex: 0 },
      },
      {
        kind: 'BRIDGE_REFUND',
        summary: `Returned 0.000007 INIT to ${short(b)}: the transfer over IBC channel-9 to ${short(far)} timed out`,
        parts: { actor: b, amounts: [coin('uinit', 7n)], messageIndex: 2 },
      },
      {
        kind: 'IBC_RELAY',
        summary: 'Relayed 1 acknowledgement over IBC',
        parts: { messageIndex: 1 },
      },
    ],
  },
  'coins sent on in one message': row(
    `${channel}.MsgRecvPacket`,
    arriving({ forward }),
    [arrived, ...sentOn],
    'BRIDGE_FORWARD',
    `Passed on 0.00005 USDC over IBC channel-3 to ${toCarol}, ${received}`,
    passedOn,
  ),
  'coins sent on over two more chains, the last of them in text': row(
    `${channel}.MsgRecvPacket`,
    arriving({
      forward: {
        ...{ ...forward, receiver: 'pfm' },
        next: {
          forward: {
            ...{ channel: 'channel-7', receiver: 'pfm' },
            next: JSON.stringify({ forward: { channel: 'channel-5', receiver: carol.bech32 } }),
          },
        },
      },
    }),
    [arrived, ...sentOn],
    'BRIDGE_FORWARD',
    `Passed on 0.00005 USDC over IBC channel-3 and 2 other channels to ${toCarol}, ${received}`,
    passedOn,
  ),
  'coins that could not be sent on': row(
    `${channel}.MsgRecvPacket`,
    arriving({ forward: { ...forward, next: { forward } } }),
    [arrived, refused],
    'BRIDGE_FORWARD',
    `Tried to pass on coins over IBC channel-3 and another channel to ${toCarol}, ${received}: refused with “ABCI code: 6”`,
    { isSuccessful: false, amounts: [] },
  ),
  'coins that a chain without the middleware kept': row(
    `${channel}.MsgRecvPacket`,
    arriving({ forward }),
    [arrived, paid(`50${usdc}`, between)],
    'BRIDGE_IN',
    `Received coins over IBC channel-9 for pfm from ${short(far)}`,
    {},
  ),
  'coins for a contract that sends them on': row(
    `${channel}.MsgRecvPacket`,
    arriving({ wasm: { contract: between, msg: {} } }),
    [arrived, ...sentOn],
    'BRIDGE_IN',
    `Received coins over IBC channel-9 for pfm from ${short(far)}`,
    {},
  ),
  'coins sent on again after a timeout': row(
    `${channel}.MsgTimeout`,
    onward,
    [event('timeout_packet', {}), ...sentOn],
    'BRIDGE_FORWARD',
    `Passed on 0.00005 USDC again over IBC channel-3 to ${toCarol}, since the transfer timed out`,
    passedOn,
  ),
  'coins that go back to the chain before': row(
    `${channel}.MsgAcknowledgement`,
    { ...onward, acknowledgement: base64(error) },
    [acknowledged, paid(`50${usdc}`, token.bech32), reported({ packet_data: origin })],
    'BRIDGE_REFUND',
    `Returned 0.00005 USDC over IBC channel-9 to ${short(far)}: the transfer over IBC channel-3 to ${toCarol} failed with “ABCI code: 5: error handling packet: see events for details”`,
    { actor: between, amounts: [coin(usdc, 50n)] },
  ),
  'coins that go back after the last timeout, with data in hex': row(
    `${channel}.MsgTimeout`,
    onward,
    [
      event('timeout_packet', {}),
      paid(`50${usdc}`, token.bech32),
      reported({ packet_data_hex: Buffer.from(origin).toString('hex') }),
    ],
    'BRIDGE_REFUND',
    `Returned 0.00005 USDC over IBC channel-9 to ${short(far)}: the transfer over IBC channel-3 to ${toCarol} timed out`,
    { actor: between },
  ),
  'coins that were sent on and arrived': row(
    `${channel}.MsgAcknowledgement`,
    { ...onward, acknowledgement: base64({ result: 'AQ==' }) },
    [acknowledged, reported({ packet_data: origin, packet_ack: '{"result":"AQ=="}' })],
    'IBC_RELAY',
    'Relayed 1 acknowledgement over IBC',
    {},
  ),
  'a timeout that was reported before': row(
    `${channel}.MsgTimeout`,
    outgoing(),
    [],
    'IBC_RELAY',
    'Relayed 1 timeout over IBC',
    { actor: b },
  ),
  'a timeout of a packet without coins': row(
    `${channel}.MsgTimeout`,
    outgoing({ type: 'TYPE_EXECUTE_TX', data: 'AA==', memo: '' }),
    [event('timeout_packet', {})],
    'IBC_RELAY',
    'Relayed 1 timeout over IBC',
    { actor: b },
  ),
}
