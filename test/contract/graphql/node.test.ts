import { afterAll, expect, test } from 'vitest'
import { chainIds, type Data, everyChain, startWorld } from '../../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const contents = `
  __typename id
  ... on Chain { chainId name vm }
  ... on ChainAccount { address bech32Address }
  ... on Block { height hash timestamp }
  ... on Transaction { hash height code }
  ... on EvmTransaction { hash height gasUsed }
  ... on EvmInternalTransaction { transactionHash index from { address } }
  ... on NftCollection { address name nftCount }
  ... on Nft { tokenId uri owner { address } collection { address } }
`

/** Nodes of every type of a chain, with only their own fields. */
async function nodesOfEachType(chainId: string): Promise<Data[]> {
  const { chain } = await world.data(
    `query ($chainId: ChainId) { chain(chainId: $chainId) {
      ...contents
      account(address: "0x0a") { ...contents }
      block(height: 57) { ...contents }
      transactions(first: 1) { nodes { ...contents block { ...contents } } }
      evmTransactions(first: 3, order: ASC) { nodes {
        ...contents
        internalTransactions { nodes { ...contents } }
      } }
      nftCollections(first: 4) { nodes { ...contents
        nfts(first: 3) { nodes { ...contents } }
      } }
    } }
    fragment contents on Node { ${contents} }`,
    { chainId },
  )
  const nodes: Data[] = []
  const collect = (value: Data) => {
    if (typeof value !== 'object' || value === null) return
    if (value.id) {
      const nested = [
        'account',
        'block',
        'transactions',
        'evmTransactions',
        'nftCollections',
        'nfts',
        'internalTransactions',
      ]
      nodes.push(Object.fromEntries(Object.entries(value).filter(([key]) => !nested.includes(key))))
    }
    for (const inner of Object.values(value)) collect(inner)
  }
  collect(chain)
  return nodes
}

test.each(everyChain)('$vm: node returns every node by its id', async ({ vm, chainId }) => {
  const nodes = await nodesOfEachType(chainId)
  const evm = vm === 'EVM' ? ['EvmTransaction', 'EvmInternalTransaction'] : []
  expect(new Set(nodes.map((node) => node.__typename))).toEqual(
    new Set(['Chain', 'ChainAccount', 'Block', 'Transaction', 'NftCollection', 'Nft', ...evm]),
  )
  const withId = nodes.filter((value) => Object.keys(value).length > 2)
  expect(withId.length).toBeGreaterThan(10)
  for (const value of withId) {
    const { node } = await world.data(`query ($id: ID!) { node(id: $id) { ${contents} } }`, {
      id: value.id,
    })
    expect(node).toEqual(value)
  }
})

test('node ids are unique across types and chains', async () => {
  const ids = (await Promise.all(everyChain.map(({ chainId }) => nodesOfEachType(chainId))))
    .flat()
    .map((node) => `${node.__typename} ${node.id}`)
  expect(new Set(ids.map((id) => id.split(' ')[1])).size).toBe(new Set(ids).size)
})

const idOf = (text: string) => Buffer.from(text).toString('base64')

test('nodes keep the order of ids, and an invalid id is null with an error', async () => {
  const good = idOf('Block:harbor-1/7')
  const other = idOf('Block:galley-1/7')
  const ids = [
    good,
    idOf('Block:harbor-1/999'),
    'garbage',
    other,
    good,
    idOf('ChainAccount:harbor-1/0x1'),
    idOf('Block:harbor-1/x'),
  ]
  const { data, errors, sent } = await world.trace(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Block { hash } } }',
    { ids },
  )
  expect(data.nodes.map((node: Data) => node?.id ?? null)).toEqual([
    good,
    null,
    null,
    other,
    good,
    idOf(`ChainAccount:harbor-1/${'1'.padStart(40, '0')}`),
    null,
  ])
  expect(data.nodes[0].hash).toBe(data.nodes[4].hash)
  expect(data.nodes[0].hash).not.toBe(data.nodes[3].hash)
  expect(errors).toMatchObject([
    { path: ['nodes', 2], extensions: { code: 'BAD_USER_INPUT' } },
    { path: ['nodes', 6], extensions: { code: 'BAD_USER_INPUT' } },
  ])
  expect(sent).toHaveLength(3)
})

test('a node of an unavailable chain is null, and others are returned', async () => {
  await using broken = await startWorld()
  broken.sandbox.faults.set('galley-1', '/', { kind: 'status', status: 500 })
  const ids = ['Block:galley-1/7', 'Block:harbor-1/7', 'Chain:galley-1'].map(idOf)
  const { data, errors } = await broken.ask('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', { ids })
  expect(data.nodes.map((node: Data) => node?.__typename)).toEqual([undefined, 'Block', 'Chain'])
  expect(errors).toMatchObject([
    { path: ['nodes', 0], extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'galley-1' } },
  ])
})

const hash = 'ab'.repeat(32)

test.each(['Chain:atlantis-1', 'ChainAccount:atlantis-1/0x1'])(
  'the id of an unknown chain is null: %s',
  async (text) => {
    const node = await world.data('query ($id: ID!) { node(id: $id) { id } }', { id: idOf(text) })
    expect(node).toEqual({ node: null })
  },
)

test.each([
  'Block:atlantis-1/7',
  `Transaction:atlantis-1/${hash}`,
  `EvmTransaction:atlantis-1/0x${hash}`,
  `EvmInternalTransaction:atlantis-1/0x${hash}/0`,
  'NftCollection:atlantis-1/0x1',
  'Nft:atlantis-1/0x1/1',
])('the id of a chain without an indexer is null: %s', async (text) => {
  const { data, errors, sent } = await world.trace('query ($id: ID!) { node(id: $id) { id } }', {
    id: idOf(text),
  })
  expect([data, errors, sent]).toEqual([{ node: null }, undefined, []])
})

test.each([
  'Block:harbor-1/999',
  `Transaction:harbor-1/${hash.toUpperCase()}`,
  `EvmTransaction:harbor-1/0x${hash}`,
  `EvmTransaction:galley-1/0x${hash}`,
  `EvmInternalTransaction:galley-1/0x${hash}/0`,
  `EvmInternalTransaction:harbor-1/0x${hash}/0`,
  'NftCollection:harbor-1/0x1',
  'Nft:harbor-1/0x1/1',
])('the id of a missing record is null: %s', async (text) => {
  const { data, errors } = await world.ask('query ($id: ID!) { node(id: $id) { id } }', {
    id: idOf(text),
  })
  expect([data, errors]).toEqual([{ node: null }, undefined])
})

test.each([
  '',
  'garbage',
  '%%%',
  '7',
  '../../status',
  'Q'.repeat(20_000),
  ...[
    '',
    ':',
    'Block',
    'Block:',
    'Block:7',
    'Block:/7',
    'Block:harbor-1',
    'Block:harbor-1/',
    'Block:harbor-1/0',
    'Block:harbor-1/-1',
    'Block:harbor-1/1e3',
    'Block:harbor-1/99999999999999999999',
    'Block:harbor-1/9223372036854775808',
    'Block:harbor-1/7/',
    'Block:harbor-1/../status',
    'Nonsense:harbor-1/7',
    '__proto__:harbor-1/7',
    'constructor:harbor-1/7',
    'Transaction:harbor-1/abc',
    `Transaction:harbor-1/0x${hash}`,
    'EvmTransaction:galley-1/abc',
    `EvmTransaction:galley-1/${hash}`,
    `EvmInternalTransaction:galley-1/0x${hash}`,
    `EvmInternalTransaction:galley-1/0x${hash}/-1`,
    `EvmInternalTransaction:galley-1/0x${hash}/1e5`,
    'ChainAccount:harbor-1/alice',
    'ChainAccount:harbor-1/',
    'NftCollection:harbor-1/..',
    'Nft:harbor-1/0x1',
    'Nft:harbor-1/0x1/',
    'Nft:harbor-1//1',
    'Nft:harbor-1/0x1/a\u0000',
  ].map(idOf),
])('an invalid id is refused without an upstream request (%#)', async (id) => {
  const { data, errors, sent } = await world.trace('query ($id: ID!) { node(id: $id) { id } }', {
    id,
  })
  expect(data).toEqual({ node: null })
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
  expect(sent).toEqual([])
})

test('more ids than allowed are an error', async () => {
  const ids = (count: number) => Array(count).fill(idOf('Chain:harbor-1'))
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }'
  expect((await world.data(query, { ids: ids(100) })).nodes).toHaveLength(100)
  const [error] = await world.errors(query, { ids: ids(101) })
  expect(error?.extensions?.code).toBe('BAD_USER_INPUT')
})

test('an NFT with slashes, spaces and symbols in its token id is found by node id', async () => {
  await using odd = await startWorld()
  const [collection] = await odd.rows('harbor-1', '/indexer/nft/v1/collections', {
    'pagination.reverse': 'false',
  })
  const path = `/indexer/nft/v1/tokens/by_collection/${collection.object_addr}`
  const [token] = await odd.rows('harbor-1', path)
  const tokenId = 'a/b c?#%:⚓'
  odd.sandbox.faults.set('harbor-1', path, {
    kind: 'answer',
    json: { tokens: [{ ...token, nft: { ...token.nft, token_id: tokenId } }], pagination: {} },
  })
  const { chain } = await odd.data(
    `query ($address: Address!, $tokenId: String!) { chain { nft(collection: $address, tokenId: $tokenId) { id } } }`,
    { address: collection.object_addr, tokenId },
  )
  const { node } = await odd.data('query ($id: ID!) { node(id: $id) { ... on Nft { tokenId } } }', {
    id: chain.nft.id,
  })
  expect(node).toEqual({ tokenId })
})

test('a collection has one id for all forms of its address', async () => {
  const [record] = await world.rows(chainIds.WASM, '/indexer/nft/v1/collections')
  const address: string = record.object_addr
  const { chain } = await world.data(
    `query ($a: Address!) { chain(chainId: "${chainIds.WASM}") {
      account(address: $a) { bech32Address }
      nftCollection(address: $a) { id }
    } }`,
    { a: address },
  )
  const { bech32Address } = chain.account
  for (const spelling of [bech32Address, bech32Address.toUpperCase(), `0x${address.slice(2).toUpperCase()}`]) {
    const again = await world.data(
      `query ($a: Address!) { chain(chainId: "${chainIds.WASM}") { nftCollection(address: $a) { id } } }`,
      { a: spelling },
    )
    expect(again.chain.nftCollection.id).toBe(chain.nftCollection.id)
  }
})

test('invalid input is an error of its field only', async () => {
  const ids = Array.from({ length: 101 }, () => idOf('Chain:harbor-1'))
  const { data, errors } = await world.ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } chain { chainId } }', {
    ids,
  })
  expect(data).toEqual({ nodes: null, chain: { chainId: 'harbor-1' } })
  expect(errors).toMatchObject([{ path: ['nodes'], extensions: { code: 'BAD_USER_INPUT' } }])
  const track = await world.ask(`mutation {
    a: trackTransfer(input: { chainId: "!", hash: "x" }) { explorerUrl }
    b: trackTransfer(input: { chainId: "harbor-1", hash: "x" }) { explorerUrl }
  }`)
  expect(track.data).toEqual({ a: null, b: null })
})
