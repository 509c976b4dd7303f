import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { chainIds, type Data, now, startWorld, type World, youngChains } from '../../../support/world.ts'

// The indexer of a chain without blocks has empty lists, and its status is a 500.

const young = chainIds.WASM
const address = 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3'

let world: World
beforeAll(async () => {
  const chains = youngChains(60).map((chain) => (chain.chainId === young ? { ...chain, genesis: now + 60_000 } : chain))
  world = await startWorld({ chains })
})
afterAll(() => world[Symbol.asyncDispose]())
beforeEach(() => world.sandbox.faults.clear())

const heights = `indexedHeights { chainId height }`
const document = `{
  account(address: "${address}") {
    activity(first: 5) { ${heights} nodes { hash } unavailableChains { chainId } }
    nfts(first: 5) { ${heights} unavailableChains { chainId } }
  }
  chain(chainId: "${young}") {
    blocks { indexedHeight nodes { hash } }
    transactions { indexedHeight nodes { hash } }
  }
}`

test('an empty chain has no height, and no errors in lists over several chains', async () => {
  expect(await world.rest(chainIds.MOVE, '/status')).toHaveProperty('height', 60)
  await expect(world.rest(young, '/status')).rejects.toThrow('500')
  const { account, chain } = await world.data(document)
  for (const list of [account.activity, account.nfts]) {
    expect(list.unavailableChains).toEqual([])
    const byChain = list.indexedHeights.map(({ chainId, height }: Data) => [chainId, height])
    expect(Object.fromEntries(byChain)).toEqual({
      [chainIds.MOVE]: 60,
      [chainIds.EVM]: 60,
      [young]: null,
    })
  }
  const empty = { indexedHeight: null, nodes: [] }
  expect(chain).toEqual({ blocks: empty, transactions: empty })
})

test('a failed status of a chain with blocks is an error', async () => {
  world.sandbox.faults.set(chainIds.EVM, '/status', { kind: 'status', status: 500 })
  const errors = await world.errors(`{ account(address: "${address}") { activity(first: 5) { ${heights} } } }`)
  expect(errors.map(({ path, extensions }) => [path?.at(-1), extensions?.code])).toEqual([
    ['height', 'UPSTREAM_UNAVAILABLE'],
  ])
  expect(errors[0]?.extensions?.service).toBe(chainIds.EVM)
})

test('failed status and lists are errors, even on an empty chain', async () => {
  world.sandbox.faults.set(young, '/', { kind: 'status', status: 500 })
  const errors = await world.errors(`{ chain(chainId: "${young}") { status { height } blocks { indexedHeight } } }`)
  expect(errors.map(({ path }) => path?.at(-1)).toSorted()).toEqual(['blocks', 'status'])
  const { data } = await world.ask(
    `{ account(address: "${address}") { activity(first: 5) { ${heights} unavailableChains { chainId } } } }`,
  )
  expect(data.account.activity.unavailableChains).toEqual([{ chainId: young }])
})
