import { BinaryWriter } from '@bufbuild/protobuf/wire'
import { type Event, event } from '../../../sandbox/src/world/events.ts'
import { abroad, alice, bob, carol, coin, contract, type Row, row, short, usdc } from './row.ts'

const [a, b, far] = [alice.bech32, bob.bech32, abroad]
const receive = 'ibc.core.channel.v1.MsgRecvPacket'
const second = 'ibc.core.channel.v2'
const inBase64 = (text: string) => Buffer.from(text).toString('base64')
const inHex = (text: string) => Buffer.from(text).toString('hex')

const data = { amount: '5000000', denom: 'uusdc', sender: far, receiver: a }
const packet = (transfer: unknown = data, ports: Readonly<Record<string, string>> = {}) => ({
  packet: {
    sequence: '7',
    source_port: 'transfer',
    source_channel: 'channel-892',
    destination_port: 'transfer',
    destination_channel: 'channel-9',
    data: inBase64(JSON.stringify(transfer)),
    ...ports,
  },
  signer: b,
})
const handedOver = event('recv_packet', { packet_sequence: '7' })
const paid = (receiver = a) => event('coin_received', { receiver, amount: `5000000${usdc}` })
const written = (attributes: Readonly<Record<string, string>>) => event('write_acknowledgement', attributes)
const accepted = written({ packet_ack_hex: inHex('{"result":"AQ=="}') })
const error = '{"error":"ABCI code: 5: error handling packet: see events for details"}'
const way = `over IBC channel-9 for ${short(a)} from ${short(far)}`
const told = 'refused with “ABCI code: 5: error handling packet: see events for details”'

const refused = (name: string, ...events: readonly Event[]): readonly [string, Row] => [
  name,
  row(receive, packet(), [handedOver, ...events], 'BRIDGE_IN', `Tried to deliver coins ${way}: ${told}`, {
    isSuccessful: false,
    amounts: [],
  }),
]

/** A message of protobuf, by the numbers of its fields. */
function protobuf(fields: Readonly<Record<number, string | Uint8Array>>): Uint8Array {
  const writer = new BinaryWriter()
  for (const [number, value] of Object.entries(fields)) {
    writer.tag(Number(number), 2)
    if (typeof value === 'string') writer.string(value)
    else writer.bytes(value)
  }
  return writer.finish()
}

const inSolidity = (texts: readonly string[], amount: bigint): string => {
  const word = (value: bigint | number) => value.toString(16).padStart(64, '0')
  const tails = texts.map((text) => {
    const hex = inHex(text)
    return word(text.length) + hex.padEnd(Math.ceil(hex.length / 64) * 64, '0')
  })
  let place = 5 * 32
  const places = tails.map((tail) => {
    const at = word(place)
    place += tail.length / 2
    return at
  })
  const [denom, sender, receiver, memo] = places
  const head = [denom, sender, receiver, word(amount), memo].join('')
  return Buffer.from(word(32) + head + tails.join(''), 'hex').toString('base64')
}

const payload = (encoding: string, value: string) => ({
  ...{ source_port: 'transfer', destination_port: 'transfer', version: 'ics20-1' },
  encoding: `application/${encoding}`,
  value,
})
const [client, otherClient] = ['08-wasm-0', '07-tendermint-1']
const secondPacket = (...payloads: readonly unknown[]) => ({
  packet: {
    sequence: '7',
    source_client: client,
    destination_client: otherClient,
    timeout_timestamp: '1790000000',
    payloads,
  },
  signer: b,
})
const bytesOf = ({ amount, denom, sender, receiver }: typeof data, memo = '') =>
  Buffer.from(protobuf({ 1: denom, 2: amount, 3: sender, 4: receiver, 5: memo })).toString('base64')
const encoded: Readonly<Record<string, string>> = {
  json: inBase64(JSON.stringify(data)),
  'x-protobuf': bytesOf(data),
  'x-solidity-abi': inSolidity([data.denom, far, a, ''], 5_000_000n),
}
const universalError = '4774d4a575993f963b1c06573736617a457abef8589178db8d10c94b4ab511ab'
const secondAck = (hex: string) =>
  written({
    packet_sequence: '7',
    encoded_acknowledgement_hex: Buffer.from(protobuf({ 1: Buffer.from(hex, 'hex') })).toString('hex'),
  })
