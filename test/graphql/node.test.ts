import { afterAll, expect, test } from 'vitest'
import { chainIds, type Data, everyChain, startWorld } from '../support/world.ts'

const world = await startWorld()
afterAll(() => world[Symbol.asyncDispose]())

const contents = `
  __typename id
  ... on Chain { chainId name vm }
  ... on Account { address bech32Address }
  ... on Block { height hash timestamp }
  ... on Transaction { hash height code }
  ... on EvmTransaction { hash height gasUsed }
  ... on EvmInternalTransaction { transactionHash index from { address } }
  ... on NftCollection { address name nftCount }
  ... on Nft { tokenId uri owner { address } collection { address } }
`

/** One node of every type the chain has, by the fields that lead to it. */
async function oneOfEach(chainId: string): Promise<Data[]> {
  const { chain } = await world.data(
    `query ($chainId: String) { chain(chainId: $chainId) {
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
  const found: Data[] = []
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
      found.push(Object.fromEntries(Object.entries(value).filter(([key]) => !nested.includes(key))))
    }
    for (const inner of Object.values(value)) collect(inner)
  }
  collect(chain)
  return found
}

test.each(everyChain)('$vm: every node is fetched again by its id', async ({ vm, chainId }) => {
  const nodes = await oneOfEach(chainId)
  const evm = vm === 'EVM' ? ['EvmTransaction', 'EvmInternalTransaction'] : []
  expect(new Set(nodes.map((one) => one.__typename))).toEqual(
    new Set(['Chain', 'Account', 'Block', 'Transaction', 'NftCollection', 'Nft', ...evm]),
  )
  const withId = nodes.filter((one) => Object.keys(one).length > 2)
  expect(withId.length).toBeGreaterThan(10)
  for (const one of withId) {
    const { node } = await world.data(`query ($id: ID!) { node(id: $id) { ${contents} } }`, {
      id: one.id,
    })
    expect(node).toEqual(one)
  }
})

test('ids of all types and chains are unique', async () => {
  const ids = (await Promise.all(everyChain.map(({ chainId }) => oneOfEach(chainId))))
    .flat()
    .map((one) => `${one.__typename} ${one.id}`)
  expect(new Set(ids.map((one) => one.split(' ')[1])).size).toBe(new Set(ids).size)
})

const idOf = (text: string) => Buffer.from(text).toString('base64')

test('nodes keep their order and their repeats, and a bad id blanks none but itself', async () => {
  const good = idOf('Block:harbor-1/7')
  const other = idOf('Block:galley-1/7')
  const ids = [
    good,
    idOf('Block:harbor-1/999'),
    'garbage',
    other,
    good,
    idOf('Account:harbor-1/0x1'),
    idOf('Block:harbor-1/x'),
  ]
  const { data, errors, sent } = await world.trace(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Block { hash } } }',
    { ids },
  )
  expect(data.nodes.map((one: Data) => one?.id ?? null)).toEqual([
    good,
    null,
    null,
    other,
    good,
    idOf('Account:harbor-1/0x1'),
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

test('the nodes of a chain that is down are null alone', async () => {
  await using broken = await startWorld()
  broken.sandbox.faults.set('galley-1', '/', { kind: 'status', status: 500 })
  const ids = ['Block:galley-1/7', 'Block:harbor-1/7', 'Chain:galley-1'].map(idOf)
  const { data, errors } = await broken.ask(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
    { ids },
  )
  expect(data.nodes.map((one: Data) => one?.__typename)).toEqual([undefined, 'Block', 'Chain'])
  expect(errors).toMatchObject([
    { path: ['nodes', 0], extensions: { code: 'UPSTREAM_UNAVAILABLE', service: 'galley-1' } },
  ])
})

const hash = 'ab'.repeat(32)

test.each([
  'Chain:atlantis-1',
  'Block:atlantis-1/7',
  'Account:atlantis-1/0x1',
  `Transaction:atlantis-1/${hash}`,
  `EvmTransaction:atlantis-1/0x${hash}`,
  `EvmInternalTransaction:atlantis-1/0x${hash}/0`,
  'NftCollection:atlantis-1/0x1',
  'Nft:atlantis-1/0x1/1',
])('an id of a chain that is not served is null: %s', async (text) => {
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
])('an id of a record that is not there is null: %s', async (text) => {
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
    'Account:harbor-1/alice',
    'Account:harbor-1/',
    'NftCollection:harbor-1/..',
    'Nft:harbor-1/0x1',
    'Nft:harbor-1/0x1/',
    'Nft:harbor-1//1',
    'Nft:harbor-1/0x1/a\u0000',
  ].map(idOf),
])('an id that was never given is refused before anything is asked (%#)', async (id) => {
  const { data, errors, sent } = await world.trace('query ($id: ID!) { node(id: $id) { id } }', {
    id,
  })
  expect(data).toEqual({ node: null })
  expect(errors?.map(({ extensions }) => extensions?.code)).toEqual(['BAD_USER_INPUT'])
  expect(sent).toEqual([])
})

test('more ids than allowed are an error, not fewer nodes', async () => {
  const ids = (count: number) => Array(count).fill(idOf('Chain:harbor-1'))
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }'
  expect((await world.data(query, { ids: ids(100) })).nodes).toHaveLength(100)
  const [error] = await world.errors(query, { ids: ids(101) })
  expect(error?.extensions?.code).toBe('BAD_USER_INPUT')
})

test('an NFT whose id holds slashes, spaces and signs keeps its node id', async () => {
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

test('a collection and an account have the same id however their address was written', async () => {
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
  for (const spelling of [
    bech32Address,
    bech32Address.toUpperCase(),
    `0x${address.slice(2).toUpperCase()}`,
  ]) {
    const again = await world.data(
      `query ($a: Address!) { chain(chainId: "${chainIds.WASM}") { nftCollection(address: $a) { id } } }`,
      { a: spelling },
    )
    expect(again.chain.nftCollection.id).toBe(chain.nftCollection.id)
  }
})
