import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { chainIds, type Data, startWorld, type World } from '../../../support/world.ts'

let world: World
let both: { cosmos: string; evm: string; height: number; timestamp: string }

beforeAll(async () => {
  world = await startWorld()
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") { transactions(first: 20, order: ASC) {
    nodes { hash height timestamp evmTransaction { hash } } } } }`)
  const found = chain.transactions.nodes.find(({ evmTransaction }: Data) => evmTransaction)
  const { hash, height, timestamp, evmTransaction } = found
  both = { cosmos: hash, evm: evmTransaction.hash, height, timestamp }
})

afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.sandbox.faults.clear())

const document = `query($hash: Hash!, $chainId: ChainId) { transaction(hash: $hash, chainId: $chainId) {
  __typename chain { chainId } hash height timestamp } }`

/** A gateway that has cached nothing. */
const withFreshWorld = async (run: (fresh: World) => Promise<void>) => {
  const fresh = await startWorld()
  try {
    await run(fresh)
  } finally {
    await fresh[Symbol.asyncDispose]()
  }
}

test('transaction finds Cosmos and EVM hashes in any form on any chain', async () => {
  const { cosmos, evm, height, timestamp } = both
  const wholeSeconds = timestamp.replace(/\.\d+/, '')
  const common = { chain: { chainId: chainIds.EVM }, height, timestamp }
  for (const hash of [cosmos, cosmos.toLowerCase(), `0x${cosmos}`]) {
    const { transaction } = await world.data(document, { hash })
    expect(transaction).toEqual({ __typename: 'Transaction', hash: cosmos, ...common })
  }
  for (const hash of [evm, evm.slice(2).toUpperCase()]) {
    const { transaction } = await world.data(document, { hash })
    expect(transaction).toEqual({
      __typename: 'EvmTransaction',
      hash: evm,
      ...common,
      timestamp: wholeSeconds,
    })
  }
  // It does not depend on the way to it, so that a client's cache keeps one.
  const { chain } = await world.data(`{ chain(chainId: "${chainIds.EVM}") { transaction(hash: "${cosmos}") {
    evmTransaction { timestamp } } } }`)
  expect(chain.transaction.evmTransaction.timestamp).toBe(wholeSeconds)
})

test('a chain that fails is an error only if no other has the transaction', async () => {
  world.sandbox.faults.set(chainIds.WASM, '/', { kind: 'status', status: 500 })
  const { transaction } = await world.data(document, { hash: both.cosmos })
  expect(transaction.hash).toBe(both.cosmos)
  const { data, errors } = await world.ask(document, { hash: '9'.repeat(64) })
  expect(data).toEqual({ transaction: null })
  expect(errors).toMatchObject([
    { path: ['transaction'], extensions: { service: chainIds.WASM, code: 'UPSTREAM_UNAVAILABLE' } },
  ])
})

test('an unknown hash is null', async () => {
  expect(await world.data(document, { hash: '9'.repeat(64) })).toEqual({ transaction: null })
  expect(await world.data(document, { hash: both.cosmos, chainId: chainIds.MOVE })).toEqual({
    transaction: null,
  })
})

test('a hash found before is requested from its chain only', () =>
  withFreshWorld(async (fresh) => {
    const first = await fresh.trace(document, { hash: both.cosmos })
    expect(new Set(first.sent.map((line) => line.split(' ')[0]))).toEqual(new Set(Object.values(chainIds)))
    const again = await fresh.trace(document, { hash: both.cosmos.toLowerCase() })
    expect(again.data).toEqual(first.data)
    expect(again.sent.filter((line) => !line.startsWith(chainIds.EVM))).toEqual([])
  }))

test('block, nft and nftCollection are the same at the root and on the chain', async () => {
  const chainId = chainIds.MOVE
  const { chain } = await world.data(
    `{ chain(chainId: "${chainId}") { block(height: 20) { hash } nftCollections(first: 1) { nodes { address name
       nfts(first: 1) { nodes { tokenId uri } } } } } }`,
  )
  const [{ nfts, ...collection }] = chain.nftCollections.nodes
  const [nft] = nfts.nodes
  const found = await world.data(
    `query($chainId: ChainId!, $address: Address!, $tokenId: String!) {
      block(chainId: $chainId, height: 20) { hash }
      nftCollection(chainId: $chainId, address: $address) { address name }
      nft(chainId: $chainId, collection: $address, tokenId: $tokenId) { tokenId uri } }`,
    { chainId, address: collection.address, tokenId: nft.tokenId },
  )
  expect(found).toEqual({ block: chain.block, nftCollection: collection, nft })
})

test('timestamps of EVM transactions take one request, and none below a block', () =>
  withFreshWorld(async (fresh) => {
    const chain = `chain(chainId: "${chainIds.EVM}")`
    await fresh.data(`{ ${chain} { vm } }`)
    const list = await fresh.trace(
      `{ ${chain} { evmTransactions(first: 10) { nodes { timestamp height block { timestamp } } } } }`,
    )
    expect(list.sent).toHaveLength(2)
    for (const { timestamp, block } of list.data.chain.evmTransactions.nodes) expect(timestamp).toBe(block.timestamp)
    const below = await fresh.trace(`{ ${chain} { block(height: ${both.height}) { timestamp
      evmTransactions { nodes { timestamp internalTransactions { nodes { timestamp } } } }
      evmInternalTransactions { nodes { timestamp } } } } }`)
    const { block } = below.data.chain
    const times = new Set(
      block.evmTransactions.nodes.flatMap(({ timestamp, internalTransactions }: Data) => [
        timestamp,
        ...internalTransactions.nodes.map((call: Data) => call.timestamp),
      ]),
    )
    expect(times).toEqual(new Set([block.timestamp]))
    expect(below.sent.filter((line) => line.includes('/indexer/block/'))).toHaveLength(1)
  }))
