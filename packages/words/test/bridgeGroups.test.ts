import { describe, expect, test } from 'vitest'
import type { ChainEvent } from '../src/balanceChanges/events.ts'
import { bridgeStepsOf as readSteps } from '../src/bridges/bridgeSteps.ts'
import { carol, alice as first, bob as second } from './actions/row.ts'
import { atOnce } from './support/atOnce.ts'
import { event } from './support/changeEvents.ts'

// Several packets, deposits and withdrawals in one transaction, one message, or one wrapper of authz: each is told by its own events.

const bridgeStepsOf = atOnce(readSteps)
const base64 = (text: string) => Buffer.from(text).toString('base64')

const [alice, bob, relayer] = [first, second, carol].map(({ bech32 }) => bech32) as [string, string, string]

const marked = ({ type, attributes }: ChainEvent, key: string, index: number): ChainEvent => ({
  type,
  attributes: [...attributes, { key, value: String(index) }],
})

/** How the events of inner messages say which they are of. */
const markings = {
  'with authz_msg_index': (inner: ChainEvent[][]) =>
    inner.flatMap((events, index) =>
      events.map((each) => marked(marked(each, 'authz_msg_index', index), 'msg_index', 0)),
    ),
  'of an older node, without it': (inner: ChainEvent[][]) => inner.flat().map((each) => marked(each, 'msg_index', 0)),
  'of a node that names no message': (inner: ChainEvent[][]) => [
    event('coin_spent', { spender: relayer, amount: '3fee' }),
    event('coin_received', { receiver: alice, amount: '3fee' }),
    ...inner.flat(),
  ],
}

const exec = (...msgs: object[]) => [{ '@type': '/cosmos.authz.v1beta1.MsgExec', grantee: relayer, msgs }]

interface Packet {
  readonly sequence: number
  readonly receiver?: string
  readonly sender?: string
  readonly memo?: string
}
const dataOf = ({ receiver = alice, sender = bob, memo = '' }: Packet) =>
  JSON.stringify({ amount: '100', denom: 'uatom', sender, receiver, memo })
const endsOf = (sequence: number) => ({
  ...{ packet_src_port: 'transfer', packet_src_channel: 'channel-1', packet_dst_port: 'transfer' },
  ...{ packet_dst_channel: 'channel-2', packet_sequence: `${sequence}` },
})
const packetEvent = (type: string, packet: Packet, more: Record<string, string> = {}) =>
  event(type, { ...endsOf(packet.sequence), packet_data: dataOf(packet), ...more })
const moved = (from: string, to: string, amount: string) => [
  event('coin_spent', { spender: from, amount }),
  event('coin_received', { receiver: to, amount }),
]
const messageOf = (name: string, packet: Packet, more: object = {}) => ({
  '@type': `/ibc.core.channel.v1.${name}`,
  signer: relayer,
  packet: {
    ...{ source_port: 'transfer', source_channel: 'channel-1', destination_port: 'transfer' },
    ...{ destination_channel: 'channel-2', sequence: `${packet.sequence}`, data: base64(dataOf(packet)) },
  },
  ...more,
})

/** A packet that is taken. The chain calls its coin `uhere`. */
const taken = (packet: Packet, amount = '100') => [
  packetEvent('recv_packet', packet),
  ...moved(bob, packet.receiver ?? alice, `${amount}uhere`),
  event('fungible_token_packet', { module: 'transfer', success: 'true' }),
  packetEvent('write_acknowledgement', packet, { packet_ack: '{"result":"AQ=="}' }),
]
const refused = (packet: Packet) => [
  packetEvent('recv_packet', packet),
  event('fungible_token_packet', { module: 'transfer', success: 'false', error: 'no' }),
  packetEvent('write_acknowledgement', packet, { packet_ack: '{"error":"ABCI code: 5"}' }),
]
/** What a relayer causes that comes too late. */
const repeated = (packet: Packet) => [packetEvent('recv_packet', packet)]
const receipt = (packet: Packet) => messageOf('MsgRecvPacket', packet)
const acknowledgement = (packet: Packet, text: string) =>
  messageOf('MsgAcknowledgement', packet, { acknowledgement: base64(text) })
