import { expect, test } from 'vitest'
import { hashOf, type RouterWorld, startFakeRouter, startRouterWorld } from '../../support/routerWorld.ts'
import type { Data } from '../../support/world.ts'

// What a search says of the hash of a transaction that no indexer has.

const document = `query ($text: String!, $follow: Boolean! = false, $first: Int! = 50) {
  search(text: $text, follow: $follow, first: $first) {
    results { match chain { chainId } node { __typename ... on FollowCandidate {
      chainId hash isLikely answer transfer { state chainId hash } } } }
    hasMore isRouterUnavailable unavailableChains { chainId }
  } }`

const json = (body: unknown) => ({ body: JSON.stringify(body) })
const missing = { status: 404, body: '{"code":5,"message":"not found"}' }

const chain = (chain_id: string, chain_type: string, more: object = {}) => ({ chain_id, chain_type, ...more })
const cosmos = Array.from({ length: 10 }, (_, index) => chain(`cosmos-${index}`, 'cosmos'))
const chains = [
  chain('solana', 'svm'),
  chain('harbor-1', 'cosmos'),
  chain('test-1', 'cosmos', { is_testnet: true }),
  chain('hidden-1', 'cosmos', { hidden: true }),
  chain('1', 'evm'),
  ...cosmos,
  chain('8453', 'evm'),
]

/** A router that knows these chains, and what `statusOf` says of a hash on a chain. */
function startRouter(statusOf: (chainId: string) => { status?: number; body: string } = () => missing) {
  const asked: string[] = []
  const started = startFakeRouter((target) => {
    const { pathname, searchParams } = new URL(target, 'http://a')
    if (pathname === '/v2/info/chains') return json({ chains })
    if (pathname !== '/v2/tx/status') return json({})
    const chainId = searchParams.get('chain_id') ?? ''
    asked.push(`${chainId} ${searchParams.get('tx_hash')}`)
    return statusOf(chainId)
  })
  return { asked, started }
}

const hex = hashOf('00')
const signature = '5'.repeat(88)
const search = async (world: RouterWorld, variables: object): Promise<Data> =>
  (await world.data(document, { ...variables })).search
const idsOf = ({ results }: Data) => results.map(({ node }: Data) => node.chainId)

test('a hash of no indexed chain gives the chains to follow it on, likeliest first', async () => {
  const { asked, started } = startRouter()
  await using router = await started
  await using world = await startRouterWorld({ routerUrl: router.url })
  const found = await search(world, { text: hex })
  const ofCosmos = [...cosmos.map(({ chain_id }) => chain_id), 'harbor-1', 'test-1']
  expect(idsOf(found)).toEqual([...ofCosmos, '1', '8453'])
  expect(found.results[0]).toEqual({
    match: 'POSSIBLE',
    chain: { chainId: 'cosmos-0' },
    node: {
      __typename: 'FollowCandidate',
      ...{ chainId: 'cosmos-0', hash: hex, isLikely: true, answer: 'NOT_ASKED', transfer: null },
    },
  })
  expect(found.results.at(-1).node).toMatchObject({ hash: `0x${hex.toLowerCase()}`, isLikely: false })
  expect(found).toMatchObject({ hasMore: false, isRouterUnavailable: false, unavailableChains: [] })
  expect(asked).toEqual([])
  const few = await search(world, { text: hex.toLowerCase(), first: 3 })
  expect(few).toMatchObject({ hasMore: true })
  expect(idsOf(few)).toEqual(ofCosmos.slice(0, 3))
})

test('the form of a hash says which chains come first', async () => {
  const { started } = startRouter()
  await using router = await started
  await using world = await startRouterWorld({ routerUrl: router.url })
  const prefixed = await search(world, { text: `0x${hex}`, first: 4 })
  expect(prefixed.results.map(({ node }: Data) => node.chainId ?? node.__typename)).toEqual([
    ...['Account', '1', '8453', 'cosmos-0'],
  ])
  expect(prefixed.results.map(({ node }: Data) => node.isLikely)).toEqual([undefined, true, true, false])
  const base58 = await search(world, { text: signature })
  expect(base58.results.map(({ node }: Data) => [node.chainId, node.hash])).toEqual([['solana', signature]])
  expect((await search(world, { text: `${hex}0` })).results).toEqual([])
})

