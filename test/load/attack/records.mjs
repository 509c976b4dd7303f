// Transactions with long lists inside, as anybody can put them on a chain.
import { bech32 } from '@scure/base'

const hex = (number, digits) => number.toString(16).padStart(digits, '0')
const times = (count, partOf) => Array.from({ length: count }, (_, i) => partOf(i))

/** The account with this number, in bech32. */
export const accountOf = (number) => bech32.encode('init', bech32.toWords(Buffer.from(hex(number + 1, 40), 'hex')))
/** The same, with a checksum that is wrong. */
const noAccountOf = (number) => `init1${'q'.repeat(32)}${hex(number, 6).replace(/[1b]/g, 'z')}`

const event = (type, values) => ({
  type,
  attributes: Object.entries(values).map(([key, value]) => ({ key, value, index: true })),
})
const inMessage = (type, values) => event(type, { ...values, msg_index: '0' })
const move = (tag, data) => inMessage('move', { type_tag: tag, data: JSON.stringify(data), ...data })
const moveData = (tag, data) => inMessage('move', { type_tag: tag, data: JSON.stringify(data) })
const newNames = (from, count) => Object.fromEntries(times(count, (i) => [`f${from + i}`, '1']))
const moveCall = { '@type': '/initia.move.v1.MsgExecute', sender: accountOf(0), module_address: '0x1' }
const coinsText = (count) => times(count, (i) => `1c${i}x`).join()
const sender = accountOf(1_000_000)

const received = (receiver, amount) => [
  inMessage('coin_received', { receiver, amount }),
  inMessage('transfer', { recipient: receiver, sender, amount }),
]
const topic = (number) => `0x${hex(number, 64)}`
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
const log = (i) => ({
  address: `0x${hex(i % 7, 40)}`,
  topics: [transferTopic, topic(1), topic(i + 1)],
  data: topic(i + 1),
})
const send = (i) => ({
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: sender,
  to_address: accountOf(i),
  amount: [{ denom: 'uinit', amount: '1' }],
})

/** Parts of a transaction with a list of so many rows, by the name of the list. */
const kinds = {
  'honest airdrop': (count) => ({
    messages: [
      {
        '@type': '/cosmos.bank.v1beta1.MsgMultiSend',
        inputs: [{ address: sender, coins: [{ denom: 'uinit', amount: String(count) }] }],
        outputs: times(count, (i) => ({
          address: accountOf(i),
          coins: [{ denom: 'uinit', amount: '1' }],
        })),
      },
    ],
    events: [
      inMessage('coin_spent', { spender: sender, amount: `${count}uinit` }),
      ...times(count, (i) => received(accountOf(i), '1uinit')).flat(),
    ],
  }),
  'receivers that are no accounts': (count) => ({
    events: times(count, (i) => received(noAccountOf(i), '1uinit')).flat(),
  }),
  'coins of one event': (count) => ({ events: received(accountOf(0), coinsText(count)) }),
  'separators without coins': (count) => ({ events: received(accountOf(0), ','.repeat(count)) }),
  'coins of a fee': (count) => ({
    events: [event('tx', { fee: coinsText(count), fee_payer: sender })],
    fee: times(count, (i) => ({ denom: `c${i}x`, amount: '1' })),
  }),
  'attributes of one event': (count) => ({
    events: [
      {
        type: 'transfer',
        attributes: times(count, (i) => ({ key: `k${i % 9}`, value: accountOf(i % 50) })),
      },
    ],
  }),
  'events of no attributes': (count) => ({
    events: times(count, () => ({ type: 'coin_received', attributes: [] })),
  }),
  messages: (count) => ({
    messages: times(count, send),
    events: times(count, (i) =>
      event('coin_received', { receiver: accountOf(i), amount: '1uinit', msg_index: String(i) }),
    ),
  }),
  'messages inside of a message': (count) => ({
    messages: [{ '@type': '/cosmos.authz.v1beta1.MsgExec', grantee: accountOf(0), msgs: times(count, send) }],
    events: times(count, (i) => event('coin_received', { authz_msg_index: String(i), msg_index: '0' })),
  }),
  'fields of one message': (count) => ({
    messages: [
      {
        '@type': '/x.y.MsgZ',
        ...Object.fromEntries(times(count, (i) => [`f${i}`, { value: `v${i}` }])),
      },
    ],
  }),
  signers: (count) => ({
    signers: times(count, (i) => ({
      public_key: {
        '@type': '/cosmos.crypto.secp256k1.PubKey',
        key: Buffer.from(`02${hex(i, 64)}`, 'hex').toString('base64'),
      },
      mode_info: { single: { mode: 'SIGN_MODE_DIRECT' } },
      sequence: String(i),
    })),
    events: [],
  }),
  'tokens of Wasm contracts': (count) => ({
    events: times(count, (i) =>
      inMessage('wasm', {
        _contract_address: accountOf(i % 9),
        action: 'transfer',
        from: sender,
        to: accountOf(i),
        amount: '1',
      }),
    ),
  }),
  'NFTs of Wasm contracts': (count) => ({
    events: times(count, (i) =>
      inMessage('wasm', {
        _contract_address: accountOf(i % 9),
        action: 'transfer_nft',
        sender,
        recipient: accountOf(i),
        token_id: String(i),
      }),
    ),
  }),
  'stores of Move': (count) => ({
    events: times(count, (i) => {
      const store = {
        store_addr: `0x${hex(i + 1, 64)}`,
        metadata_addr: `0x${hex(7, 64)}`,
        amount: '1',
      }
      return [
        move('0x1::fungible_asset::DepositEvent', store),
        move('0x1::fungible_asset::DepositOwnerEvent', { owner: `0x${hex(i + 1, 40)}` }),
      ]
    }).flat(),
  }),
  'stores of Move without owners': (count) => ({
    events: times(count, (i) =>
      move('0x1::fungible_asset::DepositEvent', {
        store_addr: `0x${hex(i + 1, 64)}`,
        metadata_addr: `0x${hex(i + 7, 64)}`,
        amount: '1',
      }),
    ),
  }),
  'objects of Move': (count) => ({
    events: times(count, (i) =>
      move('0x1::object::TransferEvent', {
        object: `0x${hex(i + 1, 64)}`,
        from: `0x${hex(1, 40)}`,
        to: `0x${hex(i + 1, 40)}`,
      }),
    ),
  }),
  // Ten names for each row, all of them new.
  'fields of one event of Move': (count) => ({
    messages: [moveCall],
    events: [moveData('0x1::object::TransferEvent', newNames(0, 10 * count))],
  }),
  'fields of many events of Move': (count) => ({
    messages: [moveCall],
    events: times(Math.ceil(count / 100), (i) =>
      moveData('0x1::object::TransferEvent', newNames(1_000 * i, Math.min(1_000, 10 * count))),
    ),
  }),
  'data of Move that is no JSON': (count) => ({
    events: times(count, (i) => inMessage('move', { type_tag: `0x1::a::B${i % 5}`, data: `{${i}` })),
  }),
  'logs of EVM contracts': (count) => ({
    events: times(count, (i) => inMessage('evm', { contract: log(i).address, log: JSON.stringify(log(i)) })),
    logs: times(count, log),
  }),
  'tokens of one log': (count) => {
    const ids = times(count, (i) => hex(i + 1, 64)).join('')
    const batch = {
      address: `0x${hex(5, 40)}`,
      topics: ['0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb', ...[1, 2, 3].map(topic)],
      data: `0x${hex(64, 64)}${hex(96 + 32 * count, 64)}${hex(count, 64)}${ids}${hex(count, 64)}${ids}`,
    }
    return { events: [inMessage('evm', { log: JSON.stringify(batch) })], logs: [batch] }
  },
  'topics of one log': (count) => {
    const long = { ...log(0), topics: [transferTopic, ...times(count, topic)] }
    return { events: [inMessage('evm', { log: JSON.stringify(long) })], logs: [long] }
  },
}

