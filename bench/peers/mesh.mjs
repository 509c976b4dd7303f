import { createServer } from 'node:http'
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime'
import { getComposedSchemaFromConfig } from '@graphql-mesh/compose-cli'
import { loadJSONSchemaSubgraph } from '@omnigraph/json-schema'
import { keyCursors } from '../load/graph.mjs'

const text = { type: 'string' }
const listOf = (items) => ({ type: 'array', items })
const object = (title, properties) => ({ type: 'object', title, properties })

const block = object('Block', {
  height: text,
  hash: text,
  timestamp: text,
  tx_count: text,
  gas_used: text,
  proposer: object('Proposer', { moniker: text }),
})
const transaction = object('Transaction', {
  txhash: text,
  height: text,
  timestamp: text,
  code: { type: 'integer' },
  gas_used: text,
  tx: object('Tx', {
    body: object('Body', { messages: listOf(object('Message', { '@type': text })) }),
  }),
})

const page = (field, path, name, items) => ({
  type: 'Query',
  field,
  path,
  method: 'GET',
  argTypeMap: { limit: { type: 'integer' }, reverse: { type: 'boolean' } },
  queryParamArgMap: {
    'pagination.limit': 'limit',
    'pagination.reverse': 'reverse',
    'pagination.key': 'key',
  },
  responseSchema: object(`${field}Page`, { [name]: listOf(items) }),
})
const operations = [
  page('rawBlocks', '/indexer/block/v1/blocks', 'blocks', block),
  page('rawTransactions', '/indexer/tx/v1/txs', 'txs', transaction),
  page(
    'rawAccountTransactions',
    '/indexer/tx/v1/txs/by_account/{args.address}',
    'txs',
    transaction,
  ),
  page('rawBlockTransactions', '/indexer/tx/v1/txs/by_height/{args.height}', 'txs', transaction),
  {
    type: 'Query',
    field: 'rawBlock',
    path: '/indexer/block/v1/blocks/{args.height}',
    method: 'GET',
    responseSchema: object('RawBlock', { block }),
  },
  {
    type: 'Query',
    field: 'rawTransaction',
    path: '/indexer/tx/v1/txs/{args.hash}',
    method: 'GET',
    responseSchema: object('RawTransaction', { tx: transaction }),
  },
  {
    type: 'Query',
    field: 'rawStatus',
    path: '/status',
    method: 'GET',
    responseSchema: object('RawStatus', { height: { type: 'integer' } }),
  },
  {
    type: 'Query',
    field: 'rawTransfer',
    path: '/v2/tx/status?chain_id={args.chain_id}&tx_hash={args.tx_hash}',
    method: 'GET',
    responseSchema: object('RawTransfer', { state: text }),
  },
]

const typeDefs = /* GraphQL */ `
  scalar UInt53
  scalar Hash
  scalar Address
  extend type Query { chain: Chain!, transfer(chainId: String!, hash: String!): Transfer }
  type Transfer { state: String! }
  type Chain {
    status: Status, block(height: UInt53!): Block, transaction(hash: Hash!): Transaction
    blocks(first: Int!, after: String): Blocks!, transactions(first: Int!): Transactions!
    account(address: Address!): Account!
  }
  type Status { height: String! }
  type Account { address: String!, transactions(first: Int!, after: String): Transactions! }
  type PageInfo { hasNextPage: Boolean! }
  type Blocks { nodes: [Block!]!, pageInfo: PageInfo! }
  type Transactions { nodes: [Transaction!]! }
  extend type Block {
    transactionCount: String!, gasUsed: String!, transactions(first: Int!): Transactions!
  }
  extend type Transaction {
    hash: String!, isSuccessful: Boolean!, gasUsed: String!, messages: [Message!]!
  }
  extend type Message { typeUrl: String! }
`

const blockParts = 'height hash timestamp tx_count gas_used proposer { moniker }'
const txParts = 'txhash height timestamp code gas_used tx { body { messages { _AT_type } } }'

/** Calls a field of the subgraph for a resolver, with arguments and the parts that it needs. */
const call = (field, selectionSet, argsOf, read) => ({
  resolve: async (root, args, context, info) =>
    read(
      await context.bench.Query[field]({
        root,
        args: argsOf(args, root),
        context,
        info,
        selectionSet: `{ ${selectionSet} }`,
      }),
    ),
})
const pageArgs = (args, isReverse = true) => ({
  limit: args.first,
  reverse: isReverse,
  ...(args.after && { key: args.after }),
})
const transactionPage = (field, argsOf) =>
  call(field, `txs { ${txParts} }`, argsOf, ({ txs }) => ({ nodes: txs }))
const from = (selectionSet, resolve) => ({ selectionSet: `{ ${selectionSet} }`, resolve })

const resolvers = {
  Query: {
    chain: () => ({}),
    transfer: call(
      'rawTransfer',
      'state',
      ({ chainId, hash }) => ({ chain_id: chainId, tx_hash: hash }),
      ({ state }) => ({ state: state.replace('STATE_', '') }),
    ),
  },
  Chain: {
    status: call(
      'rawStatus',
      'height',
      () => ({}),
      ({ height }) => ({ height: String(height) }),
    ),
    block: call(
      'rawBlock',
      `block { ${blockParts} }`,
      ({ height }) => ({ height }),
      ({ block }) => block,
    ),
    transaction: call(
      'rawTransaction',
      `tx { ${txParts} }`,
      ({ hash }) => ({ hash }),
      ({ tx }) => tx,
    ),
    blocks: call(
      'rawBlocks',
      `blocks { ${blockParts} }`,
      (args) => pageArgs(args),
      ({ blocks }) => ({ nodes: blocks, pageInfo: { hasNextPage: blocks.at(-1)?.height !== '1' } }),
    ),
    transactions: transactionPage('rawTransactions', (args) => pageArgs(args)),
    account: (_, { address }) => ({ address }),
  },
  Account: {
    transactions: transactionPage('rawAccountTransactions', (args, { address }) => ({
      address,
      ...pageArgs(args),
    })),
  },
  Block: {
    transactionCount: from('tx_count', (block) => block.tx_count),
    gasUsed: from('gas_used', (block) => block.gas_used),
    transactions: {
      selectionSet: '{ height }',
      ...transactionPage('rawBlockTransactions', (args, { height }) => ({
        height,
        ...pageArgs(args, false),
      })),
    },
  },
  Transaction: {
    hash: from('txhash', (tx) => tx.txhash),
    isSuccessful: from('code', (tx) => tx.code === 0),
    gasUsed: from('gas_used', (tx) => tx.gas_used),
    messages: from('tx { body { messages { _AT_type } } }', (tx) => tx.tx.body.messages),
  },
  Message: { typeUrl: from('_AT_type', (message) => message._AT_type) },
}

const quiet = { debug() {}, info() {}, warn() {}, error() {}, log() {}, child: () => quiet }

/** Hive Gateway over a subgraph that GraphQL Mesh composes from the REST API. */
export async function start(upstreamUrl) {
  const sourceHandler = loadJSONSchemaSubgraph('bench', { endpoint: upstreamUrl, operations })
  const supergraph = await getComposedSchemaFromConfig({ subgraphs: [{ sourceHandler }] }, quiet)
  const gateway = createGatewayRuntime({
    supergraph,
    additionalTypeDefs: typeDefs,
    additionalResolvers: resolvers,
    logging: false,
    landingPage: false,
    graphiql: false,
  })
  const server = createServer(gateway)
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return { url: `http://127.0.0.1:${server.address().port}/graphql` }
}

/** Its cursors are the keys of the upstream. */
export const readCursors = keyCursors
