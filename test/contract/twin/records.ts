import { createHash } from 'node:crypto'
import { toBech32 } from '../../../packages/words/src/addresses/bytes.ts'

// Records with each field that the contract names, and no other.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type Row = Readonly<Record<string, Json>>

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

const addressOf = (name: string) => hashOf(`address of ${name}`).slice(0, 40)

/** The accounts of the twin, in hex and as its chain writes them. */
export const account = { hex: `0x${addressOf('account')}`, bech32: toBech32(addressOf('account'), 'twin') }
export const stranger = { hex: `0x${addressOf('stranger')}`, bech32: toBech32(addressOf('stranger'), 'twin') }
export const collection = `0x${addressOf('collection')}`

export const chainId = 'twin-1'

/** Genesis, in milliseconds since 1970. A block is made each two seconds. */
const genesis = Date.UTC(2026, 0, 1)
const timeAt = (height: number) => new Date(genesis + height * 2_000).toISOString()

export const blockHash = (height: number) => hashOf(`block ${height}`).toUpperCase()
export const transactionHash = (number: number) => hashOf(`transaction ${number}`).toUpperCase()
export const evmHash = (number: number) => `0x${hashOf(`evm transaction ${number}`)}`

export const block = (height: number): Row => ({
  chain_id: chainId,
  height: String(height),
  hash: blockHash(height),
  block_time: '2000',
  timestamp: timeAt(height),
  gas_used: '21000',
  gas_wanted: '30000',
  tx_count: '1',
  total_fee: [{ denom: 'utwin', amount: '17' }],
  proposer: { moniker: 'Pilot', identity: 'ABCDEF', operator_address: toBech32(addressOf('pilot'), 'twinvaloper') },
})

/** The types of messages. Each third transaction is a delegation. */
export const sendType = 'cosmos.bank.v1beta1.MsgSend'
export const delegateType = 'cosmos.staking.v1beta1.MsgDelegate'
export const typeOf = (number: number) => (number % 3 === 0 ? delegateType : sendType)

export const transaction = (number: number): Row => ({
  txhash: transactionHash(number),
  height: String(number),
  codespace: 'bank',
  code: 0,
  data: '0A1B',
  raw_log: 'done',
  logs: [],
  info: 'fine',
  gas_wanted: '30000',
  gas_used: '21000',
  tx: {
    '@type': '/cosmos.tx.v1beta1.Tx',
    body: {
      messages: [
        number % 3 === 0
          ? {
              '@type': `/${delegateType}`,
              delegator_address: account.bech32,
              validator_address: toBech32(addressOf('pilot'), 'twinvaloper'),
              amount: { denom: 'utwin', amount: '5' },
            }
          : {
              '@type': `/${sendType}`,
              from_address: account.bech32,
              to_address: stranger.bech32,
              amount: [{ denom: 'utwin', amount: String(number) }],
            },
      ],
      memo: 'aye',
    },
    auth_info: { signer_infos: [], fee: { amount: [{ denom: 'utwin', amount: '17' }], gas_limit: '30000' } },
    signatures: [],
  },
  timestamp: timeAt(number),
  events: [{ type: 'message', attributes: [{ key: 'sender', value: account.bech32 }] }],
})

export const evmTransaction = (number: number): Row => ({
  blockHash: `0x${hashOf(`block ${number}`)}`,
  blockNumber: `0x${number.toString(16)}`,
  contractAddress: stranger.hex,
  cumulativeGasUsed: '0x5208',
  effectiveGasPrice: '0x1',
  from: account.hex,
  gasUsed: '0x5208',
  logs: [
    {
      address: collection,
      topics: [`0x${'5'.repeat(64)}`],
      data: '0x07',
      blockNumber: `0x${number.toString(16)}`,
      transactionHash: evmHash(number),
      transactionIndex: '0x0',
      blockHash: `0x${hashOf(`block ${number}`)}`,
      logIndex: '0x0',
      removed: false,
    },
  ],
  logsBloom: `0x${'01'.repeat(256)}`,
  status: '0x1',
  to: stranger.hex,
  transactionHash: evmHash(number),
  transactionIndex: '0x0',
  type: '0x2',
})

export const internalTransaction = (number: number): Row => ({
  height: number,
  hash: evmHash(number),
  parent_index: 0,
  index: 1,
  type: 'CALL',
  from: account.hex,
  to: stranger.hex,
  input: '0x01',
  output: '0x02',
  value: '0x1',
  gas: '0x5208',
  gasUsed: '0x5200',
})

const nftAddress = (number: number) => `0x${addressOf(`nft ${number}`)}`
const collectionAt = (number: number) => (number === 1 ? collection : `0x${addressOf(`collection ${number}`)}`)

export const nftCollection = (number: number): Row => ({
  object_addr: collectionAt(number),
  collection: {
    creator: account.hex,
    name: `Fleet ${number}`,
    origin_name: `Origin ${number}`,
    nfts: { handle: nftAddress(number), length: 30 },
  },
  height: number,
  timestamp: timeAt(number),
})

export const tokenId = (number: number) => String(number).padStart(4, '0')

export const nft = (number: number): Row => ({
  collection_addr: collection,
  collection_name: 'Fleet 1',
  collection_origin_name: 'Origin 1',
  object_addr: nftAddress(1_000 + number),
  owner: account.hex,
  nft: { token_id: tokenId(number), uri: `https://example.com/${number}` },
  height: number,
  timestamp: timeAt(number),
})

/** Holders have equal amounts in pairs. */
export const holder = (number: number): Row => ({
  account: `0x${addressOf(`holder ${number}`)}`,
  amount: String(Math.floor(number / 2) * 100),
})