const good = '{"result":"AQ=="}'
const bad = '{"error":"no"}'
const confirmed = (packet: Packet) => [
  packetEvent('acknowledge_packet', packet),
  event('fungible_token_packet', { module: 'transfer', success: '\u0001' }),
]
const returned = (packet: Packet) => [
  packetEvent('acknowledge_packet', packet),
  ...moved(relayer, packet.sender ?? bob, '100uatom'),
  event('fungible_token_packet', { module: 'transfer', error: 'no' }),
]
const late = (packet: Packet) => [
  packetEvent('timeout_packet', packet),
  ...moved(relayer, packet.sender ?? bob, '100uatom'),
  event('timeout', { module: 'transfer', refund_receiver: packet.sender ?? bob, refund_amount: '100' }),
]

const one: Packet = { sequence: 1 }
const two: Packet = { sequence: 2 }
const toldOf = (messages: object[], events: ChainEvent[]) =>
  bridgeStepsOf({ messages: messages.map((each) => ({ ...each })), events }).map(
    ({ kind, route, path, gain }) => [route.sequence, kind, gain?.amount ?? null, path] as const,
  )
const kindsOf = (...input: Parameters<typeof toldOf>) =>
  toldOf(...input).map(([sequence, kind]) => `${sequence} ${kind}`)

describe.each(Object.entries(markings))('one MsgExec, with events %s', (name, mark) => {
  const isMarked = name.startsWith('with')
  test('a packet that was taken is not refused beside one that was', () => {
    const events = mark([taken(one), refused(two)])
    expect(kindsOf(exec(receipt(one), receipt(two)), events)).toEqual(['1 RECEIVED', '2 REFUSED'])
    const other = mark([refused(one), taken(two)])
    expect(kindsOf(exec(receipt(one), receipt(two)), other)).toEqual(['1 REFUSED', '2 RECEIVED'])
  })
  test('each arrival of one coin for one account has its own amount', () => {
    const events = mark([taken(one, '95'), taken(two, '60')])
    expect(toldOf(exec(receipt(one), receipt(two)), events)).toEqual([
      ['1', 'RECEIVED', 95n, isMarked ? [0, 0] : name.includes('no message') ? [] : [0]],
      ['2', 'RECEIVED', 60n, isMarked ? [0, 1] : name.includes('no message') ? [] : [0]],
    ])
  })
  test('an acknowledgement of a success is none of a refusal, and a repeated one is none', () => {
    const messages = exec(acknowledgement(one, good), acknowledgement(two, bad))
    expect(kindsOf(messages, mark([confirmed(one), returned(two)]))).toEqual(['1 CONFIRMED', '2 RETURNED'])
    // The chain does not check the answer in a message that repeats another.
    const forged = exec(acknowledgement(one, bad), acknowledgement(two, good))
    const events = mark([[packetEvent('acknowledge_packet', one)], confirmed(two)])
    expect(kindsOf(forged, events)).toEqual(['2 CONFIRMED'])
  })
  test('a repeated timeout beside a real one is none', () => {
    const messages = exec(messageOf('MsgTimeout', one), messageOf('MsgTimeout', two))
    expect(kindsOf(messages, mark([late(one), late(two)]))).toEqual(['1 TIMED_OUT', '2 TIMED_OUT'])
    const events = mark([[packetEvent('timeout_packet', one)], late(two)])
    expect(kindsOf(messages, events)).toEqual(['2 TIMED_OUT'])
  })
  test('coins that another message moves settle no repeated end, and are no part of an arrival', () => {
    const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: bob, to_address: alice }
    const messages = exec(acknowledgement(one, bad), send)
    expect(kindsOf(messages, mark([[packetEvent('acknowledge_packet', one)], moved(bob, alice, '7uhere')]))).toEqual([])
    const arrived = toldOf(exec(receipt(one), send), mark([taken(one, '95'), moved(bob, alice, '7uhere')]))
    expect(arrived.map(([, kind, amount]) => [kind, amount])).toEqual([['RECEIVED', 95n]])
  })
  test('a packet that another message sends does not pass on one that was delivered before', () => {
    const messages = exec(receipt(one), { '@type': '/ibc.applications.transfer.v1.MsgTransfer', sender: bob })
    const sent = event('send_packet', { ...endsOf(9), packet_src_channel: 'channel-9', packet_data: dataOf(one) })
    expect(kindsOf(messages, mark([repeated(one), [sent]]))).toEqual(['9 SENT'])
  })
  test('two packets that leave are two, each of who sent it', () => {
    const transfer = (sender: string) => ({ '@type': '/ibc.applications.transfer.v1.MsgTransfer', sender })
    const sent = (packet: Packet) => [packetEvent('send_packet', packet)]
    const steps = bridgeStepsOf({
      messages: exec(transfer(alice), transfer(bob)),
      events: mark([sent(one), sent(two)]),
    })
    expect(steps.map(({ kind, caller }) => [kind, caller])).toEqual(
      isMarked
        ? [
            ['SENT', alice],
            ['SENT', bob],
          ]
        : [
            ['SENT', null],
            ['SENT', null],
          ],
    )
  })
  test('a deposit that arrived is not refused beside one that was', () => {
    const deposit = (sequence: string, values: Record<string, string>) =>
      event('finalize_token_deposit', {
        ...{ l1_sequence: sequence, sender: bob, recipient: alice, denom: 'l2/a', base_denom: 'uinit', amount: '8' },
        ...values,
      })
    const back = (from: string, to: string, l2_sequence: string) =>
      event('initiate_token_withdrawal', { from, to, denom: 'l2/a', base_denom: 'uinit', amount: '8', l2_sequence })
    const messages = exec(
      ...['1', '2', '3'].map((sequence) => ({ '@type': '/opinit.opchild.v1.MsgFinalizeTokenDeposit', sequence })),
      { '@type': '/opinit.opchild.v1.MsgInitiateTokenWithdrawal', sender: relayer },
    )
    const events = mark([
      [...moved(relayer, alice, '8l2/a'), deposit('1', { success: 'true' })],
      [back(alice, bob, '20'), deposit('2', { success: 'false', reason: 'deposit failed; no' })],
      [back(alice, bob, '21'), deposit('3', { success: 'false', reason: 'deposit failed; no' })],
      [back(relayer, relayer, '22')],
    ])
    const steps = bridgeStepsOf({ messages, events })
    expect(steps.map(({ kind, route, returnSequence }) => [kind, route.sequence, returnSequence])).toEqual([
      ['RECEIVED', '1', null],
      ['REFUSED', '2', '20'],
      ['REFUSED', '3', '21'],
      ['SENT', '22', null],
    ])
  })
})