test('with follow, the router is asked on eight chains, and those it knows come first', async () => {
  const { asked, started } = startRouter((chainId) => {
    if (chainId === 'cosmos-2') return { status: 500, body: '{"code":2}' }
    if (chainId === 'cosmos-3') return json({ state: 'STATE_PENDING', transfer_sequence: [] })
    return missing
  })
  await using router = await started
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { results } = await search(world, { text: hex, follow: true })
  const rows = results.map(({ node }: Data) => [node.chainId, node.answer])
  expect(rows.slice(0, 9)).toEqual([
    ['cosmos-3', 'KNOWN'],
    ...[0, 1].map((index) => [`cosmos-${index}`, 'NOT_TRACKED']),
    ['cosmos-2', 'FAILED'],
    ...[4, 5, 6, 7].map((index) => [`cosmos-${index}`, 'NOT_TRACKED']),
    ['cosmos-8', 'NOT_ASKED'],
  ])
  expect(results[0].node.transfer).toEqual({ state: 'PENDING', chainId: 'cosmos-3', hash: hex })
  expect(results[1].node.transfer).toBeNull()
  expect(new Set(asked)).toEqual(new Set(cosmos.slice(0, 8).map(({ chain_id }) => `${chain_id} ${hex}`)))
})

test('a hash with 0x that the router knows is no account', async () => {
  const { started } = startRouter((chainId) => (chainId === '8453' ? json({ state: 'STATE_PENDING' }) : missing))
  await using router = await started
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { results } = await search(world, { text: `0x${hex}`, follow: true })
  expect(results[0].node).toMatchObject({ chainId: '8453', answer: 'KNOWN' })
  expect(results.some(({ node }: Data) => node.__typename === 'Account')).toBe(false)
})

test('an indexed transaction is found as before, and its hash is not asked about', async () => {
  const { asked, started } = startRouter()
  await using router = await started
  await using world = await startRouterWorld({ routerUrl: router.url })
  const { chain } = await world.data('{ chain(chainId: "harbor-1") { transactions(first: 1) { nodes { hash } } } }')
  const { results } = await search(world, { text: chain.transactions.nodes[0].hash, follow: true })
  expect(results.map(({ node }: Data) => node.__typename)).toEqual(['Transaction'])
  expect(asked).toEqual([])
})

test('without a router nothing can be followed, and a router that fails is said to be unavailable', async () => {
  await using bare = await startRouterWorld({ routerUrl: null })
  expect(await search(bare, { text: hex, follow: true })).toMatchObject({ results: [], isRouterUnavailable: false })
  await using router = await startFakeRouter(() => ({ status: 500, body: '{}' }))
  await using world = await startRouterWorld({ routerUrl: router.url })
  expect(await search(world, { text: hex, follow: true })).toMatchObject({ results: [], isRouterUnavailable: true })
})

test('what follow may ask for is in the price', async () => {
  await using world = await startRouterWorld({ limits: { maxCost: 100 } })
  const costOf = async (text: string, follow: boolean) => {
    const [error] = (await world.ask(document, { text, follow })).errors ?? []
    return Number(/costs (\d+) points/.exec(error?.message ?? '')?.[1])
  }
  const cost = await costOf(hex, false)
  expect(cost).toBeGreaterThan(0)
  expect(await costOf(hex, true)).toBe(cost + 8 * 5)
  expect(await costOf('usdc', true)).toBe(await costOf('usdc', false))
})

test('a transfer that a chain without an indexer began is found by its hash', async () => {
  await using world = await startRouterWorld()
  await world.data(
    `mutation ($hash: String!) { trackTransfer(input: { chainId: "osmosis-1", hash: $hash }) { explorerUrl } }`,
    { hash: hex },
  )
  await world.clock.advance(3_000)
  const { results } = await search(world, { text: hex.toLowerCase(), follow: true })
  expect(results[0].node).toMatchObject({ chainId: 'osmosis-1', answer: 'KNOWN', transfer: { state: 'PENDING' } })
})
