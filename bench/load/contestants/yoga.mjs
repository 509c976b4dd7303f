import { createServer } from 'node:http'
import DataLoader from 'dataloader'
import { createSchema, createYoga } from 'graphql-yoga'
import { Agent } from 'undici'
import { lastTx, tip } from '../upstream.mjs'

const typeDefs = /* GraphQL */ `
  type Query { chain: Chain!, transfer(chainId: String!, txHash: String!): Transfer }
  type Transfer { state: String! }
  type Chain { blocks(first: Int!, after: String): Blocks!, account(address: String!): Account! }
  type Account { transactions(first: Int!, after: String): Transactions! }
  type PageInfo { hasNextPage: Boolean! }
  type Blocks { nodes: [Block!]!, pageInfo: PageInfo! }
  type Proposer { moniker: String }
  type Block {
    height: String!, hash: String!, timestamp: String!, transactionCount: String!, gasUsed: String!
    proposer: Proposer, transactions(first: Int!): Transactions!
  }
  type Transactions { nodes: [Transaction!]! }
  type Transaction { hash: String!, isSuccessful: Boolean!, gasUsed: String!, messages: [Message!]! }
  type Message { typeUrl: String! }
`

const keyOf = (name, value) => Buffer.from(`{"${name}":${value}}`).toString('base64')

/** A page of a list; the newest records first, but for the transactions of a block. */
const query = (limit, key, isReverse = true) =>
  new URLSearchParams({
    'pagination.limit': limit,
    'pagination.reverse': isReverse,
    ...(key && { 'pagination.key': key }),
  })

const resolvers = {
  Query: {
    chain: () => ({}),
    transfer: (_, { chainId, txHash }, { get }) =>
      get(`/v2/tx/status?chain_id=${chainId}&tx_hash=${txHash}`).then(({ state }) => ({
        state: state.replace('STATE_', ''),
      })),
  },
  Chain: {
    blocks: (_, { first, after }, { get }) =>
      get(`/indexer/block/v1/blocks?${query(first, after)}`).then(({ blocks }) => ({
        nodes: blocks,
        pageInfo: { hasNextPage: blocks.at(-1)?.height !== '1' },
      })),
    account: (_, { address }) => ({ address }),
  },
  Account: {
    transactions: ({ address }, { first, after }, { get }) =>
      get(`/indexer/tx/v1/txs/by_account/${address}?${query(first, after)}`).then(({ txs }) => ({
        nodes: txs,
      })),
  },
  Block: {
    transactionCount: (block) => block.tx_count,
    gasUsed: (block) => block.gas_used,
    transactions: ({ height }, { first }, { get }) =>
      get(`/indexer/tx/v1/txs/by_height/${height}?${query(first, null, false)}`).then(
        ({ txs }) => ({
          nodes: txs,
        }),
      ),
  },
  Transaction: {
    hash: (tx) => tx.txhash,
    isSuccessful: (tx) => tx.code === 0,
    gasUsed: (tx) => tx.gas_used,
    messages: (tx) => tx.tx.body.messages,
  },
  Message: { typeUrl: (message) => message['@type'] },
}

/** The usual way to build such a gateway: a hand-written schema on graphql-yoga, with a DataLoader. */
export async function start(upstreamUrl) {
  const dispatcher = new Agent({ connections: 64 })
  const fetchPath = async (path) => {
    const { body } = await dispatcher.request({ origin: upstreamUrl, path, method: 'GET' })
    return body.json()
  }
  const yoga = createYoga({
    schema: createSchema({ typeDefs, resolvers }),
    context: () => {
      const loader = new DataLoader((paths) => Promise.all(paths.map(fetchPath)))
      return { get: (path) => loader.load(path) }
    },
    graphiql: false,
    logging: false,
  })
  const server = createServer(yoga)
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/graphql` }
}

/** Its cursors are the keys of the upstream. */
export const readCursors = () => ({
  block: (place) => keyOf('height', tip - place),
  tx: (place) => keyOf('sequence', lastTx - place),
})