const secondWay = `over IBC ${otherClient} for ${short(a)} from ${short(far)}`
const own = { amount: '900', denom: 'uinit', sender: a, receiver: far }
const ownPayload = payload('json', inBase64(JSON.stringify(own)))
const backWay = `over IBC ${client} to ${short(far)}`
const cameBack = event('coin_received', { receiver: a, amount: '900uinit' })

const hooked = (memo: unknown, receiver = a) => packet({ ...data, receiver, memo: JSON.stringify(memo) })
const moveHook = {
  move: {
    message: { module_address: contract.hex, module_name: 'entry', function_name: 'swap_and_send' },
  },
}
const called = event('execute', { sender: a, module_addr: contract.hex, module_name: 'entry' })

const orderOf = (...messages: readonly unknown[]) =>
  packet(
    { type: 'TYPE_EXECUTE_TX', data: inBase64(JSON.stringify({ messages })), memo: '' },
    { source_port: `icacontroller-${far}`, destination_port: 'icahost' },
  )
const send = {
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: carol.bech32,
  to_address: a,
  amount: [{ denom: 'uinit', amount: '5000000' }],
}
const sendBytes = protobuf({
  1: carol.bech32,
  2: a,
  3: protobuf({ 1: 'uinit', 2: '5000000' }),
})
const inProtobuf = (type: string, value: Uint8Array) =>
  Buffer.from(protobuf({ 1: protobuf({ 1: type, 2: value }) })).toString('base64')
const orderInBytes = (text: string) => ({
  ...orderOf(),
  packet: {
    ...orderOf().packet,
    data: inBase64(JSON.stringify({ type: 'TYPE_EXECUTE_TX', data: text, memo: '' })),
  },
})
const executed = [
  handedOver,
  event('coin_spent', { spender: carol.bech32, amount: '5000000uinit' }),
  event('ics27_packet', { success: 'true', host_channel_id: 'channel-9' }),
  accepted,
]
const ordered = `, ordered over IBC channel-9 by ${short(far)}`
const outgoing = {
  packet: {
    ...packet(own).packet,
    ...{ source_channel: 'channel-9', destination_channel: 'channel-892' },
  },
  signer: b,
}

