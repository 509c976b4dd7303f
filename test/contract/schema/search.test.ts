import { bech32 } from '@scure/base'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { chainIds, type Data, startWorld, testOfPlainRecords, type World, youngChains } from '../../support/world.ts'

const plainTest = testOfPlainRecords()

let world: World

beforeAll(async () => {
  world = await startWorld()
})

afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.sandbox.faults.clear())

const document = `query($text: String!, $first: Int! = 20) { search(text: $text, first: $first) {
  results { chain { chainId } match node {
    __typename
    ... on Block { height }
    ... on Transaction { hash }
    ... on EvmTransaction { evmHash: hash }
    ... on Account { hexAddress }
    ... on NftCollection { address name }
    ... on Chain { chainId }
    ... on Asset { denom symbol }
  } }
  hasMore
  unavailableChains { chainId code }
  isRouterUnavailable
} }`

const search = async (text: string, first = 20): Promise<Data> => (await world.data(document, { text, first })).search

const kindsOf = (found: Data): string[] => found.results.map(({ node }: Data) => node.__typename)

/** The requests of a search, as services. The lists of the router are kept, so they are read before. */
async function sent(text: string): Promise<string[]> {
  await search('osmosis')
  await world.data('{ chains { vm } }')
  return (await world.trace(document, { text })).sent.map((line) => line.split(' ')[0] ?? '').sort()
}

const everyChainOnce = Object.values(chainIds).toSorted()

plainTest('search finds Cosmos and EVM transactions by hash in any form', async () => {
  const { chain } = await world.data(
    `{ chain(chainId: "${chainIds.EVM}") { transactions(first: 20) { nodes { hash evmTransaction { hash } } } } }`,
  )
  const both = chain.transactions.nodes.find(({ evmTransaction }: Data) => evmTransaction)
  const cosmos = await search(both.hash.toLowerCase())
  expect(cosmos.results).toEqual([
    {
      chain: { chainId: chainIds.EVM },
      match: 'EXACT',
      node: { __typename: 'Transaction', hash: both.hash },
    },
  ])
  const evm = await search(both.evmTransaction.hash.slice(2).toUpperCase())
  expect(evm.results).toEqual([
    {
      chain: { chainId: chainIds.EVM },
      match: 'EXACT',
      node: { __typename: 'EvmTransaction', evmHash: both.evmTransaction.hash },
    },
  ])
})

