import { event } from '../../src/sandbox/world/events.ts'
import { abroad, alice, bob, coin, type Row, row, short, usdc } from './row.ts'

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
const error = { error: 'ABCI code: 5: error handling packet: see events for details' }
const wayBack = `${short(a)}: the transfer over IBC channel-9 to ${short(far)}`
const refund = {
  actor: a,
  amounts: [coin('uinit', 900n)],
  remote: { address: far, channel: 'channel-9', packetSequence: '41', opInitBridgeId: null },
}
const nfts = { classId: 'move/cats', tokenIds: ['7'], sender: a, receiver: far }

/** Packets that relayers report back on. */
export const ibcRows: Readonly<Record<string, Row>> = {
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
    [acknowledged],
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
    [event('timeout_packet', {})],
    'BRIDGE_REFUND',
    `Returned coins to ${wayBack} timed out`,
    { amounts: [] },
  ),
  'an NFT that the other chain refused': row(
    `${channel}.MsgAcknowledgement`,
    { ...outgoing(nfts), acknowledgement: base64(error) },
    [acknowledged],
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
