import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isOverBridge, bridgeStepsOf as readSteps } from '../src/bridges/bridgeSteps.ts'
import { rollupDenom } from '../src/bridges/denoms.ts'
import { atOnce } from './support/atOnce.ts'
import { event } from './support/changeEvents.ts'

const bridgeStepsOf = atOnce(readSteps)

const hex = (text: string) => Buffer.from(text).toString('hex')
const base64 = (text: string) => Buffer.from(text).toString('base64')

const transfer = { amount: '5', denom: 'uinit', sender: 'init1sender', receiver: 'osmo1receiver' }
const data = JSON.stringify(transfer)
const ends = {
  packet_src_port: 'transfer',
  packet_src_channel: 'channel-20',
  packet_dst_port: 'transfer',
  packet_dst_channel: 'channel-0',
  packet_sequence: '7',
}
const packet = {
  source_port: 'transfer',
  source_channel: 'channel-20',
  destination_port: 'transfer',
  destination_channel: 'channel-0',
  sequence: '7',
  data: base64(data),
  timeout_timestamp: '1790000000000000000',
}
const route = { bridge: 'IBC', source: 'channel-20', destination: 'channel-0', sequence: '7' }
const send = event('send_packet', { ...ends, packet_data_hex: hex(data), packet_timeout_timestamp: '17' }, 0)
const receive = event('recv_packet', { ...ends, packet_data: data }, 0)
const answer = (text: string) => event('write_acknowledgement', { ...ends, packet_ack_hex: hex(text) }, 0)
const told = (values: Record<string, string>) => event('fungible_token_packet', { module: 'transfer', ...values }, 0)
const read = (events: Parameters<typeof bridgeStepsOf>[0]['events'], messages: object[] = [{}]) =>
  bridgeStepsOf({ events, messages: messages.map((message) => ({ ...message })) })

