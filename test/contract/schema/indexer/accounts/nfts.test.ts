import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Data, startWorld, type World } from '../../../../support/world.ts'

let world: World
/** An address with NFTs on more than one chain. */
let address: string
/** Its NFTs, as the chains list them one by one. */
let all: string[]

const nameOf = ({ chain, collection, tokenId }: Data) => `${chain.chainId} ${collection.name} ${tokenId}`

beforeAll(async () => {
  world = await startWorld()
  const { chains } = await world.data(`{ chains { nftCollections(first: 20) { nodes {
    nfts(first: 20) { nodes { owner { hexAddress } } } } } } }`)
  const ownersOf = (chain: Data): string[] => [
    ...new Set<string>(
      chain.nftCollections.nodes.flatMap(({ nfts }: Data) => nfts.nodes.map(({ owner }: Data) => owner.hexAddress)),
    ),
  ]
  const owners: string[] = chains.flatMap(ownersOf)
  address = owners.find((owner, index) => owners.indexOf(owner) < index) ?? ''
  const { account } = await world.data(
    `{ account(address: "${address}") { chainAccounts { nfts(first: 100, order: ASC) {
      nodes { chain { chainId } tokenId collection { name } } } } } }`,
  )
  all = account.chainAccounts.flatMap(({ nfts }: Data) => nfts.nodes.map(nameOf))
})

afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.sandbox.faults.clear())

const document = `query($address: Address!, $first: Int, $after: String, $last: Int, $before: String,
    $filter: AccountNftFilter) {
  account(address: $address) {
    nfts(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      edges { cursor isProvisional chain { chainId } node { tokenId chain { chainId } collection { name address } } }
      nodes { tokenId }
      pageInfo { hasNextPage hasPreviousPage endCursor }
      unavailableChains { chainId code }
    }
  }
}`

const nfts = async (variables: Record<string, unknown> = {}): Promise<Data> =>
  (await world.data(document, { address, ...variables })).account.nfts

const namesOf = (edges: Data[]): string[] => edges.map(({ node }) => nameOf(node))

async function walk(first: number, variables: Record<string, unknown> = {}): Promise<Data[]> {
  const edges: Data[] = []
  for (let after: string | null = null; ; ) {
    const page = await nfts({ first, after, ...variables })
    edges.push(...page.edges)
    if (!page.pageInfo.hasNextPage) return edges
    after = page.pageInfo.endCursor
  }
}

test('nfts lists the NFTs of all chains, chain by chain', async () => {
  expect(new Set(all.map((name) => name.split(' ')[0])).size).toBeGreaterThan(1)
  for (const first of [1, 2, 100]) expect(namesOf(await walk(first))).toEqual(all)
})

test('nfts continues forward and back from every cursor', async () => {
  const edges = await walk(3)
  for (const [index, { cursor }] of edges.entries()) {
    const after = await nfts({ first: 100, after: cursor })
    expect(namesOf(after.edges)).toEqual(all.slice(index + 1))
    const before = await nfts({ last: 100, before: cursor })
    expect(namesOf(before.edges)).toEqual(all.slice(0, index))
  }
  expect(namesOf((await nfts({ last: 2 })).edges)).toEqual(all.slice(-2))
})

test('nfts of one collection continue in both directions', async () => {
  const edges = await walk(100)
  const counts = new Map<string, Data[]>()
  for (const edge of edges) {
    const { address: of } = edge.node.collection
    counts.set(of, [...(counts.get(of) ?? []), edge])
  }
  const [collection, ofCollection = []] = [...counts].reduce((a, b) => (b[1].length > a[1].length ? b : a))
  expect(ofCollection.length).toBeGreaterThan(2)
  const filter = { collection }
  const names = namesOf(ofCollection)
  for (const [index, { cursor }] of (await walk(1, { filter })).entries()) {
    const data = await world.data(document, { address, filter, first: 100, after: cursor })
    expect(namesOf(data.account.nfts.edges)).toEqual(names.slice(index + 1))
    const before = await nfts({ filter, last: 100, before: cursor })
    expect(namesOf(before.edges)).toEqual(names.slice(0, index))
  }
})

test('nfts takes one request per chain', async () => {
  const query = `{ account(address: "${address}") { nfts(first: 2) { nodes { tokenId } } } }`
  await world.data(query)
  expect((await world.trace(query)).sent).toHaveLength(3)
})