/** Packets in every form that ibc-go has written, and what relayers do a second time. */
export const packetRows: Readonly<Record<string, Row>> = {
  ...Object.fromEntries([
    refused('a refusal in hex', written({ packet_ack_hex: inHex(error) })),
    refused('a refusal in text', written({ packet_ack: error })),
    refused(
      'a refusal in the wrapping of paid relayers',
      written({ packet_ack: JSON.stringify({ app_acknowledgement: inBase64(error) }) }),
    ),
    refused(
      'a refusal in the form of the first releases',
      written({ packet_ack: error.replace('{', '{"success":false,') }),
    ),
    refused(
      'a refusal by the events of the application',
      event('fungible_token_packet', {
        success: 'false',
        error: 'ABCI code: 5: error handling packet: see events for details',
      }),
    ),
    refused(
      'a refusal by events that were renamed, coins and all',
      event('ibccallbackerror-coin_received', {
        'ibccallbackerror-receiver': a,
        'ibccallbackerror-amount': `5000000${usdc}`,
      }),
      event('ibccallbackerror-fungible_token_packet', { 'ibccallbackerror-success': 'true' }),
      written({ packet_ack_hex: inHex(error) }),
    ),
  ]),
  'a packet whose acknowledgement is in hex': row(
    receive,
    packet(),
    [handedOver, paid(), accepted],
    'BRIDGE_IN',
    `Received 5 USDC ${way}`,
    { amounts: [coin(usdc, 5_000_000n)] },
  ),
  'a packet that another relayer delivered before': row(
    receive,
    packet(),
    [handedOver],
    'IBC_RELAY',
    'Relayed 1 packet over IBC',
    { actor: b },
  ),
  'a packet to the port of a contract, which can say what it likes': row(
    receive,
    packet(data, { destination_port: `wasm.${contract}` }),
    [handedOver, accepted, paid()],
    'IBC_RELAY',
    'Relayed 1 packet over IBC',
    {},
  ),
  'a timeout of a packet of a contract': row(
    'ibc.core.channel.v1.MsgTimeout',
    { ...outgoing, packet: { ...outgoing.packet, source_port: `wasm.${contract}` } },
    [event('timeout_packet', { packet_sequence: '7' }), paid()],
    'IBC_RELAY',
    'Relayed 1 timeout over IBC',
    {},
  ),
  'a timeout that another relayer reported before': row(
    'ibc.core.channel.v1.MsgTimeout',
    outgoing,
    [event('timeout_packet', { packet_sequence: '7' })],
    'IBC_RELAY',
    'Relayed 1 timeout over IBC',
    {},
  ),
  'an acknowledgement that another relayer delivered before': row(
    'ibc.core.channel.v1.MsgAcknowledgement',
    { ...outgoing, acknowledgement: inBase64(error) },
    [event('acknowledge_packet', { packet_sequence: '7' })],
    'IBC_RELAY',
    'Relayed 1 acknowledgement over IBC',
    {},
  ),
  'a timeout by the events of newer chains': row(
    'ibc.core.channel.v1.MsgTimeout',
    outgoing,
    [event('timeout', { receiver: a, refund_tokens: '[]' }), cameBack],
    'BRIDGE_REFUND',
    `Returned 0.0009 INIT to ${short(a)}: the transfer over IBC channel-9 to ${short(far)} timed out`,
    { actor: a },
  ),
  ...Object.fromEntries(
    Object.entries(encoded).map(([encoding, value]) => [
      `a packet between clients, its payload in ${encoding}`,
      row(
        `${second}.MsgRecvPacket`,
        secondPacket(payload(encoding, value)),
        [handedOver, paid(), secondAck('01')],
        'BRIDGE_IN',
        `Received 5 USDC ${secondWay}`,
        {
          actor: a,
          amounts: [coin(usdc, 5_000_000n)],
          remote: { address: far, channel: otherClient, packetSequence: '7', opInitBridgeId: null },
        },
      ),
    ]),
  ),
  'a packet between clients that the chain refused': row(
    `${second}.MsgRecvPacket`,
    secondPacket(payload('json', encoded.json ?? '')),
    [handedOver, secondAck(universalError)],
    'BRIDGE_IN',
    `Tried to deliver coins ${secondWay}`,
    { isSuccessful: false },
  ),
  'a packet between clients with two payloads': row(
    `${second}.MsgRecvPacket`,
    secondPacket(ownPayload, ownPayload),
    [handedOver, secondAck('01')],
    'IBC_RELAY',
    'Relayed 1 packet over IBC',
    {},
  ),
  'coins sent between clients': row(
    `${second}.MsgSendPacket`,
    { source_client: client, payloads: [ownPayload], signer: a },
    [event('send_packet', { packet_source_client: client, packet_sequence: '41' })],
    'BRIDGE_OUT',
    `Sent 0.0009 INIT ${backWay}`,
    {
      actor: a,
      amounts: [coin('uinit', 900n)],
      remote: { address: far, channel: client, packetSequence: '41', opInitBridgeId: null },
    },
  ),
  'something else sent between clients': row(
    `${second}.MsgSendPacket`,
    { source_client: client, payloads: [payload('json', inBase64('{"a":1}'))], signer: a },
    [],
    'BRIDGE_OUT',
    `Sent a packet over IBC ${client}`,
    {},
  ),
  'coins that the other client refused': row(
    `${second}.MsgAcknowledgement`,
    {
      ...secondPacket(ownPayload),
      acknowledgement: {
        app_acknowledgements: [Buffer.from(universalError, 'hex').toString('base64')],
      },
    },
    [event('fungible_token_packet', { success: 'false' }), cameBack],
    'BRIDGE_REFUND',
    `Returned 0.0009 INIT to ${short(a)}: the transfer ${backWay} failed`,
    { actor: a },
  ),
  'coins that came back from a client in time': row(
    `${second}.MsgTimeout`,
    secondPacket(ownPayload),
    [event('timeout', { receiver: a, refund_tokens: '900uinit' }), cameBack],
    'BRIDGE_REFUND',
    `Returned 0.0009 INIT to ${short(a)}: the transfer ${backWay} timed out`,
    { actor: a },
  ),
  'coins that arrive with a call of a Move module': row(
    receive,
    hooked(moveHook),
    [handedOver, paid(carol.bech32), called, accepted],
    'BRIDGE_IN',
    `Received 5 USDC ${way}, and called ${short(contract.hex)}::entry::swap_and_send`,
    {
      amounts: [coin(usdc, 5_000_000n)],
      contract: contract.hex,
      function: `${contract.hex}::entry::swap_and_send`,
    },
  ),
  'coins that arrive with a call of a Wasm contract': row(
    receive,
    hooked({ wasm: { contract: contract.bech32, msg: { bond: {} } } }, contract.bech32),
    [handedOver, paid(contract.bech32), event('execute', { _contract_address: contract.bech32 }), accepted],
    'BRIDGE_IN',
    `Received 5 USDC over IBC channel-9 from ${short(far)}, and called bond of ${short(contract.bech32)}`,
    { actor: contract.bech32, function: 'bond' },
  ),
  'coins that arrive with a call of an EVM contract': row(
    receive,
    hooked({ evm: { message: { contract_addr: bob.hex, input: '0xa9059cbb00' } } }, bob.hex),
    [handedOver, paid(carol.bech32), event('call', { contract: bob.hex }), accepted],
    'BRIDGE_IN',
    `Received 5 USDC over IBC channel-9 from ${short(far)}, and called transfer of ${short(bob.hex)}`,
    { contract: bob.hex, function: '0xa9059cbb' },
  ),
  'coins whose recipient is an order, as some chains take them': row(
    receive,
    packet({ ...data, receiver: '{"autopilot":{"stakeibc":{}}}' }),
    [handedOver, event('fungible_token_packet', { receiver: a, success: 'true' }), paid(), accepted],
    'BRIDGE_IN',
    `Received 5 USDC ${way}`,
    { actor: a, amounts: [coin(usdc, 5_000_000n)] },
  ),
  'coins whose call the chain did not make': row(
    receive,
    hooked(moveHook),
    [handedOver, paid(), accepted],
    'BRIDGE_IN',
    `Received 5 USDC ${way}`,
    {},
  ),
  'coins refused since their call failed': row(
    receive,
    hooked(moveHook),
    [handedOver, written({ packet_ack: '{"error":"ibc move hook error: aborted"}' })],
    'BRIDGE_IN',
    `Tried to deliver coins ${way}, and call ${short(contract.hex)}::entry::swap_and_send: refused with “ibc move hook error: aborted”`,
    { isSuccessful: false },
  ),
  'a message of an interchain account, as JSON': row(
    receive,
    orderOf(send),
    executed,
    'SEND',
    `Sent 5 INIT to ${short(a)}${ordered}`,
    {
      actor: carol.bech32,
      amounts: [coin('uinit', 5_000_000n)],
      remote: { address: far, channel: 'channel-9', packetSequence: '7', opInitBridgeId: null },
    },
  ),
  'a message of an interchain account, in protobuf': row(
    receive,
    orderInBytes(inProtobuf('/cosmos.bank.v1beta1.MsgSend', sendBytes)),
    executed,
    'SEND',
    `Sent 5 INIT to ${short(a)}${ordered}`,
    { actor: carol.bech32 },
  ),
  'a message of an interchain account whose fields nobody knows': row(
    receive,
    orderInBytes(inProtobuf('/elys.amm.MsgSwap', sendBytes)),
    executed,
    'UNKNOWN',
    `Executed elys.amm.MsgSwap, paid 5 INIT${ordered}`,
    { actor: carol.bech32 },
  ),
  'messages of an interchain account that the chain refused': row(
    receive,
    orderOf(send),
    [handedOver, event('ics27_packet', { success: 'false', error: 'insufficient funds' })],
    'SEND',
    `Tried to send 5 INIT to ${short(a)}${ordered}: refused with “insufficient funds”`,
    { isSuccessful: false },
  ),
  'an order for an interchain account in an unknown form': row(
    receive,
    orderInBytes('////'),
    executed,
    'INTERCHAIN_ACCOUNT',
    `Executed messages of an interchain account${ordered}`,
    { actor: carol.bech32 },
  ),
  'an order for an interchain account, delivered before': row(
    receive,
    orderOf(send),
    [handedOver],
    'IBC_RELAY',
    'Relayed 1 packet over IBC',
    { actor: b },
  ),
}
