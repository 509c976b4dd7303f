// The graph that the hand-written contestants serve, and its resolvers over the REST API.
import { pageSize } from './scenarios.mjs'
import { lastTx, tip } from './upstream.mjs'

export const typeDefs = /* GraphQL */ `
  scalar UInt53
  scalar Hash
  scalar Address
  type Query { chain: Chain!, transfer(chainId: String!, hash: String!): Transfer }
  type Transfer { state: String! }
  type Chain {
    status: Status, block(height: UInt53!): Block, transaction(hash: Hash!): Transaction
    blocks(first: Int!, after: String): Blocks!, transactions(first: Int!): Transactions!
    account(address: Address!): Account!
  }
  type Status { height: String! }
  type Account { transactions(first: Int!, after: String): Transactions! }
  type PageInfo { hasNextPage: Boolean! }
  type Blocks { nodes: [Block!]!, pageInfo: PageInfo! }
  type Proposer { moniker: String }
  type Block {
    height: String!, hash: String!, timestamp: String!, transactionCount: String!, gasUsed: String!
    proposer: Proposer, transactions(first: Int!): Transactions!
  }
  type Transactions { nodes: [Transaction!]! }
  type Transaction {
    hash: String!, height: String!, timestamp: String!, isSuccessful: Boolean!, gasUsed: String!
    messages: [Message!]!
  }
  type Message { typeUrl: String! }
`

/** Query of a page of a list; the newest records first, but for the transactions of a block. */
export const pageQuery = (limit, key, isReverse = true) =>
  new URLSearchParams({
    'pagination.limit': limit,
    'pagination.reverse': isReverse,
    ...(key && { 'pagination.key': key }),
  })

const nodes = ({ txs }) => ({ nodes: txs })

/** Resolvers whose context has `get(path)`, a promise for the JSON at a path of the upstream. */
export const resolvers = {
  Query: {
    chain: () => ({}),
    transfer: (_, { chainId, hash }, { get }) =>
      get(`/v2/tx/status?chain_id=${chainId}&tx_hash=${hash}`).then(({ state }) => ({
        state: state.replace('STATE_', ''),
      })),
  },
  Chain: {
    status: (_, _args, { get }) => get('/status'),
    block: (_, { height }, { get }) => get(`/indexer/block/v1/blocks/${height}`).then(({ block }) => block),
    transaction: (_, { hash }, { get }) => get(`/indexer/tx/v1/txs/${hash}`).then(({ tx }) => tx),
    blocks: (_, { first, after }, { get }) =>
      get(`/indexer/block/v1/blocks?${pageQuery(first, after)}`).then(({ blocks }) => ({
        nodes: blocks,
        pageInfo: { hasNextPage: blocks.at(-1)?.height !== '1' },
      })),
    transactions: (_, { first }, { get }) => get(`/indexer/tx/v1/txs?${pageQuery(first)}`).then(nodes),
    account: (_, { address }) => ({ address }),
  },
  Status: { height: ({ height }) => String(height) },
  Account: {
    transactions: ({ address }, { first, after }, { get }) =>
      get(`/indexer/tx/v1/txs/by_account/${address}?${pageQuery(first, after)}`).then(nodes),
  },
  Block: {
    transactionCount: (block) => block.tx_count,
    gasUsed: (block) => block.gas_used,
    transactions: ({ height }, { first }, { get }) =>
      get(`/indexer/tx/v1/txs/by_height/${height}?${pageQuery(first, null, false)}`).then(nodes),
  },
  Transaction: {
    hash: (tx) => tx.txhash,
    isSuccessful: (tx) => tx.code === 0,
    gasUsed: (tx) => tx.gas_used,
    messages: (tx) => tx.tx.body.messages,
  },
  Message: { typeUrl: (message) => message['@type'] },
}

const keyOf = (name, value) => Buffer.from(`{"${name}":${value}}`).toString('base64')

/** Cursors of a contestant that passes the keys of the upstream on. */
export const keyCursors = () => ({
  block: (place) => keyOf('height', tip + 1 - (place + 1) * pageSize),
  tx: (place) => keyOf('sequence', lastTx + 1 - (place + 1) * pageSize),
})