test('a later page of nfts requests one chain, and more only at its end', async () => {
  const chainsOf = (sent: readonly string[]) => sent.map((line) => line.split(' ')[0])
  let after: string | null = null
  const asked: number[] = []
  for (;;) {
    const { data, sent } = await world.trace(document, { address, first: 1, after })
    const { pageInfo, edges } = data.account.nfts
    if (after !== null) {
      asked.push(new Set(chainsOf(sent)).size)
      expect(chainsOf(sent)).toContain(edges[0].chain.chainId)
    }
    if (!pageInfo.hasNextPage) break
    after = pageInfo.endCursor
  }
  expect(asked.length).toBe(all.length - 1)
  // A page of one record reads on at the end of a chain only.
  const ends = new Set(all.map((name) => name.split(' ')[0])).size - 1
  expect(asked.filter((count) => count > 1).length).toBeLessThanOrEqual(ends)
})

test('nfts are filtered by chain, collection and part of the name', async () => {
  const edges = await walk(100)
  const { chain, node } = edges.at(-1)
  const ofChain = await walk(2, { filter: { chainIds: [chain.chainId] } })
  expect(namesOf(ofChain)).toEqual(all.filter((name) => name.startsWith(`${chain.chainId} `)))
  const ofCollection = await walk(2, { filter: { collection: node.collection.address } })
  expect(namesOf(ofCollection)).toEqual(
    namesOf(edges.filter((edge) => edge.node.collection.address === node.collection.address)),
  )
  const search = node.collection.name.slice(1, 5).toUpperCase()
  const found = namesOf(await walk(2, { filter: { search } }))
  expect(found).toContain(nameOf(node))
  expect(found).toEqual(namesOf(edges.filter((edge) => edge.node.collection.name.toUpperCase().includes(search))))
  expect(await walk(2, { filter: { search: 'nothing has this name' } })).toEqual([])
})

test('a chain that fails is in unavailableChains, and its NFTs come later', async () => {
  const down = all[0]?.split(' ')[0] ?? ''
  world.sandbox.faults.set(down, '/indexer/nft/v1/tokens/by_account', {
    kind: 'status',
    status: 500,
  })
  const partial = await nfts({ first: 100 })
  expect(partial.unavailableChains).toEqual([{ chainId: down, code: 'UPSTREAM_UNAVAILABLE' }])
  expect(namesOf(partial.edges)).toEqual(all.filter((name) => !name.startsWith(down)))
  expect(partial.pageInfo.hasNextPage).toBe(true)
  const isProvisional = partial.edges.map((edge: Data) => edge.isProvisional)
  expect(isProvisional).toEqual(partial.edges.map(() => true))
  world.sandbox.faults.clear()
  const later = await nfts({ first: 100, after: partial.pageInfo.endCursor })
  expect(namesOf(later.edges)).toEqual(all.filter((name) => name.startsWith(down)))
})

test('only NFTs after those of a chain that fails are provisional', async () => {
  const chains = [...new Set(all.map((name) => name.split(' ')[0] ?? ''))]
  expect(chains.length).toBeGreaterThan(1)
  const down = chains.at(-1) ?? ''
  world.sandbox.faults.set(down, '/indexer/nft/v1/tokens/by_account', {
    ...{ kind: 'status', status: 500, times: 10 },
  })
  for (const [variables, isProvisional] of [
    [{ first: 100 }, false],
    [{ last: 100 }, true],
  ] as const) {
    const { edges, unavailableChains } = await nfts(variables)
    expect(unavailableChains.map(({ chainId }: Data) => chainId)).toEqual([down])
    expect(edges.map((edge: Data) => edge.isProvisional)).toEqual(edges.map(() => isProvisional))
    expect(edges.length).toBeGreaterThan(0)
  }
})

test('nfts refuses cursors of other filters and invalid filters', async () => {
  const { endCursor } = (await nfts({ first: 1 })).pageInfo
  const codeOf = async (variables: Record<string, unknown>) =>
    (await world.errors(document, { address, ...variables }))[0]?.extensions?.code
  const chains = [all[0]?.split(' ')[0]]
  expect(await codeOf({ first: 1, after: endCursor, filter: { chainIds: chains } })).toBe('BAD_USER_INPUT')
  expect(await codeOf({ first: 1, filter: { search: '!' } })).toBe('BAD_USER_INPUT')
  expect(await codeOf({ first: 1, filter: { chainIds: ['unknown-1'] } })).toBe('BAD_USER_INPUT')
})

test('a page of nfts requests only the records it needs', async () => {
  const edges = await walk(100)
  const { cursor } = edges[Math.floor(edges.length / 2)]
  const first = [{ first: 2 }, { last: 2 }]
  for (const page of [...first, { first: 2, after: cursor }, { last: 2, before: cursor }]) {
    const { sent } = await world.trace(document, { address, ...page })
    const limits = sent
      .filter((line) => line.includes('/tokens/by_account/'))
      .map((line) => Number(/pagination\.limit=(\d+)/.exec(line)?.[1]))
    expect(limits.length).toBeGreaterThan(0)
    // Two of the page, those beside its ends, and one that shows whether there are more.
    for (const limit of limits) expect(limit).toBeLessThanOrEqual(5)
  }
})