export const kindNames = Object.keys(kinds)

const txHash = (number) => hex(number + 1, 64).toUpperCase()

function transactionOf({ messages = [send(0)], events = [], signers = [], fee = [] }, number) {
  return {
    txhash: txHash(number),
    height: '1000',
    codespace: '',
    code: 0,
    data: '',
    raw_log: '',
    info: '',
    gas_wanted: '100000',
    gas_used: '90000',
    tx: {
      body: { messages, memo: '', timeout_height: '0' },
      auth_info: {
        signer_infos: signers,
        fee: { amount: fee, gas_limit: '100000', payer: '', granter: '' },
      },
      signatures: signers.map(() => 'AA=='),
    },
    timestamp: '2026-01-01T00:00:00Z',
    events: events,
  }
}

const receiptOf = ({ logs = [] }, number) => ({
  blockHash: topic(1),
  blockNumber: '0x3e8',
  transactionHash: `0x${hex(number + 1, 64)}`,
  transactionIndex: `0x${hex(number, 1)}`,
  contractAddress: null,
  cumulativeGasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  from: `0x${hex(1, 40)}`,
  to: `0x${hex(5, 40)}`,
  gasUsed: '0x5208',
  logs: logs.map((each, i) => ({
    ...each,
    blockHash: topic(1),
    blockNumber: '0x3e8',
    transactionHash: `0x${hex(number + 1, 64)}`,
    transactionIndex: `0x${hex(number, 1)}`,
    logIndex: `0x${hex(i, 1)}`,
    removed: false,
  })),
  logsBloom: '0x',
  status: '0x1',
  type: '0x2',
})

const pageOf = (name, records) =>
  JSON.stringify({ [name]: records, pagination: { next_key: null, total: String(records.length) } })

/**
 * The bodies of a list of so many transactions, each with a list of so many rows, by the path of the list. `count` 0
 * gives none.
 */
export function createRecords({ kind, transactions, rows }) {
  const parts = kinds[kind](rows)
  return new Map([
    [
      '/indexer/tx/v1/txs',
      pageOf(
        'txs',
        times(transactions, (i) => transactionOf(parts, i)),
      ),
    ],
    [
      '/indexer/tx/v1/evm-txs',
      pageOf(
        'txs',
        times(transactions, (i) => receiptOf(parts, i)),
      ),
    ],
  ])
}
