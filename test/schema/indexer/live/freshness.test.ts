import { expect, test } from 'vitest'
import { createWorld } from '../../../../src/sandbox/world/world.ts'
import { addressOn, startRouterWorld } from '../../../support/routerWorld.ts'
import { type Data, youngChains } from '../../../support/world.ts'

const waiting = `query ($minHeight: UInt53!) {
  chain(chainId: "galley-1") { chainId indexed(minHeight: $minHeight) {
    block(height: $minHeight) { height }
    blocks(first: 1) { nodes { height } }
  } }
}`

const block = (height: number) => ({ block: { height }, blocks: { nodes: [{ height }] } })

test('fields below a height wait until the indexer has it', async () => {
  await using world = await startRouterWorld()
  let answer: unknown
  void world.data(waiting, { minHeight: 62 }).then((data) => {
    answer = data.chain.indexed
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

test('a height that the indexer has costs one request, and no wait', async () => {
  await using world = await startRouterWorld()
  const data = await world.data(waiting, { minHeight: 60 })
  expect(data.chain.indexed).toEqual(block(60))
  expect(world.sandbox.requests.filter((line) => line.includes('/status'))).toHaveLength(1)
})

test('a height that does not come in time is an error with a code', async () => {
  await using world = await startRouterWorld()
  const answer = world.ask(waiting, { minHeight: 500 })
  for (let i = 0; i < 12; i += 1) await world.clock.advance(1_000)
  const { data, errors } = await answer
  expect(data?.chain).toEqual({ chainId: 'galley-1', indexed: null })
  expect(errors?.[0]?.originalError).toMatchObject({
    ...{ code: 'UPSTREAM_TIMEOUT', reason: 'HEIGHT_NOT_REACHED', service: 'galley-1' },
  })
  expect(world.poller.inFlight).toBe(0)
})

test('the freshness of an indexer is the age of its newest block', async () => {
  await using world = await startRouterWorld()
  const { chain } = await world.data(`{ chain(chainId: "galley-1") {
    freshness { height timestamp ageMs }
    block(height: 60) { timestamp }
  } }`)
  expect(chain.freshness).toMatchObject({ height: 60, timestamp: chain.block.timestamp })
  expect(chain.freshness.ageMs).toBeTypeOf('number')
})

const statusRequests = (requests: readonly string[]) =>
  requests.filter((line) => line.includes('/status')).length

test('each look-up and list can wait by itself, and those of one chain share the wait', async () => {
  await using world = await startRouterWorld()
  const { chain } = await world.data(`{ chain(chainId: "galley-1") {
    nftCollections(first: 1) { nodes { address } } } }`)
  const document = `query ($h: UInt53!, $a: Address!, $c: Address!, $d: Denom!, $x: Hash!) {
    chain(chainId: "galley-1") {
      block(height: $h, minHeight: $h) { height }
      latestBlock(minHeight: $h) { height }
      blocks(first: 1, minHeight: $h) { indexedHeight nodes { height } }
      transaction(hash: $x, minHeight: $h) { hash }
      transactions(first: 1, minHeight: $h) { nodes { hash } }
      evmTransaction(hash: $x, minHeight: $h) { hash }
      evmTransactions(first: 1, minHeight: $h) { nodes { hash } }
      evmInternalTransactions(first: 1, minHeight: $h) { nodes { index } }
      nft(collection: $c, tokenId: "1", minHeight: $h) { tokenId }
      nftCollection(address: $c, minHeight: $h) { address nfts(first: 1, minHeight: $h) { nodes { tokenId } } }
      nftCollections(first: 1, minHeight: $h) { nodes { address } }
      richList(denom: $d, first: 1, minHeight: $h) { nodes { amount } }
      account(address: $a) {
        transactions(first: 1, minHeight: $h) { nodes { hash } }
        evmTransactions(first: 1, minHeight: $h) { nodes { hash } }
        evmInternalTransactions(first: 1, minHeight: $h) { nodes { index } }
        nfts(first: 1, minHeight: $h) { nodes { tokenId } }
        nftCollections(first: 1, minHeight: $h) { nodes { address } }
      }
    }
    account(address: $a) {
      activity(first: 1, minHeights: [{ chainId: "galley-1", height: $h }]) { unavailableChains { chainId } }
      nfts(first: 1, minHeights: [{ chainId: "galley-1", height: $h }]) { unavailableChains { chainId } }
    }
  }`
  const [{ address }] = chain.nftCollections.nodes
  const galley = youngChains(60).find(({ chainId }) => chainId === 'galley-1')
  const token = galley && createWorld(galley, 'portolan', Date.now).fixtures.token.hex
  world.sandbox.requests.length = 0
  const answer = world.ask(document, { h: 62, a: address, c: address, d: token, x: 'a'.repeat(64) })
  await world.clock.advance(3_999)
  // Nothing of the chain is read before it has the height.
  const early = world.sandbox.requests.filter((line) => line.startsWith('galley-1'))
  expect(early.every((line) => /\/status|\/indexer\/block\/v1\/blocks/.test(line))).toBe(true)
  expect(statusRequests(early)).toBe(1)
  await world.clock.advance(1_001)
  const { data, errors } = await answer
  expect(errors).toBeUndefined()
  expect(data?.chain).toMatchObject({
    block: { height: 62 },
    latestBlock: { height: 62 },
    blocks: { indexedHeight: 62, nodes: [{ height: 62 }] },
  })
  expect(data?.account).toEqual({
    activity: { unavailableChains: [] },
    nfts: { unavailableChains: [] },
  })
})

test('a wait that is in vain fails its own field, and names the chain of a list over several', async () => {
  await using world = await startRouterWorld()
  const answer = world.ask(`{
    chain(chainId: "galley-1") {
      late: transactions(first: 1, minHeight: 500) { nodes { hash } }
      transactions(first: 1) { nodes { height } }
    }
    account(address: "0x0000000000000000000000000000000000000001") {
      activity(first: 5, minHeights: [{ chainId: "galley-1", height: 500 }]) {
        unavailableChains { chainId code message }
        pageInfo { hasNextPage }
      }
    }
  }`)
  for (let i = 0; i < 12; i += 1) await world.clock.advance(1_000)
  const { data, errors } = await answer
  expect(data?.chain).toMatchObject({ late: null, transactions: { nodes: [{ height: 60 }] } })
  expect(errors).toHaveLength(1)
  expect(errors?.[0]?.path).toEqual(['chain', 'late'])
  expect(data?.account.activity).toEqual({
    unavailableChains: [
      {
        chainId: 'galley-1',
        code: 'UPSTREAM_TIMEOUT',
        message: expect.stringContaining('has not reached 500'),
      },
    ],
    pageInfo: { hasNextPage: true },
  })
})

test('a height of a chain that is not in the list is refused', async () => {
  await using world = await startRouterWorld()
  const of = (args: string) =>
    world.fault(`{ account(address: "0x1") { activity(${args}) { nodes { hash } } } }`)
  for (const args of [
    'minHeights: [{ chainId: "nowhere-1", height: 1 }]',
    'filter: { chains: ["harbor-1"] }, minHeights: [{ chainId: "galley-1", height: 1 }]',
  ])
    expect(await of(args)).toEqual(['BAD_USER_INPUT'])
})

test('a list tells the height that it is good for, and lists of a chain share the request', async () => {
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

test('lists over several chains tell the height that each chain was read at', async () => {
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
    activity(first: 2, filter: { chains: ["galley-1"] }) { ${list} }
    nfts(first: 1, filter: { chains: ["galley-1"] }) { ${list} }
  } }`)
  expect(statuses()).toHaveLength(1)
  await world.data(
    `{ account(address: "${address}") { activity(first: 2) { pageInfo { endCursor } } } }`,
  )
  expect(statuses()).toEqual([])
})
