import { expect, test } from 'vitest'
import { createWorld } from '../../../../../packages/sandbox/src/world/world.ts'
import { addressOn, startRouterWorld } from '../../../../support/routerWorld.ts'
import { type Data, youngChains } from '../../../../support/world.ts'

const waiting = `query ($minHeight: UInt53!) {
  chain(chainId: "galley-1", minHeight: $minHeight) {
    block(height: $minHeight) { height }
    blocks(first: 1) { nodes { height } }
  }
}`

const block = (height: number) => ({ block: { height }, blocks: { nodes: [{ height }] } })

test('fields under minHeight wait until the indexer has it', async () => {
  await using world = await startRouterWorld()
  let answer: unknown
  void world.data(waiting, { minHeight: 62 }).then((data) => {
    answer = data.chain
  })
  await world.clock.advance(3_999)
  expect(answer).toBeUndefined()
  await world.clock.advance(1_001)
  for (let i = 0; answer === undefined && i < 100; i += 1) await world.clock.advance(0)
  expect(answer).toEqual(block(62))
  world.sandbox.requests.length = 0
  await world.clock.advance(20_000)
  expect(world.sandbox.requests).toEqual([])
})

test('a minHeight that the indexer has takes one request and no wait', async () => {
  await using world = await startRouterWorld()
  const data = await world.data(waiting, { minHeight: 60 })
  expect(data.chain).toEqual(block(60))
  expect(world.sandbox.requests.filter((line) => line.includes('/status'))).toHaveLength(1)
})

test('a minHeight not reached in time is an error with a code', async () => {
  await using world = await startRouterWorld()
  const answer = world.ask(waiting, { minHeight: 500 })
  for (let i = 0; i < 12; i += 1) await world.clock.advance(1_000)
  const { data, errors } = await answer
  expect(data?.chain).toEqual({ block: null, blocks: null })
  expect(errors).toHaveLength(2)
  for (const { extensions } of errors ?? []) {
    expect(extensions).toMatchObject({
      ...{ code: 'UPSTREAM_TIMEOUT', reason: 'HEIGHT_NOT_REACHED', service: 'galley-1' },
    })
  }
  expect(world.poller.inFlight).toBe(0)
})

test('freshness is the height and timestamp of the newest block', async () => {
  await using world = await startRouterWorld()
  const { chain } = await world.data(`{ chain(chainId: "galley-1") {
    freshness { height timestamp ageSeconds }
    block(height: 60) { timestamp }
  } }`)
  expect(chain.freshness).toMatchObject({ height: 60, timestamp: chain.block.timestamp })
  expect(chain.freshness.ageSeconds).toBeTypeOf('number')
})

const statusRequests = (requests: readonly string[]) => requests.filter((line) => line.includes('/status')).length

const everyList = `query ($h: UInt53!, $a: Address!, $c: Address!, $d: Denom!, $x: Hash!) {
  chain(chainId: "galley-1", minHeight: $h) {
    block(height: $h) { height chain { latestBlock { height } } }
    latestBlock { height }
    blocks(first: 1) { indexedHeight nodes { height } }
    transaction(hash: $x) { hash }
    transactions(first: 1) { nodes { hash } }
    evmTransaction(hash: $x) { hash }
    evmTransactions(first: 1) { nodes { hash } }
    evmInternalTransactions(first: 1) { nodes { index } }
    nft(collection: $c, tokenId: "1") { tokenId }
    nftCollection(address: $c) { address nfts(first: 1) { nodes { tokenId } } }
    nftCollections(first: 1) { nodes { address } }
    richList(denom: $d, first: 1) { nodes { amount } }
    status { height }
    freshness { height }
    account(address: $a) {
      transactions(first: 1) { nodes { hash } }
      evmTransactions(first: 1) { nodes { hash } }
      evmInternalTransactions(first: 1) { nodes { index } }
      nfts(first: 1) { nodes { tokenId } }
      nftCollections(first: 1) { nodes { address } }
    }
  }
  account(address: $a, minHeights: [{ chainId: "galley-1", height: $h }]) {
    chainAccounts { chain { chainId latestBlock { height } } transactions(first: 1) { nodes { hash } } }
    activity(first: 1, filter: { chainIds: ["galley-1"] }) {
      edges { chain { latestBlock { height } } } unavailableChains { chainId }
    }
    nfts(first: 1) { unavailableChains { chainId } }
  }
}`

