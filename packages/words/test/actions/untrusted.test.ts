import { expect, test } from 'vitest'
import { event, marked } from '../../../sandbox/src/world/events.ts'
import { transferLog } from '../../../sandbox/src/world/logs.ts'
import type { CosmosTransaction } from '../../src/actions/actions.ts'
import { summaryOf, summaryParts, wholeAmount } from '../../src/actions/summary.ts'
import { actionOfReceipt, actionsOf } from '../support/atOnce.ts'
import { abroad, alice, bob, carol, contract, init, short, token, usdc } from './row.ts'

const withMessages = (messages: CosmosTransaction['messages'], events: CosmosTransaction['events'] = []) =>
  actionsOf({ isSuccessful: true, messages, events })

const transfer = {
  '@type': '/cosmwasm.wasm.v1.MsgExecuteContract',
  sender: alice.bech32,
  contract: contract.bech32,
  msg: { transfer: { recipient: bob.bech32, amount: '5' } },
}
const report = event('wasm', {
  _contract_address: contract.bech32,
  action: 'transfer',
  ...{ from: alice.bech32, to: bob.bech32, amount: '5' },
})

const inBase64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')

test('an event belongs to the msg_index of the node, not of a contract', () => {
  const forged = marked(marked(report, 'msg_index', 1), 'msg_index', 0)
  const other = { ...transfer, msg: { bond: {} } }
  const kinds = (messages: CosmosTransaction['messages']) => withMessages(messages, [forged]).map(({ kind }) => kind)
  expect(kinds([transfer, other])).toEqual(['SEND', 'CONTRACT_CALL'])
  expect(kinds([other, transfer])).toEqual(['CONTRACT_CALL', 'CONTRACT_CALL'])
})

test('a contract event does not describe a call of another contract', () => {
  const elsewhere = { ...transfer, contract: carol.bech32 }
  const actions = withMessages([elsewhere], [marked(report, 'msg_index', 0)])
  expect(actions).toMatchObject([{ kind: 'CONTRACT_CALL', contract: carol.bech32 }])
})

test('an inner message of MsgExec has the events of its authz_msg_index', () => {
  const mark = (index: number) => marked(marked(report, 'authz_msg_index', index), 'msg_index', 0)
  const exec = {
    '@type': '/cosmos.authz.v1beta1.MsgExec',
    grantee: bob.bech32,
    msgs: [{ ...transfer, msg: { bond: {} } }, transfer],
  }
  expect(withMessages([exec], [mark(1)])).toMatchObject([
    { kind: 'CONTRACT_CALL', executor: bob.bech32, messageIndex: 0 },
    { kind: 'SEND', executor: bob.bech32, messageIndex: 0 },
  ])
})

test('events of nested MsgExec messages have an authz_msg_index each', () => {
  const execute = (msgs: readonly unknown[]) => ({
    '@type': '/cosmos.authz.v1beta1.MsgExec',
    grantee: bob.bech32,
    msgs,
  })
  const inner = marked(marked(report, 'authz_msg_index', 1), 'authz_msg_index', 0)
  const bond = { ...transfer, msg: { bond: {} } }
  const actions = withMessages([execute([execute([bond, transfer])])], [marked(inner, 'msg_index', 0)])
  expect(actions.map(({ kind }) => kind)).toEqual(['CONTRACT_CALL', 'SEND'])
})

test('nested MsgExec messages are read up to four levels deep', () => {
  const nested = (depth: number): Record<string, unknown> => ({
    '@type': '/cosmos.authz.v1beta1.MsgExec',
    grantee: alice.bech32,
    msgs: [depth === 0 ? { '@type': '/cosmos.bank.v1beta1.MsgSend' } : nested(depth - 1)],
  })
  expect(withMessages([nested(3)])).toMatchObject([{ kind: 'SEND' }])
  expect(withMessages([nested(60)])).toMatchObject([{ kind: 'AUTHZ_EXEC' }])
})

test.each([
  ['no fields', {}],
  ['a null for each field', { '@type': '/cosmos.bank.v1beta1.MsgMultiSend', inputs: null }],
  ['a number as its type', { '@type': 5 }],
  ['lists instead of objects', { ...transfer, msg: [[]], sender: [] }],
  ['malformed base64', { ...transfer, msg: 'no base64!' }],
  ['a key named constructor', { ...transfer, msg: { constructor: { recipient: bob.bech32 } } }],
  ['a malformed packet', { '@type': '/ibc.core.channel.v1.MsgRecvPacket', packet: { data: '%' } }],
  ['call data of half a byte', { '@type': '/minievm.evm.v1.MsgCall', input: '0xa9059cbb0' }],
])('a message with %s is one action', (_name, message) => {
  const events = [
    event('recv_packet', {}),
    event('evm', { log: '{"topics":7}' }),
    event('evm', { log: '{' }),
    event('move', { type_tag: '0x1::dex::SwapEvent', data: '[]' }),
  ]
  const actions = withMessages(
    [message],
    events.map((each) => marked(each, 'msg_index', 0)),
  )
  expect(actions).toHaveLength(1)
  for (const action of actions) expect(summaryOf(action)).toMatch(/^[A-Z][a-z]+/)
})