describe('a packet of IBC v1', () => {
  test('that leaves says what it carries, for whom, and until when', () => {
    expect(read([send])).toEqual([
      {
        kind: 'SENT',
        messageIndex: 0,
        path: [0],
        route,
        sender: 'init1sender',
        caller: null,
        receiver: 'osmo1receiver',
        amount: 5n,
        gain: null,
        isKept: false,
        sourceDenom: 'uinit',
        // The hash of transfer/channel-0/uinit.
        destinationDenom: 'ibc/37A3FB4FED4CA04ED6D9E5DA36C6D27248645F0E22F585576A1488B8A89C5A50',
        exchangedDenom: null,
        hasNextHop: false,
        isForward: false,
        onward: null,
        returnsTo: null,
        timeout: 17n,
        reason: null,
        returnSequence: null,
      },
    ])
  })
  test('that goes back to where its coin came from is called as there', () => {
    const back = JSON.stringify({ ...transfer, denom: 'transfer/channel-20/evm/4f3e' })
    const [step] = read([event('send_packet', { ...ends, packet_data: back }, 0)])
    expect(step).toMatchObject({
      destinationDenom: 'evm/4f3e',
      sourceDenom: expect.stringMatching(/^ibc\/[0-9A-F]{64}$/),
    })
  })
  test.each([
    ['with a result', [receive, told({ success: 'true' }), answer('{"result":"AQ=="}')], 'RECEIVED'],
    ['refused in hex', [receive, answer('{"error":"ABCI code: 5"}')], 'REFUSED'],
    [
      'refused, with renamed events',
      [
        receive,
        event('ibccallbackerror-fungible_token_packet', { 'ibccallbackerror-success': 'false' }, 0),
        answer('{"error":"ABCI code: 5"}'),
      ],
      'REFUSED',
    ],
    [
      'sent on, without an answer yet',
      [receive, event('send_packet', { ...ends, packet_src_channel: 'channel-9' }, 0)],
      'PASSED_ON',
    ],
  ])('that arrives, %s', (_, events, kind) => {
    expect(read(events).map((step) => step.kind)).toEqual([kind])
  })
  test('that another relayer delivered before is no step', () => {
    expect(read([receive])).toEqual([])
    expect(
      read([event('acknowledge_packet', ends, 0)], [{ packet, acknowledgement: base64('{"result":"AQ=="}') }]),
    ).toEqual([])
  })
  test.each([
    [
      'by its message',
      [told({ sender: 'init1sender' })],
      { packet, acknowledgement: base64('{"error":"no"}') },
      'RETURNED',
      'no',
    ],
    ['by the event alone', [told({}), told({ error: 'no' })], { packet }, 'RETURNED', 'no'],
    [
      'good',
      [told({ success: '\u0001' })],
      { packet, acknowledgement: base64('{"result":"AQ=="}') },
      'CONFIRMED',
      null,
    ],
  ])('whose answer comes back, %s', (_, events, message, kind, reason) => {
    const steps = read([event('acknowledge_packet', ends, 0), ...events], [message])
    expect(steps).toMatchObject([{ kind, reason, route, amount: 5n, sender: 'init1sender' }])
  })
  test('inside a message that executes others for somebody is found there', () => {
    const message = { msgs: [{ packet, acknowledgement: base64('{"error":"no"}') }] }
    expect(read([event('acknowledge_packet', ends, 0), told({})], [message])).toMatchObject([{ kind: 'RETURNED' }])
  })
  test.each([
    ['ibc-go 8', { refund_receiver: 'init1sender', refund_amount: '5', refund_denom: 'uinit' }],
    ['ibc-go 10', { receiver: 'init1sender', refund_tokens: '{}' }],
  ])('that timed out gives the coins back: %s', (_, values) => {
    const steps = read([event('timeout_packet', ends, 0), event('timeout', values, 0)], [{ packet }])
    expect(steps).toMatchObject([{ kind: 'TIMED_OUT', amount: 5n, timeout: 1_790_000_000_000_000_000n }])
  })
  test('says who called the contract that sent the coins, but not which relayer did', () => {
    expect(read([send], [{ sender: 'init1caller', contract: 'init1swap' }])).toMatchObject([
      { kind: 'SENT', sender: 'init1sender', caller: 'init1caller' },
    ])
    expect(read([send], [{ packet: {}, signer: 'init1relayer' }])).toMatchObject([{ kind: 'SENT', caller: null }])
  })
  test('calls its coin as each chain does', () => {
    const voucher = (path: string) => `ibc/${createHash('sha256').update(path).digest('hex').toUpperCase()}`
    const denoms = (denom: string) => {
      const sent = event('send_packet', { ...ends, packet_data: JSON.stringify({ ...transfer, denom }) }, 0)
      return read([sent]).map(({ sourceDenom, destinationDenom }) => [sourceDenom, destinationDenom])
    }
    expect(denoms('uinit')).toEqual([['uinit', voucher('transfer/channel-0/uinit')]])
    // A coin that returns loses the step it came by.
    expect(denoms('transfer/channel-20/uosmo')).toEqual([[voucher('transfer/channel-20/uosmo'), 'uosmo']])
    const twice = 'transfer/channel-20/transfer/channel-4/uatom'
    expect(denoms(twice)).toEqual([[voucher(twice), voucher('transfer/channel-4/uatom')]])
    // One that goes on gets another.
    const other = 'transfer/channel-200/uosmo'
    expect(denoms(other)).toEqual([[voucher(other), voucher(`transfer/channel-0/${other}`)]])
    expect(denoms('factory/init1abc/gold')[0]?.[0]).toBe('factory/init1abc/gold')
    expect(denoms('transfer/08-wasm-1274/uatom')[0]?.[0]).toBe(voucher('transfer/08-wasm-1274/uatom'))
  })
  test('is read beside others that an old node has joined in one event', () => {
    const joined = (...sequences: string[]) => ({
      type: 'send_packet',
      attributes: sequences.flatMap((packet_sequence) =>
        Object.entries({ ...ends, packet_sequence, packet_data: data }).map(([key, value]) => ({ key, value })),
      ),
    })
    expect(read([joined('7', '8', '9')]).map((step) => [step.kind, step.route.sequence, step.amount])).toEqual([
      ['SENT', '7', 5n],
      ['SENT', '8', 5n],
      ['SENT', '9', 5n],
    ])
    const answers = (...texts: string[]) => ({
      type: 'write_acknowledgement',
      attributes: texts.flatMap((packet_ack, index) =>
        Object.entries({ ...ends, packet_sequence: `${7 + index}`, packet_ack }).map(([key, value]) => ({
          key,
          value,
        })),
      ),
    })
    const paid = { type: 'coin_received', attributes: [{ key: 'receiver', value: 'osmo1receiver' }] }
    const received = { ...joined('7', '8'), type: 'recv_packet' }
    expect(
      read([received, answers('{"result":"AQ=="}', '{"error":"no"}'), paid]).map(({ kind, route }) => [
        kind,
        route.sequence,
      ]),
    ).toEqual([
      ['RECEIVED', '7'],
      ['REFUSED', '8'],
    ])
  })
  test('to a contract has the coin that left, and no name for it there', () => {
    const sent = event('send_packet', { ...ends, packet_dst_port: 'wasm.osmo1abc', packet_data: data }, 0)
    expect(read([sent])).toMatchObject([{ kind: 'SENT', sourceDenom: 'uinit', destinationDenom: null }])
  })
  test('says whether something is to be done with the coins, and whether they are to go on', () => {
    const memoOf = (memo: string) => {
      const sent = event('send_packet', { ...ends, packet_data: JSON.stringify({ ...transfer, memo }) }, 0)
      return read([sent]).map(({ hasNextHop, isForward }) => [hasNextHop, isForward])
    }
    expect(memoOf('gm')).toEqual([[false, false]])
    expect(memoOf('{"wasm":{"contract":"osmo1abc"}}')).toEqual([[true, false]])
    expect(memoOf('{"forward":{"receiver":"osmo1abc","channel":"channel-1"}}')).toEqual([[true, true]])
  })
  test.each([
    ['an amount that is no number', { ...transfer, amount: '1e9' }],
    ['no denom', { ...transfer, denom: '' }],
  ])('with %s is none', (_, other) => {
    expect(read([event('send_packet', { ...ends, packet_data: JSON.stringify(other) }, 0)])).toEqual([])
  })
  test('that is passed on says over which way', () => {
    const sentOn = event('send_packet', { ...ends, packet_src_channel: 'channel-9', packet_sequence: '8' }, 0)
    const onward = { ...route, source: 'channel-9', sequence: '8' }
    expect(read([receive, sentOn])).toMatchObject([{ kind: 'PASSED_ON', onward }])
  })
  test('that timed out is sent again, or back to where its coins had come from', () => {
    const late = [event('timeout_packet', ends, 0), event('timeout', { refund_receiver: 'init1sender' }, 0)]
    const again = event('send_packet', { ...ends, packet_data: data, packet_sequence: '8' }, 0)
    expect(read([...late, again], [{ packet }])).toMatchObject([
      { kind: 'SENT_AGAIN', onward: { ...route, sequence: '8' } },
      { kind: 'SENT', route: { ...route, sequence: '8' } },
    ])
    const before = { ...ends, packet_src_channel: 'channel-1', packet_dst_channel: 'channel-2', packet_sequence: '3' }
    const back = event('write_acknowledgement', { ...before, packet_ack: '{"error":"no"}' }, 0)
    const returnsTo = { bridge: 'IBC', source: 'channel-1', destination: 'channel-2', sequence: '3' }
    expect(read([...late, back], [{ packet }])).toMatchObject([{ kind: 'TIMED_OUT', returnsTo }])
  })
  describe('that a contract writes is no step, whatever is in it', () => {
    const own = { packet_src_port: 'wasm.init1contract' }
    const other = { packet_dst_port: 'wasm.init1contract' }
    test.each([
      ['sent', [event('send_packet', { ...ends, ...own, packet_data: data }, 0)]],
      ['received', [event('recv_packet', { ...ends, ...other, packet_data: data }, 0), answer('{"result":"AQ=="}')]],
      ['refused', [event('recv_packet', { ...ends, ...other, packet_data: data }, 0), answer('{"error":"no"}')]],
      ['confirmed', [event('acknowledge_packet', { ...ends, ...own, packet_data: data }, 0)]],
      ['timed out', [event('timeout_packet', { ...ends, ...own, packet_data: data }, 0)]],
    ])('%s, also beside events of the module of coins', (_, events) => {
      const beside = [
        told({ success: 'true', amount: '5', receiver: 'osmo1receiver' }),
        event('ibc_transfer', { sender: 'init1sender', receiver: 'osmo1receiver', amount: '5' }, 0),
        event('timeout', { refund_receiver: 'init1sender' }, 0),
        event('coin_received', { receiver: 'osmo1receiver', amount: '5uinit' }, 0),
      ]
      expect(read([...events, ...beside])).toEqual([])
    })
    test('but one that comes from a contract to the module of coins is', () => {
      const from = event('recv_packet', { ...ends, ...own, packet_data: data }, 0)
      expect(read([from, told({ success: 'true' }), answer('{"result":"AQ=="}')])).toMatchObject([{ kind: 'RECEIVED' }])
    })
  })
  test('that is acknowledged without a word of the module of coins, or a coin, is no arrival', () => {
    expect(read([receive, answer('{"result":"AQ=="}')])).toEqual([])
  })
  describe('with a coin that a rollup has moved to IBC', () => {
    const ibcDenom = 'ibc/37A3FB4FED4CA04ED6D9E5DA36C6D27248645F0E22F585576A1488B8A89C5A50'
    test('arrives as the coin of the rollup', () => {
      const exchange = event(
        'handle_migrated_token_deposit',
        { receiver: 'osmo1receiver', ibc_denom: ibcDenom, amount: '5l2/abab' },
        0,
      )
      const steps = read([receive, told({ success: 'true' }), exchange, answer('{"result":"AQ=="}')])
      expect(steps).toMatchObject([{ destinationDenom: ibcDenom, exchangedDenom: 'l2/abab' }])
    })
    test('leaves as the coin of the rollup, and comes back as it', () => {
      const message = {
        '@type': '/opinit.opchild.v1.MsgInitiateTokenWithdrawal',
        sender: 'init1sender',
        amount: { denom: 'l2/abab', amount: '5' },
      }
      expect(read([send], [message])).toMatchObject([{ kind: 'SENT', exchangedDenom: 'l2/abab' }])
      const refund = event('handle_migrated_token_refund', { ibc_denom: 'uinit', amount: '5l2/abab' }, 0)
      const late = [event('timeout_packet', ends, 0), event('timeout', { refund_receiver: 'init1sender' }, 0), refund]
      expect(read(late, [{ packet }])).toMatchObject([{ kind: 'TIMED_OUT', exchangedDenom: 'l2/abab' }])
    })
  })
  test.each([
    ['an NFT', { classId: 'a', tokenIds: ['1'], sender: 'a', receiver: 'b' }],
    ['an order for an interchain account', { type: 'TYPE_EXECUTE_TX', data: '' }],
  ])('with %s is none with coins', (_, other) => {
    expect(read([event('send_packet', { ...ends, packet_data: JSON.stringify(other) }, 0)])).toEqual([])
  })
  test('of a chain whose events name no message is read all the same', () => {
    const { attributes } = receive
    const old = [receive, answer('{"error":"no"}')].map(({ type, attributes: all }) => ({
      type,
      attributes: all.filter(({ key }) => key !== 'msg_index'),
    }))
    expect(attributes.length).toBeGreaterThan(5)
    expect(read(old)).toMatchObject([{ kind: 'REFUSED', messageIndex: null }])
  })
})