test('all lists under minHeight wait for it, with one shared poll', async () => {
  await using world = await startRouterWorld()
  const { chain } = await world.data(`{ chain(chainId: "galley-1") {
    nftCollections(first: 1) { nodes { address } } transactions(first: 1) { nodes { hash } } } }`)
  const [{ address }] = chain.nftCollections.nodes
  const [{ hash }] = chain.transactions.nodes
  const galley = youngChains(60).find(({ chainId }) => chainId === 'galley-1')
  const token = galley && createWorld(galley, 'portolan', Date.now).fixtures.token.hex
  world.sandbox.requests.length = 0
  const answer = world.ask(everyList, { h: 62, a: address, c: address, d: token, x: hash })
  await world.clock.advance(3_999)
  // Nothing of the chain is read before it has the height.
  const early = world.sandbox.requests.filter((line) => line.startsWith('galley-1'))
  expect(early.every((line) => /\/status|\/indexer\/block\/v1\/blocks/.test(line))).toBe(true)
  expect(statusRequests(early)).toBe(1)
  await world.clock.advance(1_001)
  const { data, errors } = await answer
  expect(errors).toBeUndefined()
  expect(data?.chain).toMatchObject({
    block: { height: 62, chain: { latestBlock: { height: 62 } } },
    latestBlock: { height: 62 },
    blocks: { indexedHeight: 62, nodes: [{ height: 62 }] },
    status: { height: 62 },
    freshness: { height: 62 },
  })
  const { chainAccounts, activity, nfts } = data?.account ?? {}
  const entered = chainAccounts.find(({ chain: of }: Data) => of.chainId === 'galley-1')
  expect(entered.chain.latestBlock).toEqual({ height: 62 })
  expect(activity.unavailableChains).toEqual([])
  for (const edge of activity.edges) expect(edge.chain.latestBlock).toEqual({ height: 62 })
  expect(nfts).toEqual({ unavailableChains: [] })
})

test('a chain with minHeight does not share reads with the same chain without', async () => {
  await using world = await startRouterWorld()
  const newest = 'blocks(first: 1) { nodes { height } } latestBlock { height }'
  const document = `query ($h: UInt53) {
    before: chain(chainId: "galley-1") { ${newest} }
    at: chain(chainId: "galley-1", minHeight: $h) { ${newest} }
    after: chain(chainId: "galley-1") { ${newest} }
  }`
  const of = (height: number) => ({ blocks: { nodes: [{ height }] }, latestBlock: { height } })
  const answer = world.ask(document, { h: 61 })
  await world.clock.advance(3_000)
  const { data } = await answer
  expect(data).toEqual({ before: of(60), at: of(61), after: of(60) })
})

test('fields that do not depend on heights do not wait', async () => {
  await using world = await startRouterWorld()
  const { chain, account } = await world.data(`{
    chain(chainId: "galley-1", minHeight: 500) { prettyName bech32Prefix
      account(address: "0x0000000000000000000000000000000000000001") { address bech32Address } }
    account(address: "0x1", minHeights: [{ chainId: "galley-1", height: 500 }]) {
      chainAccounts { address } }
  }`)
  expect(chain.account.address).toBe('0x0000000000000000000000000000000000000001')
  expect(chain.prettyName).toBeTypeOf('string')
  expect(account.chainAccounts).toHaveLength(3)
})

