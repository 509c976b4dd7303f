import { afterAll, expect, test } from 'vitest'
import { chainIds, type Data, everyChain, startWorld } from '../../../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const fields = `
  hash height timestamp code codespace isSuccessful gasWanted gasUsed memo data rawLog info
  messages { typeUrl body }
  fee { amount { denom amount } gasLimit payer { bech32Address } granter { bech32Address } }
  signers { account { bech32Address } publicKeyType publicKey sequence }
  events { type attributes { key value isIndexed } }
`

const addressOf = (bech32Address: string) => (bech32Address ? { bech32Address } : null)

/** A multisig key has no `key`, but a threshold and public keys. */
const publicKeyOf = ({ '@type': _type, key, ...parts }: Data) => key ?? parts

/** A transaction as the graph should show the record of an indexer. */
const asGraph = (record: Data) => {
  const { body, auth_info } = record.tx
  const signers = record.events
    .flatMap((event: Data) => (event.type === 'tx' ? event.attributes : []))
    .filter(({ key }: Data) => key === 'acc_seq')
    .map(({ value }: Data) => value.split('/')[0])
  return {
    hash: record.txhash,
    height: Number(record.height),
    timestamp: record.timestamp,
    code: record.code,
    codespace: record.codespace || null,
    isSuccessful: record.code === 0,
    gasWanted: record.gas_wanted,
    gasUsed: record.gas_used,
    memo: body.memo || null,
    data: record.data || null,
    rawLog: record.raw_log || null,
    info: record.info || null,
    messages: body.messages.map(({ '@type': typeUrl, ...rest }: Data) => ({ typeUrl, body: rest })),
    fee: {
      amount: auth_info.fee.amount,
      gasLimit: auth_info.fee.gas_limit,
      payer: addressOf(auth_info.fee.payer),
      granter: addressOf(auth_info.fee.granter),
    },
    signers: auth_info.signer_infos.map((info: Data, i: number) => ({
      account: addressOf(signers[i]),
      publicKeyType: info.public_key['@type'],
      publicKey: publicKeyOf(info.public_key),
      sequence: Number(info.sequence),
    })),
    events: record.events.map(({ type, attributes }: Data) => ({
      type,
      attributes: attributes.map(({ key, value, index }: Data) => ({
        key,
        value,
        isIndexed: index,
      })),
    })),
  }
}

test.each(everyChain)('$vm: transactions equal those of the indexer', async ({ chainId }) => {
  const { chain } = await world.data(
    `query ($chainId: ChainId) { chain(chainId: $chainId) { transactions(first: 100) { nodes { ${fields} } } } }`,
    { chainId },
  )
  const records = await world.rows(chainId, '/indexer/tx/v1/txs')
  expect(chain.transactions.nodes).toEqual(records.map(asGraph))
  const outcomes = chain.transactions.nodes.map((tx: Data) => tx.isSuccessful)
  expect(new Set(outcomes)).toEqual(new Set([true, false]))
})

test.each(everyChain)('$vm: a transaction is found by hash in any form', async ({ chainId }) => {
  const [record] = await world.rows(chainId, '/indexer/tx/v1/txs')
  const hash: string = record.txhash
  for (const spelling of [hash, hash.toLowerCase(), `0x${hash}`, `0X${hash.toLowerCase()}`]) {
    const { data, sent } = await world.trace(
      `query ($chainId: ChainId, $hash: Hash!) { chain(chainId: $chainId) { transaction(hash: $hash) { ${fields} } } }`,
      { chainId, hash: spelling },
    )
    expect(data.chain.transaction).toEqual(asGraph(record))
    expect(sent.length).toBeLessThanOrEqual(1)
  }
})

const multisig = '/cosmos.crypto.multisig.LegacyAminoPubKey'

/** The records of a chain's transactions that a multisig key signed, newest first. */
const signedByMultisig = async (chainId: string) =>
  (await world.rows(chainId, '/indexer/tx/v1/txs')).filter(
    (record) => record.tx.auth_info.signer_infos[0].public_key['@type'] === multisig,
  )

test.each(everyChain)('$vm: a multisig transaction is found by hash and in every list', async ({ chainId }) => {
  const [record] = await signedByMultisig(chainId)
  const expected = asGraph(record)
  const [signer] = expected.signers
  expect(signer).toMatchObject({
    publicKeyType: multisig,
    publicKey: { threshold: 2, public_keys: [{}, {}, {}] },
  })
  const { chain } = await world.data(
    `query ($chainId: ChainId, $hash: Hash!, $height: UInt53!, $address: Address!) {
        chain(chainId: $chainId) {
          transaction(hash: $hash) { ${fields} }
          transactions(first: 100) { nodes { ${fields} } }
          block(height: $height) { transactions(first: 100) { nodes { ${fields} } } }
          account(address: $address) { transactions(first: 100) { nodes { ${fields} } } }
        }
      }`,
    {
      chainId,
      hash: record.txhash,
      height: record.height,
      address: signer.account.bech32Address,
    },
  )
  expect(chain.transaction).toEqual(expected)
  for (const list of [chain, chain.block, chain.account]) {
    expect(list.transactions.nodes).toContainEqual(expected)
  }
})

test('a multisig transaction is in the list of its NFT', async () => {
  const chainId = chainIds.EVM
  const records = await signedByMultisig(chainId)
  const collections = await world.rows(chainId, '/indexer/nft/v1/collections')
  const tokens = await Promise.all(
    collections.map(({ object_addr }) => world.rows(chainId, `/indexer/nft/v1/tokens/by_collection/${object_addr}`)),
  )
  const lists = await Promise.all(
    tokens
      .flat()
      .filter((token) => records.some((record) => record.height === String(token.height)))
      .map(async (token) => {
        const { chain } = await world.data(
          `query ($chainId: ChainId, $collection: Address!, $tokenId: String!) {
            chain(chainId: $chainId) { nft(collection: $collection, tokenId: $tokenId) {
              transactions(first: 20) { nodes { ${fields} } }
            } }
          }`,
          { chainId, collection: token.collection_addr, tokenId: token.nft.token_id },
        )
        return chain.nft.transactions.nodes
      }),
  )
  const txs = lists.flat().filter(({ signers }) => signers[0].publicKeyType === multisig)
  expect(txs.length).toBeGreaterThan(0)
  for (const tx of txs) {
    expect(records.map(asGraph)).toContainEqual(tx)
  }
})

test('an unknown hash is null', async () => {
  const { chain } = await world.data(`{ chain { transaction(hash: "${'ab'.repeat(32)}") { hash } } }`)
  expect(chain.transaction).toBeNull()
})

test.each([
  '',
  'abc',
  'ab'.repeat(31),
  'ab'.repeat(33),
  'zz'.repeat(32),
  `../${'ab'.repeat(31)}`,
  `${'ab'.repeat(32)}\n`,
])('invalid hash %j is refused without an upstream request', async (hash) => {
  const { errors, sent } = await world.trace(
    'query ($hash: Hash!) { chain { transaction(hash: $hash) { hash } evmTransaction(hash: $hash) { hash } } }',
    { hash },
  )
  expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
  expect(sent).toEqual([])
})

test.each(everyChain)('$vm: a block and its transactions link to each other', async ({ chainId }) => {
  const { chain } = await world.data(
    `query ($chainId: ChainId) { chain(chainId: $chainId) { blocks(first: 60) { nodes {
      height hash transactionCount
      transactions(first: 10) { totalCount nodes { hash height block { height hash } } }
    } } } }`,
    { chainId },
  )
  for (const block of chain.blocks.nodes) {
    const path = `/indexer/tx/v1/txs/by_height/${block.height}`
    const records = await world.rows(chainId, path, { 'pagination.reverse': 'false' })
    expect(block.transactions.nodes.map((tx: Data) => tx.hash)).toEqual(records.map((record) => record.txhash))
    expect(block.transactions.totalCount).toBe(block.transactionCount)
    for (const tx of block.transactions.nodes) {
      expect(tx).toMatchObject({ height: block.height, block: { hash: block.hash } })
    }
  }
})

test.each(everyChain)('$vm: transactions of a chain are filtered by message type', async ({ chainId }) => {
  const records = await world.rows(chainId, '/indexer/tx/v1/txs')
  const allTypes = new Set(
    records.flatMap((record) => record.tx.body.messages.map((message: Data) => message['@type'].slice(1))),
  )
  const query = `query ($chainId: ChainId, $types: [String!]) { chain(chainId: $chainId) {
    transactions(filter: { messageTypes: $types }, first: 100) { totalCount nodes { hash } pageInfo { hasNextPage } }
  } }`
  for (const type of allTypes) {
    const expected = records.filter((record) =>
      record.tx.body.messages.some((message: Data) => message['@type'] === `/${type}`),
    )
    for (const types of [[type], [`/${type}`], [type, 'no.such.MsgType']]) {
      const { chain } = await world.data(query, { chainId, types })
      expect(chain.transactions).toEqual({
        totalCount: expected.length,
        nodes: expected.map((record) => ({ hash: record.txhash })),
        pageInfo: { hasNextPage: false },
      })
    }
  }
})

test.each([['no.such.MsgType'], ['COSMOS.bank.v1beta1.msgsend']])(
  'unknown message type %s gives an empty list',
  async (type) => {
    const { data, sent } = await world.trace(
      `query ($types: [String!]) { chain { transactions(filter: { messageTypes: $types }, first: 5) {
        totalCount nodes { hash } pageInfo { hasNextPage endCursor }
      } } }`,
      { types: [type] },
    )
    expect(data.chain.transactions).toEqual({
      totalCount: 0,
      nodes: [],
      pageInfo: { hasNextPage: false, endCursor: null },
    })
    // At first, another type shows whether the indexer filters at all.
    expect(sent.length).toBeLessThanOrEqual(2)
  },
)

test.each(everyChain)(
  '$vm: transactions of a block and an account are filtered by message type',
  async ({ chainId }) => {
    const records = await world.rows(chainId, '/indexer/tx/v1/txs')
    const type = '/cosmos.bank.v1beta1.MsgSend'
    const hasType = (record: Data) => record.tx.body.messages.some((message: Data) => message['@type'] === type)
    const sample = records.find(hasType)
    const from = sample.tx.body.messages[0].from_address
    const { chain } = await world.data(
      `query ($chainId: ChainId, $height: UInt53!, $address: Address!, $types: [String!]) {
      chain(chainId: $chainId) {
        block(height: $height) { transactions(filter: { messageTypes: $types }) { totalCount nodes { hash } } }
        account(address: $address) {
          transactions(filter: { messageTypes: $types }, first: 100) { totalCount nodes { hash } }
        }
      }
    }`,
      { chainId, height: sample.height, address: from, types: [type] },
    )
    const inBlock = records.filter((record) => record.height === sample.height && hasType(record)).toReversed()
    expect(chain.block.transactions).toEqual({
      totalCount: null,
      nodes: inBlock.map((record) => ({ hash: record.txhash })),
    })
    const ofAccount = await world.rows(chainId, `/indexer/tx/v1/txs/by_account/${from}`)
    expect(chain.account.transactions).toEqual({
      totalCount: null,
      nodes: ofAccount.filter(hasType).map((record) => ({ hash: record.txhash })),
    })
  },
)

test.each([[['a,b']], [['']], [['/']], [['a b']], [['../x']], [Array(21).fill('a.B')]])(
  'invalid message types %j are refused without an upstream request',
  async (types) => {
    const { errors, sent } = await world.trace(
      'query ($types: [String!]) { chain { transactions(filter: { messageTypes: $types }) { nodes { hash } } } }',
      { types },
    )
    expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
    expect(sent).toEqual([])
  },
)

test('events are filtered by type', async () => {
  const { chain } = await world.data(
    '{ chain { transactions(first: 5) { nodes { events(types: ["tx"]) { type } all: events { type } } } } }',
  )
  for (const tx of chain.transactions.nodes) {
    const expected = tx.all.filter(({ type }: Data) => type === 'tx')
    expect(tx.events).toEqual(expected)
    expect(tx.events.length).toBeGreaterThan(0)
  }
})

test('a transaction without a body has empty fields', async () => {
  await using bare = await startWorld()
  const [record] = await bare.rows('harbor-1', '/indexer/tx/v1/txs')
  bare.sandbox.faults.set('harbor-1', `/indexer/tx/v1/txs/${record.txhash}`, {
    kind: 'answer',
    json: { tx: { ...record, tx: null, events: null, height: 60, gas_used: 5, data: null } },
  })
  const { chain } = await bare.data(
    `query ($hash: Hash!) { chain { transaction(hash: $hash) {
      height gasUsed memo data messages { typeUrl } fee { gasLimit } signers { sequence }
      events { type } evmTransaction { hash }
    } } }`,
    { hash: record.txhash },
  )
  expect(chain.transaction).toEqual({
    height: 60,
    gasUsed: '5',
    memo: null,
    data: null,
    messages: [],
    fee: null,
    signers: [],
    events: [],
    evmTransaction: null,
  })
})

test('an invalid hash is an error of its field only', async () => {
  const { data, errors, sent } = await world.trace(
    `query ($hash: Hash!) { chain(chainId: "${chainIds.EVM}") {
      chainId transaction(hash: $hash) { hash } evmTransaction(hash: "nope") { hash }
    } }`,
    { hash: '0x12' },
  )
  expect(data).toEqual({
    chain: { chainId: chainIds.EVM, transaction: null, evmTransaction: null },
  })
  expect(errors?.map(({ path, extensions }) => [path, extensions?.code])).toEqual([
    [['chain', 'transaction'], 'BAD_USER_INPUT'],
    [['chain', 'evmTransaction'], 'BAD_USER_INPUT'],
  ])
  expect(sent).toEqual([])
  // A number is a matter of the document: GraphQL refuses the request.
  const refused = await world.ask('{ chain { block(height: "high") { hash } } }')
  expect(refused.data).toBeUndefined()
})
