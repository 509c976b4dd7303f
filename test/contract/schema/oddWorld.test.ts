import { getNamedType } from 'graphql'
import { afterAll, describe, expect, test } from 'vitest'
import { documentOf, type List, listsOf, sizeFor, upstreamOf } from '../../support/connectionLists.ts'
import { fullSelection } from '../../support/fullSelection.ts'
import { schema } from '../../support/graph.ts'
import { chainIds, type Data, type ErrorAnswer, everyChain, now, startWorld } from '../../support/world.ts'

// The whole graph over services that are as odd as real ones can be.

const limits = { maxCost: 10_000_000 }
const world = await startWorld({ odd: true, limits })
afterAll(() => world[Symbol.asyncDispose]())

// Both worlds have the same chains, accounts and contracts. The plain one says where to look.
const plain = await startWorld()
const lists = (await Promise.all(everyChain.map(({ chainId }) => listsOf(plain, chainId))))
  .flat()
  // This one is burnt now.
  .filter(({ chainId, path: [first = ''] }) => chainId !== chainIds.WASM || !/^nft\(/.test(first))
await plain[Symbol.asyncDispose]()

/** Errors that say that one record, or one value of it, cannot be read. */
const oddCodes = ['UPSTREAM_INVALID_RESPONSE', 'UPSTREAM_REJECTED']

function expectOdd(errors: readonly ErrorAnswer[] = []) {
  for (const { message, path, extensions } of errors) {
    const place = path?.join('.') ?? ''
    if (/balances\.\d+\.amount$/.test(place)) {
      // The router says which balances it could not read.
      expect(extensions).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', service: 'router' })
      continue
    }
    expect(oddCodes, `${message} at ${place}`).toContain(extensions?.code)
  }
}

interface Edge {
  readonly cursor: string
  readonly node: Data
}

/** All edges of a list, page by page, and the errors beside them. */
async function walk(list: List, size: number, order: string, isForwards: boolean) {
  const document = documentOf(
    list,
    `edges { cursor node { __typename ${list.select} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }`,
  )
  const edges: Edge[] = []
  let unreadable = 0
  let cursor: string | null = null
  for (;;) {
    const paging = isForwards ? { first: size, after: cursor } : { last: size, before: cursor }
    const { data, errors = [] } = await world.ask(document, { ...paging, order })
    expectOdd(errors)
    const names = ['chain', ...list.path.map((name) => name.replace(/\(.*/s, ''))]
    const page: Data = names.reduce((value: Data, name) => value?.[name], data)
    expect(page, JSON.stringify(errors)).toBeTruthy()
    // Each error is of one edge.
    for (const { path } of errors) expect(path?.slice(names.length, names.length + 1)).toEqual(['edges'])
    unreadable += errors.length
    if (isForwards) edges.push(...page.edges)
    else edges.unshift(...page.edges)
    const { pageInfo } = page
    cursor = isForwards ? pageInfo.endCursor : pageInfo.startCursor
    if (!(isForwards ? pageInfo.hasNextPage : pageInfo.hasPreviousPage)) return { edges, unreadable }
  }
}

const isLoose = (list: List) => list.chainId === chainIds.WASM && list.rest.includes('richlist')
const idsOf = (list: List, edges: readonly Edge[]) =>
  edges.map(({ node }) => (node === null ? null : list.identify(node)))

describe.each(lists.map((list) => ({ ...list, list })))('$name', ({ list }) => {
  test.each(['ASC', 'DESC'] as const)('in order %s, no records are lost or repeated', async (order) => {
    const expected = await upstreamOf(world, list, order)
    const size = sizeFor(expected.length, 9)
    const { edges, unreadable } = await walk(list, size, order, true)
    const ids = idsOf(list, edges)
    expect(ids.filter((id) => id === null)).toHaveLength(unreadable)
    expect(new Set(edges.map(({ cursor }) => cursor)).size).toBe(edges.length)
    if (isLoose(list)) return expect(ids).toHaveLength(expected.length)
    if (list.accepts) {
      // The gateway filters. What it cannot read might be meant.
      const readable = ids.filter((id) => id !== null)
      expect(readable).toEqual(expected.filter((id) => ids.includes(id)))
      expect(expected.length - readable.length).toBeLessThanOrEqual(unreadable)
    } else expect(ids).toEqual(expected.map((id, index) => (ids[index] === null ? null : id)))
    const backwards = await walk(list, size, order, false)
    expect(idsOf(list, backwards.edges)).toEqual(ids)
    expect(backwards.unreadable).toBe(unreadable)
  })
})

/** The nodes of one page of every list, each once. */
async function listedNodes() {
  const nodes = new Map<string, string>()
  for (const list of lists.filter(({ rest }) => !rest.includes('richlist'))) {
    const document = documentOf(list, 'nodes { ... on Node { __typename id } }')
    const { data } = await world.ask(document, { first: 100, order: 'DESC' })
    const names = ['chain', ...list.path.map((name) => name.replace(/\(.*/s, ''))]
    const page: Data = names.reduce((value: Data, name) => value?.[name], data)
    for (const node of page.nodes) if (node?.id) nodes.set(node.id, node.__typename)
  }
  return [...nodes].map(([id, __typename]) => ({ id, __typename }))
}
const nodes = await listedNodes()

test('node returns every id of the odd world', async () => {
  expect(nodes.length).toBeGreaterThan(500)
  for (let start = 0; start < nodes.length; start += 100) {
    const some = nodes.slice(start, start + 100)
    const { data, errors } = await world.ask('query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }', {
      ids: some.map(({ id }) => id),
    })
    expect(errors).toBeUndefined()
    expect(data.nodes).toEqual(some)
  }
})

const types = [...new Set(nodes.map(({ __typename }) => __typename))]

test.each(types)('every field of %s has a value or an error', async (name) => {
  const type = schema.getType(name)
  if (!type) throw new Error(`no type ${name}`)
  const ids = nodes.filter(({ __typename }) => __typename === name).map(({ id }) => id)
  const odd = ids.filter((_, index) => index % Math.ceil(ids.length / 25) === 0)
  for (const id of odd) {
    const { data, errors } = await world.ask(
      `query ($id: ID!) { node(id: $id) { ... on ${name} ${fullSelection(type, 2)} } }`,
      { id },
    )
    expectOdd(errors)
    expect(data?.node?.__typename).toBe(name)
  }
})

const roots = [
  'chains',
  'routableChains(first: 10)',
  'assets(first: 100)',
  'bridges',
  'swapVenues',
  'service',
  'account(address: "0xe68f6048265750f6f3eedd4df39f93cbb4cbf76a")',
  'search(text: "1041")',
  'search(text: "harbour")',
]

test.each(roots)('every field of %s has a value or an error', async (root) => {
  const field = schema.getQueryType()?.getFields()[root.replace(/\(.*/s, '')]
  if (!field) throw new Error(`no field ${root}`)
  const selection = fullSelection(getNamedType(field.type), 3)
  const { data, errors } = await world.ask(`{ root: ${root} ${selection} }`)
  expectOdd(errors)
  expect(data?.root).toBeTruthy()
})

const routeOf = (amountIn: string, selection: string) => `{ route(input: {
  amountIn: "${amountIn}"
  source: { chainId: "osmosis-1", denom: "uosmo" }
  destination: { chainId: "harbor-1", denom: "uinit" }
}) ${selection} }`

test('a route response with status 201 is read', async () => {
  const type = schema.getType('Route')
  if (!type) throw new Error('no routes')
  const { data, errors } = await world.ask(routeOf('25000000', fullSelection(type, 3)))
  expectOdd(errors)
  expect(BigInt(data.route.amountOut)).toBeGreaterThan(0n)
  expect(data.route.routeToken).toMatch(/./)
})

test('refusals of the router are passed on as plain text', async () => {
  const said = async (amount: string) => {
    const [error] = await world.errors(routeOf(amount, '{ amountOut }'))
    expect(error?.extensions?.code).toBe('UPSTREAM_REJECTED')
    return error?.extensions?.upstreamMessage
  }
  expect(await said('1001')).toBe('Swap amount is below the minimum of 2000. See')
  expect(await said('1002')).toMatch(/amount_in is too small.*try a larger amount/)
  expect(await said('1003')).toBe('price is stale')
  expect(await said('1004')).toBe('no relayer serves this path now')
  expect(await said('1005')).toBe('upstream connect error or disconnect/reset before headers')
})

test('a transfer with links instead of hashes is read', async () => {
  const hash = 'A7'.repeat(31)
  const type = schema.getType('Transfer')
  if (!type) throw new Error('no transfers')
  for (const digits of ['00', '01', '02', 'e0', 'e1', 'e5', 'e6', 'e8']) {
    const place = `chainId: "harbor-1", hash: "${hash}${digits}"`
    const track = `mutation { trackTransfer(input: { ${place} }) { transfer { id } } }`
    expectOdd((await world.ask(track)).errors)
    const { data, errors } = await world.ask(`{ transfer(${place}) ${fullSelection(type, 3)} }`)
    expectOdd(errors)
    expect(data.transfer.chainId).toBe('harbor-1')
  }
})

test('burns between pages do not break pages or node ids', async () => {
  let time = now
  await using moving = await startWorld({ odd: true, clock: () => time })
  const list = lists.find(({ chainId, rest }) => chainId === chainIds.WASM && /by_collection/.test(rest))
  if (!list) throw new Error('no NFTs')
  const document = documentOf(list, 'edges { node { id } } pageInfo { hasNextPage endCursor }')
  const ids: string[] = []
  let after: string | null = null
  let counts = new Set<number>()
  for (let hasNextPage = true; hasNextPage; ) {
    const { data, errors }: Data = await moving.ask(document, { first: 7, after, order: 'ASC' })
    expectOdd(errors)
    const { edges, pageInfo } = data.chain.nftCollection.nfts
    for (const { node } of edges) if (node) ids.push(node.id)
    after = pageInfo.endCursor
    hasNextPage = pageInfo.hasNextPage
    counts = counts.add((await moving.rows(list.chainId, list.rest)).length)
    time += 24_000
  }
  // Some were burnt meanwhile, or minted.
  expect(counts.size).toBeGreaterThan(1)
  const { data, errors } = await moving.ask('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
    ids,
  })
  expect(errors).toBeUndefined()
  const left = data.nodes.filter((node: Data) => node !== null)
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(ids.length)
})

test('a missing block is null, and its transactions are found', async () => {
  const { data, errors } = await world.ask(`{ chain(chainId: "galley-1") {
    missing: block(height: 47) { height }
    next: block(height: 48) { height previous { height } }
    transactions(first: 100) { nodes { height block { hash } } }
  } }`)
  expectOdd(errors)
  expect(data.chain.missing).toBeNull()
  expect(data.chain.next).toEqual({ height: 48, previous: null })
  const orphans = data.chain.transactions.nodes.filter((node: Data) => node?.height === 47)
  expect(orphans.length).toBeGreaterThan(0)
  for (const { block } of orphans) expect(block).toBeNull()
})