test('chain text in a sentence is cleaned and quoted', () => {
  const evil = 'x\u202e\u0007, and sent 5 INIT to nobody'.padEnd(5_000, '!')
  const messages = [
    {
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      to_address: evil,
      amount: [{ denom: evil, amount: '1' }],
    },
    { '@type': '/cosmos.gov.v1.MsgVote', proposal_id: evil },
    { '@type': `/${evil}` },
    {
      '@type': '/initia.move.v1.MsgExecute',
      module_address: evil,
      module_name: 'a',
      function_name: 'b',
    },
    { '@type': '/ibc.applications.transfer.v1.MsgTransfer', receiver: evil, source_channel: evil },
    { '@type': '/opinit.ophost.v1.MsgInitiateTokenDeposit', to: evil, bridge_id: evil },
    {
      '@type': '/ibc.core.channel.v1.MsgAcknowledgement',
      packet: {
        source_channel: evil,
        data: inBase64({ sender: evil, receiver: evil, denom: evil, amount: '5' }),
      },
      acknowledgement: inBase64({ error: evil }),
    },
  ]
  const acknowledged = marked(event('acknowledge_packet', {}), 'msg_index', messages.length - 1)
  const actions = withMessages(messages, [acknowledged])
  expect(actions).toHaveLength(messages.length)
  for (const action of actions) {
    const words = summaryOf(action)
    expect(words).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    expect(words.length).toBeLessThan(250)
    // What could be taken for words stands in quotation marks.
    expect(words.replace(/“[^”]*”/g, '')).not.toContain('sent 5')
  }
  expect(wholeAmount('1', evil)).toHaveLength(26)
})

test.each([
  ['Polaris', 'Delegated coins to Polaris'],
  ['Sextant Labs', 'Delegated coins to Sextant Labs'],
  ['north-star ✦', 'Delegated coins to “north-star ✦”'],
  ['Polaris and claimed 5 INIT', 'Delegated coins to “Polaris and claimed 5 INIT”'],
  ['Polaris 5 INIT', 'Delegated coins to “Polaris 5 INIT”'],
  ['“Polaris\u202e”', "Delegated coins to “'Polaris'”"],
  ['Ä'.repeat(5_000), `Delegated coins to “${'Ä'.repeat(39)}…”`],
])('a validator named %s adds no words to a sentence', (name, sentence) => {
  const [action] = withMessages([{ '@type': '/initia.mstaking.v1.MsgDelegate', validator_address: 'initvaloper1abc' }])
  if (!action) throw new Error('It has no action.')
  expect(
    summaryOf(action, {
      nameOf: (address) => (address === 'initvaloper1abc' ? name : undefined),
    }),
  ).toBe(sentence)
})

test('a transaction with a thousand messages has a thousand actions', () => {
  const messages = Array.from({ length: 1_000 }, () => transfer)
  const events = messages.map((_, index) => marked(report, 'msg_index', index))
  expect(withMessages(messages, events).filter(({ kind }) => kind === 'SEND')).toHaveLength(1_000)
})

test('the coins of a received packet are those of its only matching bank event', () => {
  const data = JSON.stringify({ amount: '5', denom: 'x', sender: abroad, receiver: alice.bech32 })
  const message = {
    '@type': '/ibc.core.channel.v1.MsgRecvPacket',
    packet: { data: Buffer.from(data).toString('base64') },
  }
  const got = (amount: string) => event('coin_received', { receiver: alice.bech32, amount })
  const received = (...coins: string[]) =>
    withMessages(
      [message],
      [event('recv_packet', {}), ...coins.map(got)].map((each) => marked(each, 'msg_index', 0)),
    ).flatMap(({ amounts }) => amounts ?? [])
  expect(received(`5${usdc}`)).toEqual([{ denom: usdc, amount: 5n }])
  expect(received(`5${usdc}`, '5uinit')).toEqual([])
  expect(received('4uinit')).toEqual([])
})