test('what is inside nested messages of authz is told by all their indexes, and else not as refused', () => {
  const nested = exec(...exec(receipt(one), receipt(two)))
  const mark = (events: ChainEvent[], ...indexes: number[]) =>
    events.map((each) =>
      marked(
        indexes.reduce((own, index) => marked(own, 'authz_msg_index', index), each),
        'msg_index',
        0,
      ),
    )
  const events = [...mark(taken(one), 0, 0), ...mark(refused(two), 1, 0)]
  expect(toldOf(nested, events).map(([sequence, kind, , path]) => [sequence, kind, path])).toEqual([
    ['1', 'RECEIVED', [0, 0, 0]],
    ['2', 'REFUSED', [0, 0, 1]],
  ])
  expect(kindsOf(nested, [...mark(taken(one), 0), ...mark(refused(two), 0)])).toEqual(['1 RECEIVED', '2 REFUSED'])
  const answers = exec(...exec(acknowledgement(one, good), acknowledgement(two, bad)))
  const ends = [...mark(confirmed(one), 0, 0), ...mark(returned(two), 1, 0)]
  expect(kindsOf(answers, ends)).toEqual(['1 CONFIRMED', '2 RETURNED'])
})

describe('one message with several packets', () => {
  const batch = [{ '@type': '/relay.v1.MsgRecvPackets', signer: relayer }]
  const mark = (events: ChainEvent[]) => events.map((each) => marked(each, 'msg_index', 0))
  test('tells each by its own events', () => {
    const [three, four] = [{ sequence: 3 }, { sequence: 4 }]
    const sent = event('send_packet', { ...endsOf(9), packet_src_channel: 'channel-9', packet_data: dataOf(one) })
    const events = mark([
      ...taken(one, '95'),
      ...refused(two),
      ...repeated(three),
      packetEvent('recv_packet', four),
      sent,
    ])
    expect(toldOf(batch, events).map(([sequence, kind, amount]) => [sequence, kind, amount])).toEqual([
      ['1', 'RECEIVED', 95n],
      ['2', 'REFUSED', null],
      ['4', 'PASSED_ON', null],
      ['9', 'SENT', null],
    ])
  })
  test('claims no amount where one is told within another', () => {
    const [begun, other] = [taken(one), taken(two)]
    const events = mark([...begun.slice(0, 1), ...other.slice(0, 1), ...begun.slice(1), ...other.slice(1)])
    expect(toldOf(batch, events).map(([sequence, kind, amount]) => [sequence, kind, amount])).toEqual([
      ['1', 'RECEIVED', null],
      ['2', 'RECEIVED', null],
    ])
  })
  test('that a contract sends while it gets one says which of them goes on, if the memo does', () => {
    const forward = { sequence: 1, memo: JSON.stringify({ forward: { channel: 'channel-9', receiver: 'osmo1abc' } }) }
    const sent = (channel: string) =>
      event('send_packet', { ...endsOf(9), packet_src_channel: channel, packet_data: dataOf(one) })
    const onwardOf = (...events: ChainEvent[]) =>
      bridgeStepsOf({ messages: batch, events: mark(events) })
        .filter(({ kind }) => kind === 'PASSED_ON')
        .map(({ onward }) => onward?.source ?? null)
    expect(onwardOf(packetEvent('recv_packet', forward), sent('channel-8'), sent('channel-9'))).toEqual(['channel-9'])
    expect(onwardOf(packetEvent('recv_packet', one), sent('channel-8'), sent('channel-9'))).toEqual([null])
  })
})