plainTest('a hash with 0x finds a transaction or block, and no account', async () => {
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") {
    transactions(first: 20) { nodes { hash evmTransaction { hash } block { hash } } } } }`)
  const both = chain.transactions.nodes.find(({ evmTransaction }: Data) => evmTransaction)
  expect(both.evmTransaction.hash).toMatch(/^0x/)
  expect(kindsOf(await search(both.evmTransaction.hash))).toEqual(['EvmTransaction'])
  expect(kindsOf(await search(`0x${both.hash}`))).toEqual(['Transaction'])
  expect(kindsOf(await search(`0x${both.block.hash}`))).toEqual(['Block'])
  const unknown = kindsOf(await search(`0x${'9'.repeat(64)}`))
  expect([unknown[0], new Set(unknown.slice(1))]).toEqual(['Account', new Set(['FollowCandidate'])])
})

test('a bech32 address with any prefix is found on all chains', async () => {
  const prefixes = ['move', 'evm', 'wasm']
  const chains = youngChains(60).map((chain, index) => ({
    ...chain,
    bech32Prefix: prefixes[index] ?? '',
  }))
  // A gateway without configured prefixes cannot tell which chain an address is of.
  for (const isBare of [true, false]) {
    await using other = await startWorld({ chains, isBare })
    const { chain } = await other.data(
      `{ chain(chainId: "${chainIds.EVM}") { nftCollections(first: 1) { nodes { address } } } }`,
    )
    const [{ address }] = chain.nftCollections.nodes
    const words = bech32.toWords(Buffer.from(address.slice(2), 'hex'))
    for (const prefix of [...prefixes, 'cosmos']) {
      const found = (await other.data(document, { text: bech32.encode(prefix, words) })).search
      expect(found.unavailableChains).toEqual([])
      expect(kindsOf(found)).toEqual(['Account', 'NftCollection'])
    }
  }
})

test('search for a transaction hash takes one request per chain, and one for EVM', async () => {
  const { chain } = await world.data('{ chain { transactions(first: 1) { nodes { hash } } } }')
  const [{ hash }] = chain.transactions.nodes
  expect(await sent(hash)).toEqual([...everyChainOnce, chainIds.EVM].toSorted())
})

test('search for another hash takes one more request per chain, for blocks', async () => {
  const { block } = await world.rest(chainIds.WASM, '/indexer/block/v1/blocks/33')
  const { results } = await search(block.hash.toLowerCase())
  expect(results).toEqual([
    {
      chain: { chainId: chainIds.WASM },
      match: 'EXACT',
      node: { __typename: 'Block', height: 33 },
    },
  ])
  expect(await sent('9'.repeat(64))).toEqual([...everyChainOnce, ...everyChainOnce, chainIds.EVM].toSorted())
  expect(new Set(kindsOf(await search('9'.repeat(64))))).toEqual(new Set(['FollowCandidate']))
})

plainTest('search for a height finds blocks on all chains with one request each', async () => {
  expect(await sent('17')).toEqual(everyChainOnce)
  const { results } = await search(' 17 ')
  expect(results.map(({ chain, node }: Data) => [chain.chainId, node.height])).toEqual(
    [...Object.values(chainIds)].map((chainId) => [chainId, 17]),
  )
  expect((await search('99999999999999999999')).results).toEqual([])
})

test('search for digits finds an EVM chain id', async () => {
  const { results } = await search('1')
  expect(results.filter(({ node }: Data) => node.__typename === 'Chain')).toEqual([
    { chain: { chainId: '1' }, match: 'EXACT', node: { __typename: 'Chain', chainId: '1' } },
  ])
})

test('search for an address finds the account and the collection', async () => {
  const { chain } = await world.data(
    `{ chain(chainId: "${chainIds.EVM}") { nftCollections(first: 1) { nodes { address name } } } }`,
  )
  const [{ address, name }] = chain.nftCollections.nodes
  expect(await sent(address)).toEqual(everyChainOnce)
  const { results } = await search(address)
  expect((await search(address.slice(2).toUpperCase())).results).toEqual(results)
  expect(results).toEqual([
    {
      chain: null,
      match: 'EXACT',
      node: { __typename: 'Account', hexAddress: address },
    },
    {
      chain: { chainId: chainIds.EVM },
      match: 'EXACT',
      node: { __typename: 'NftCollection', address, name },
    },
  ])
})

test('search finds collections by part of their name, exact ones first', async () => {
  const { chains } = await world.data('{ chains { chainId nftCollections(first: 100) { nodes { name } } } }')
  const names: string[] = chains.flatMap(({ nftCollections }: Data) =>
    nftCollections.nodes.map(({ name }: Data) => name),
  )
  const [name = ''] = names
  expect(await sent(name)).toEqual(everyChainOnce)
  const whole = await search(name.toUpperCase())
  expect(whole.results[0]).toMatchObject({ match: 'EXACT', node: { name } })
  const part = await search(name.slice(1, 5))
  const ranks = part.results.map(({ match }: Data) => ['EXACT', 'PREFIX', 'PART'].indexOf(match))
  expect(ranks).toEqual(ranks.toSorted())
  expect(part.results.map(({ node }: Data) => node.name)).toContain(name)
})

test('search finds chains and assets, exact symbols first', async () => {
  const { results } = await search('USDC', 50)
  const assets = results.filter(({ node }: Data) => node.__typename === 'Asset')
  expect(assets.length).toBeGreaterThan(1)
  expect(assets[0]).toMatchObject({ match: 'EXACT', node: { symbol: 'USDC' } })
  const chains = await search('osmo')
  expect(chains.results).toContainEqual({
    chain: { chainId: 'osmosis-1' },
    match: 'PREFIX',
    node: { __typename: 'Chain', chainId: 'osmosis-1' },
  })
  expect((await search('OSMOSIS-1')).results[0]).toMatchObject({
    match: 'EXACT',
    node: { __typename: 'Chain' },
  })
})

test('search lists an original asset before bridged ones', async () => {
  const { results } = await search('LANT')
  const assets = results.filter(({ node }: Data) => node.__typename === 'Asset')
  expect(assets[0]).toMatchObject({ chain: { chainId: chainIds.WASM }, node: { denom: 'ulant' } })
  expect(assets.length).toBeGreaterThan(1)
})

test('search ranks exact matches before prefixes and parts', async () => {
  const { results } = await search('osmo', 50)
  const ranks = results.map(({ match }: Data) => ['EXACT', 'PREFIX', 'PART'].indexOf(match))
  expect(new Set(ranks).size).toBeGreaterThan(1)
  expect(ranks).toEqual(ranks.toSorted())
})

test('search finds a height with commas', async () => {
  const { results } = await search('1,041')
  const plain = await search('1041')
  expect(results).toEqual(plain.results)
  expect(await sent('1,041')).toEqual(await sent('1041'))
})

test('search for a denom sends no request to indexers', async () => {
  const { assets } = await world.data('{ assets(first: 100) { nodes { chainId denom } } }')
  const ibc = assets.nodes.find(({ denom }: Data) => denom.startsWith('ibc/'))
  expect(await sent(ibc.denom)).toEqual([])
  const found = await search(ibc.denom)
  expect(new Set(kindsOf(found))).toEqual(new Set(['Asset']))
  expect(found.results[0]).toMatchObject({ match: 'EXACT', node: { denom: ibc.denom } })
})

test('search lists a chain that fails as unavailable', async () => {
  world.sandbox.faults.set(chainIds.MOVE, '/indexer', { kind: 'status', status: 500 })
  // A height that no other test reads, since blocks are kept.
  const found = await search('23')
  expect(found.unavailableChains).toEqual([{ chainId: chainIds.MOVE, code: 'UPSTREAM_UNAVAILABLE' }])
  expect(found.results.map(({ chain }: Data) => chain.chainId).toSorted()).toEqual(
    everyChainOnce.filter((chainId) => chainId !== chainIds.MOVE),
  )
})

test('search shows that the router is unavailable', async () => {
  await using other = await startWorld()
  other.sandbox.faults.set('router', '/', { kind: 'status', status: 500 })
  const found = (await other.data(document, { text: chainIds.MOVE })).search
  expect(found.isRouterUnavailable).toBe(true)
  expect(found.results[0]).toMatchObject({
    match: 'EXACT',
    node: { __typename: 'Chain', chainId: chainIds.MOVE },
  })
})

test('search works without a router', async () => {
  await using bare = await startWorld({ isBare: true })
  const found = (await bare.data(document, { text: 'harbor' })).search
  expect(found.isRouterUnavailable).toBe(false)
  expect(found.results[0]?.node).toEqual({ __typename: 'Chain', chainId: 'harbor-1' })
})

test('search returns at most first results, and refuses invalid arguments', async () => {
  const found = await search('u', 3)
  expect(found.results).toHaveLength(3)
  expect(found.hasMore).toBe(true)
  for (const variables of [
    { text: '  ' },
    { text: 'x'.repeat(257) },
    { text: 'usdc', first: 51 },
    { text: 'usdc', first: -1 },
  ]) {
    const [error] = await world.errors(document, variables)
    expect(error?.extensions?.code).toBe('BAD_USER_INPUT')
  }
})

test.each(['0x77fe0c22', 'init1wllq…azg3'])('the cut address %s finds nothing', async (text) => {
  expect((await search(text)).results).toEqual([])
})

test('a special address of Move is found by its short hex', async () => {
  const { results } = await search('0x1')
  expect(results).toContainEqual({
    chain: null,
    match: 'EXACT',
    node: { __typename: 'Account', hexAddress: `0x${'1'.padStart(40, '0')}` },
  })
})

plainTest('a link to an explorer finds what the hash in it finds', async () => {
  const { chain } = await world.data(
    `{ chain(chainId: "${chainIds.EVM}") { transactions(first: 1) { nodes { hash } } } }`,
  )
  const [{ hash }] = chain.transactions.nodes
  const found = await search(`https://explorer.example/${chainIds.EVM}/txs/${hash}?from=${'a'.repeat(300)}`)
  expect(found.results).toHaveLength(1)
  expect(found.results[0]).toMatchObject({ match: 'EXACT', node: { __typename: 'Transaction', hash } })
})

plainTest(
  'a chain and a height find that block alone, by the id of the chain, its name, or the beginning of it',
  async () => {
    const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") { prettyName latestBlock { height } } }`)
    const height = chain.latestBlock.height - 1
    const block = (match: string) => ({
      chain: { chainId: chainIds.EVM },
      match,
      node: { __typename: 'Block', height },
    })
    for (const text of [`${chainIds.EVM}/${height}`, `${chain.prettyName} #${height.toLocaleString('en-US')}`])
      expect((await search(text)).results, text).toEqual([block('EXACT')])
    const cut = chain.prettyName.slice(0, 4)
    expect((await search(`${cut} ${height}`)).results).toContainEqual(block('PREFIX'))
    expect((await search(`nowhere ${height}`)).results).toEqual([])
  },
)