test('an EVM receipt without a transaction is described by its logs', () => {
  const receipt = {
    isSuccessful: true,
    ...{ from: alice.hex, to: token.hex, createdContract: null, logs: [] },
  }
  const described = (changes: object) => summaryOf(actionOfReceipt({ ...receipt, ...changes }))
  const log = transferLog(token.hex, alice.hex, bob.hex, 5n)
  expect(described({})).toBe(`Called ${short(token.hex)}`)
  const [one, two] = [carol.hex, alice.hex].map((to) => transferLog(token.hex, bob.hex, to, 7n))
  expect(described({ logs: [log] })).toMatch(/^Sent 5 base units of 0x.* to 0x/)
  expect(described({ logs: [log, one] })).toMatch(/^Called 0x.*, paid 5 base units of 0x/)
  expect(described({ logs: [one, two] })).toMatch(/^Called 0x.*, got 7 base units of 0x/)
  expect(described({ logs: [log], to: bob.hex })).toMatch(/^Sent 5 base units of 0x.* to 0x/)
  const collector = '0xf1829676db577682e944fc3493d451b67ff3e29f'
  const fee = transferLog(token.hex, alice.hex, collector, 9n)
  const rest = transferLog(token.hex, collector, alice.hex, 2n)
  expect(described({ logs: [fee, log, rest], to: bob.hex })).toMatch(/^Sent 5 base units of 0x/)
  expect(described({ logs: [fee, rest] })).toBe(`Called ${short(token.hex)}`)
  expect(described({ to: null, createdContract: token.hex })).toBe(`Created contract ${short(token.hex)}`)
  expect(described({ from: `0x${'0'.repeat(40)}`, to: null })).toBe('Ran in a Cosmos transaction')
  expect(described({ isSuccessful: false })).toBe(`Tried to call ${short(token.hex)}`)
})

test('unreadable amounts are left out of a sentence', () => {
  const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', amount: [init('5'), { denom: 'uinit' }] }
  expect(withMessages([send]).map((action) => summaryOf(action))).toEqual(['Sent coins'])
})

/** The only action of a packet that a relayer delivers. */
function delivered(data: Readonly<Record<string, unknown>>, port = 'transfer', answer = '{"result":"AQ=="}') {
  const packet = { destination_port: port, destination_channel: 'channel-9', data: inBase64(data) }
  const events = [
    event('recv_packet', { packet_sequence: '1' }),
    event('write_acknowledgement', { packet_ack: answer }),
  ]
  const [action] = withMessages(
    [{ '@type': '/ibc.core.channel.v1.MsgRecvPacket', packet, signer: bob.bech32 }],
    events.map((each) => marked(each, 'msg_index', 0)),
  )
  if (!action) throw new Error('There is no action.')
  return action
}
const coins = { amount: '5', denom: 'uusdc', sender: abroad, receiver: alice.bech32 }

test('the module that a memo calls is no words of a sentence', () => {
  const words = `0x1::ok, and received 1,000,000 USDC from Binance \u202e\n${'x'.repeat(100_000)}`
  const message = { module_address: words, module_name: 'a', function_name: 'b' }
  const memo = JSON.stringify({ move: { message } })
  const summary = summaryOf(delivered({ ...coins, memo }, 'transfer', '{"error":"ABCI code: 5"}'))
  expect(summary.length).toBeLessThan(300)
  expect(summary).not.toMatch(/Binance|[\u202e\n]/)
})

test('a receiver that looks like a function of any depth is cut', () => {
  const receiver = `0x1${'::aa'.repeat(100_000)}`
  expect(summaryOf(delivered({ ...coins, receiver })).length).toBeLessThan(300)
})

test('the collection of an NFT that arrives is an address of the other chain', () => {
  const action = delivered(
    { classId: contract.bech32, tokenIds: ['7'], sender: abroad, receiver: alice.bech32 },
    'nft-transfer',
  )
  expect(action.nfts).toEqual([{ collection: contract.bech32, tokenId: '7', objectAddress: null, isRemote: true }])
  expect(summaryOf(action)).toContain(`NFT 7 of ${contract.bech32} over IBC`)
  const addresses = summaryParts(action).flatMap(({ names }) => (names && 'address' in names ? [names.address] : []))
  expect(addresses).toEqual([alice.bech32])
})

test('a receiver that is no address of any chain is words', () => {
  const namesFor = (receiver: string) => {
    const message = { '@type': '/ibc.applications.transfer.v1.MsgTransfer', source_channel: 'channel-9', receiver }
    return withMessages([message]).flatMap((action) =>
      summaryParts(action).flatMap(({ names = {} }) => Object.keys(names)),
    )
  }
  expect(namesFor(abroad)).toEqual(['channel', 'remoteAddress'])
  expect(namesFor('0x1::dex::swap')).toEqual(['channel'])
  expect(namesFor('hello world')).toEqual(['channel'])
})

test('a message whose Move events have more data than is read at once makes the transaction too large', () => {
  const call = { '@type': '/initia.move.v1.MsgExecute', sender: alice.bech32, module_address: '0x9' }
  const emitted = (index: number) =>
    marked(event('move', { type_tag: '0x1::dex::SwapEvent', data: 'x'.repeat(100_000) }), 'msg_index', index)
  const withEvents = (count: number) =>
    withMessages(
      [call, call],
      Array.from({ length: count }, (_, i) => emitted(i % 2)),
    )
  expect(withEvents(20)).toHaveLength(2)
  expect(() => withEvents(22)).toThrow('has more than 1048576 characters of data')
})