describe('what an account got', () => {
  const mark = (events: ChainEvent[]) => events.map((each) => marked(each, 'msg_index', 0))
  const gainsOf = (events: ChainEvent[], message: object = receipt(one)) =>
    bridgeStepsOf({ messages: [{ ...message }], events: mark(events) }).map(({ gain, isKept }) => [gain, isKept])
  test('is after what the chain takes from it, in either order', () => {
    const [begin, ...rest] = taken(one, '95')
    if (!begin) throw new Error('no event')
    const fee = moved(bob, relayer, '5uhere')
    expect(gainsOf([begin, ...fee, ...rest])).toEqual([
      [expect.objectContaining({ denom: 'uhere', amount: 95n }), true],
    ])
    const [whole, ...after] = taken(one, '100')
    if (!whole) throw new Error('no event')
    const paid = gainsOf([whole, ...after.slice(0, 2), ...moved(alice, relayer, '5uhere'), ...after.slice(2)])
    expect(paid).toEqual([[expect.objectContaining({ amount: 95n }), true]])
  })
  test('is nothing that is known if it spent all of it at once', () => {
    const [begin, spent, got, ...rest] = taken(one, '100')
    if (!begin || !spent || !got) throw new Error('no event')
    expect(gainsOf([begin, spent, got, ...moved(alice, relayer, '100uhere'), ...rest])).toEqual([[null, false]])
  })
  test('is also what came back', () => {
    const back = [
      packetEvent('timeout_packet', one),
      ...moved(relayer, bob, '95uatom'),
      event('timeout', { refund_receiver: bob }),
    ]
    expect(gainsOf(back, messageOf('MsgTimeout', one))).toEqual([[expect.objectContaining({ amount: 95n }), false]])
  })
  test('is kept though who got it paid the fee of the transaction', () => {
    const fee = moved(alice, relayer, '2uhere')
    const steps = bridgeStepsOf({ messages: [receipt(one)], events: [...fee, ...mark(taken(one))] })
    expect(steps).toMatchObject([{ kind: 'RECEIVED', gain: { amount: 100n }, isKept: true }])
  })
  test('has the denom of this chain', () => {
    const [step] = bridgeStepsOf({ messages: [receipt(one)], events: mark(taken(one)) })
    expect(step?.destinationDenom).toMatch(/^ibc/)
    expect(step?.gain?.denom).toBe('uhere')
  })
})