describe('a packet of IBC v2', () => {
  const clients = { packet_source_client: '08-wasm-0', packet_dest_client: '07-tendermint-1', packet_sequence: '3' }
  // Packet { sequence 3, clients, timeout 9 seconds, a payload of JSON }.
  const text = (number: number, value: Buffer | string) => {
    const bytes = Buffer.from(value)
    return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
  }
  const small = JSON.stringify({ amount: '5', denom: 'uinit', sender: 'a', receiver: 'b' })
  const payload = Buffer.concat([text(1, 'transfer'), text(2, 'transfer'), text(4, 'application/json'), text(5, small)])
  const encoded = Buffer.concat([
    Buffer.from([8, 3]),
    text(2, '08-wasm-0'),
    text(3, '07-tendermint-1'),
    Buffer.from([32, 9]),
    text(5, payload),
  ])
  test('is read from its bytes, and its time limit is in seconds', () => {
    const steps = read([event('send_packet', { ...clients, encoded_packet_hex: encoded.toString('hex') }, 0)])
    expect(steps).toMatchObject([
      {
        kind: 'SENT',
        route: { bridge: 'IBC', source: '08-wasm-0', destination: '07-tendermint-1', sequence: '3' },
        amount: 5n,
        timeout: 9_000_000_000n,
      },
    ])
  })
})