test('a minHeight not reached fails its fields, and is in unavailableChains of lists', async () => {
  await using world = await startRouterWorld()
  const answer = world.ask(`{
    late: chain(chainId: "galley-1", minHeight: 500) {
      chainId
      transactions(first: 1) { nodes { hash } }
    }
    chain(chainId: "galley-1") { transactions(first: 1) { nodes { height } } }
    account(address: "0x1", minHeights: [
      { chainId: "galley-1", height: 500 }, { chainId: "galley-1", height: 1 }
    ]) {
      activity(first: 5) {
        unavailableChains { chainId chain { prettyName } code message }
        pageInfo { hasNextPage }
      }
    }
  }`)
  for (let i = 0; i < 12; i += 1) await world.clock.advance(1_000)
  const { data, errors } = await answer
  expect(data?.late).toEqual({ chainId: 'galley-1', transactions: null })
  expect(data?.chain).toMatchObject({ transactions: { nodes: [{ height: 60 }] } })
  expect(errors).toHaveLength(1)
  expect(errors?.[0]?.path).toEqual(['late', 'transactions'])
  expect(data?.account.activity).toEqual({
    unavailableChains: [
      {
        chainId: 'galley-1',
        chain: { prettyName: 'Galley' },
        code: 'UPSTREAM_TIMEOUT',
        message: expect.stringContaining('has not reached 500'),
      },
    ],
    pageInfo: { hasNextPage: true },
  })
})

test('minHeight of a chain without an indexer is refused', async () => {
  await using world = await startRouterWorld()
  for (const document of [
    '{ account(address: "0x1", minHeights: [{ chainId: "nowhere-1", height: 1 }]) { hexAddress } }',
    '{ chain(chainId: "osmosis-1", minHeight: 1) { chainId } }',
  ]) {
    expect(await world.fault(document)).toEqual(['BAD_USER_INPUT'])
  }
})

test('indexedHeight is the height of a list, and takes one request per chain', async () => {
  await using world = await startRouterWorld()
  const list = 'indexedHeight nodes { height }'
  const { chain } = await world.data(`{ chain(chainId: "galley-1") {
    transactions(first: 1) { ${list} } blocks(first: 1) { ${list} }
  } }`)
  for (const { indexedHeight, nodes } of [chain.transactions, chain.blocks]) {
    expect(indexedHeight).toBe(60)
    expect(nodes[0].height).toBe(60)
  }
  expect(statusRequests(world.sandbox.requests)).toBe(1)
  // It is read before the list, which is therefore at least as new.
  expect(world.sandbox.requests[0]).toContain('/status')
  world.sandbox.faults.set('galley-1', '/status', { kind: 'status', status: 500 })
  const answer = await world.ask(`{ chain(chainId: "galley-1") { blocks(first: 1) { ${list} } } }`)
  expect(answer.data?.chain.blocks).toEqual({ indexedHeight: null, nodes: [{ height: 60 }] })
  expect(answer.errors?.map(({ path }) => path?.join('.'))).toEqual(['chain.blocks.indexedHeight'])
})

test('indexedHeights has the height of each chain in lists over several chains', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('lantern-1', '/status', { kind: 'status', status: 500, times: 100 })
  const address = addressOn('harbor-1')
  const list = 'indexedHeights { chainId height } pageInfo { endCursor }'
  const { data, errors } = await world.ask(`{ account(address: "${address}") {
    activity(first: 2) { ${list} } nfts(first: 1) { ${list} }
  } }`)
  const heights = [
    { chainId: 'galley-1', height: 60 },
    { chainId: 'harbor-1', height: 60 },
    { chainId: 'lantern-1', height: null },
  ]
  for (const { indexedHeights } of [data.account.activity, data.account.nfts]) {
    const sorted = indexedHeights.toSorted((a: Data, b: Data) => (a.chainId < b.chainId ? -1 : 1))
    expect(sorted).toEqual(heights)
  }
  expect(errors?.map(({ path }) => path?.slice(0, 3).join('.')).toSorted()).toEqual([
    'account.activity.indexedHeights',
    'account.nfts.indexedHeights',
  ])
  const statuses = () => world.sandbox.requests.splice(0).filter((line) => line.includes('/status'))
  statuses()
  await world.data(`{ account(address: "${address}") {
    activity(first: 2, filter: { chainIds: ["galley-1"] }) { ${list} }
    nfts(first: 1, filter: { chainIds: ["galley-1"] }) { ${list} }
  } }`)
  expect(statuses()).toHaveLength(1)
  await world.data(`{ account(address: "${address}") { activity(first: 2) { pageInfo { endCursor } } } }`)
  expect(statuses()).toEqual([])
})