test('an account has what is left to it of a packet of IBC v2, by the name of the coin on its chain', () => {
  const text = (number: number, value: Buffer | string) => {
    const bytes = Buffer.from(value)
    return Buffer.concat([Buffer.from([(number << 3) | 2, bytes.length]), bytes])
  }
  const receiver = `0x${'ab'.repeat(20)}`
  const fields = [text(1, 'uinit'), text(2, '100'), text(3, 'init1sender'), text(4, receiver)]
  const payload = [
    text(1, 'transfer'),
    text(2, 'transfer'),
    text(4, 'application/x-protobuf'),
    text(5, Buffer.concat(fields)),
  ]
  const clients = [text(2, '08-wasm-0'), text(3, '07-tendermint-1')]
  const encoded = Buffer.concat([Buffer.from([8, 3]), ...clients, text(5, Buffer.concat(payload))]).toString('hex')
  const ends = { packet_source_client: '08-wasm-0', packet_dest_client: '07-tendermint-1', packet_sequence: '3' }
  const events = [
    event('recv_packet', { ...ends, encoded_packet_hex: encoded }, 0),
    event('coin_received', { receiver, amount: '95l2/abab' }, 0),
    event('coin_received', { receiver: `0x${'cd'.repeat(20)}`, amount: '5l2/abab' }, 0),
    event('write_acknowledgement', { ...ends, encoded_acknowledgement_hex: text(1, 'ok').toString('hex') }, 0),
  ]
  expect(read(events)).toMatchObject([{ kind: 'RECEIVED', amount: 100n, gain: { denom: 'l2/abab', amount: 95n } }])
})

describe('OPinit', () => {
  const l2 = rollupDenom(4n, 'uinit')
  const deposit = {
    l1_sequence: '11',
    sender: 'init1a',
    recipient: 'init1b',
    denom: l2,
    base_denom: 'uinit',
    amount: '8',
  }
  test.each([
    ['arrived', { success: 'true' }, 'RECEIVED'],
    ['arrived, though its hook failed', { success: 'false', reason: 'hook failed; no' }, 'RECEIVED'],
    ['was not credited', { success: 'false', reason: 'deposit failed; no' }, 'REFUSED'],
  ])('a deposit that %s', (_, values, kind) => {
    const steps = read([event('finalize_token_deposit', { ...deposit, ...values }, 0)])
    expect(steps).toMatchObject([
      {
        kind,
        route: { direction: 'DEPOSIT', bridgeId: null, sequence: '11' },
        sourceDenom: 'uinit',
        destinationDenom: l2,
      },
    ])
  })
  test('a refused deposit names the withdrawal that brings it back, which is no transfer of its own', () => {
    const back = { from: 'init1b', to: 'init1a', denom: l2, base_denom: 'uinit', amount: '8', l2_sequence: '2' }
    const steps = read([
      event('finalize_token_deposit', { ...deposit, success: 'false', reason: 'deposit failed; no' }, 0),
      event('initiate_token_withdrawal', back, 0),
    ])
    expect(steps).toMatchObject([{ kind: 'REFUSED', returnSequence: '2' }])
    expect(read([event('initiate_token_withdrawal', back, 0)])).toMatchObject([
      { kind: 'SENT', route: { direction: 'WITHDRAWAL', sequence: '2' }, sourceDenom: l2, destinationDenom: 'uinit' },
    ])
  })
  test('the denom of the rollup proves the bridge', () => {
    const [step] = read([event('finalize_token_deposit', { ...deposit, success: 'true' }, 0)])
    expect(step && [isOverBridge(step, '4'), isOverBridge(step, '5')]).toEqual([true, false])
  })
})
