import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Data, startWorld, type World } from '../../../support/world.ts'

let world: World
/** An address with transactions on more than one chain. */
let address: string

beforeAll(async () => {
  world = await startWorld()
  const { chains } = await world.data(
    '{ chains { transactions(first: 100) { nodes { signers { account { hexAddress } } } } } }',
  )
  const signersOf = (chain: Data): string[] => [
    ...new Set<string>(
      chain.transactions.nodes.flatMap((tx: Data) =>
        tx.signers.map(({ account }: Data) => account?.hexAddress),
      ),
    ),
  ]
  const all: string[] = chains.flatMap(signersOf)
  address = all.find((signer, index) => all.indexOf(signer) < index) ?? ''
})

afterAll(() => world[Symbol.asyncDispose]())
afterEach(() => world.sandbox.faults.clear())

const document = `query($address: Address!, $first: Int, $after: String, $last: Int, $before: String,
    $order: OrderDirection! = DESC, $filter: AccountActivityFilter,
    $mode: UnavailableChainMode! = PROVISIONAL) {
  account(address: $address) {
    activity(first: $first, after: $after, last: $last, before: $before, order: $order, filter: $filter,
        whileUnavailable: $mode) {
      edges {
        cursor isProvisional chain { chainId }
        node { hash height isSuccessful ... on Transaction { timestamp messages { typeUrl } } }
      }
      nodes { hash }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      unavailableChains { chainId code message }
    }
  }
}`

const activity = async (variables: Record<string, unknown> = {}): Promise<Data> =>
  (await world.data(document, { address, ...variables })).account.activity

const nameOf = ({ chain, node }: Data) => `${chain.chainId} ${node.hash}`

/** What the chains list one by one, merged here. */
async function expected(args = ''): Promise<string[]> {
  const { account } = await world.data(
    `{ account(address: "${address}") { chains { chain { chainId } transactions(first: 100${args}) {
      nodes { hash timestamp } } } } }`,
  )
  return account.chains
    .flatMap(({ chain, transactions }: Data) =>
      transactions.nodes.map((node: Data) => ({ chain, node })),
    )
    .toSorted((a: Data, b: Data) => Date.parse(b.node.timestamp) - Date.parse(a.node.timestamp))
    .map(nameOf)
}

async function walk(first: number, variables: Record<string, unknown> = {}): Promise<Data[]> {
  const edges: Data[] = []
  for (let after: string | null = null; ; ) {
    const page = await activity({ first, after, ...variables })
    edges.push(...page.edges)
    if (!page.pageInfo.hasNextPage) return edges
    after = page.pageInfo.endCursor
  }
}

test('lists the transactions of all chains by time', async () => {
  const all = await expected()
  const chains = new Set(all.map((name) => name.split(' ')[0]))
  expect(chains.size).toBeGreaterThan(1)
  expect((await walk(2)).map(nameOf)).toEqual(all)
  expect((await walk(3, { order: 'ASC' })).map(nameOf)).toEqual(all.toReversed())
})

test('finds the same account by every spelling', async () => {
  const { account } = await world.data(
    `{ account(address: "${address}") { id hexAddress chains { bech32Address } } }`,
  )
  const spellings = account.chains.map((chain: Data) => chain.bech32Address)
  expect(spellings).toHaveLength(3)
  for (const spelling of [...spellings, address.toUpperCase().replace('0X', '0x')]) {
    const again = await world.data(`{ account(address: "${spelling}") { id } }`)
    expect(again.account.id).toBe(account.id)
  }
  const { node } = await world.data(
    `{ node(id: "${account.id}") { ... on MultichainAccount { hexAddress } } }`,
  )
  expect(node.hexAddress).toBe(address)
})

test('goes back from a cursor to exactly what was before', async () => {
  const edges = await walk(4)
  const index = Math.floor(edges.length / 2)
  const { cursor } = edges[index]
  const before = await activity({ last: 100, before: cursor })
  expect(before.edges.map(nameOf)).toEqual(edges.slice(0, index).map(nameOf))
  expect(before.pageInfo.hasNextPage).toBe(true)
  const after = await activity({ first: 100, after: cursor })
  expect(after.edges.map(nameOf)).toEqual(edges.slice(index + 1).map(nameOf))
  const last = await activity({ last: 2 })
  expect(last.edges.map(nameOf)).toEqual(edges.slice(-2).map(nameOf))
})

test('costs one request a chain', async () => {
  // A short page shows the end of a list once the longest page of the indexer is known.
  await activity({ first: 4 })
  world.requests()
  await activity({ first: 2 })
  expect(world.requests()).toHaveLength(3)
})

test('a chain that fails is named, and what it has comes later', async () => {
  const all = await walk(100)
  const down = all[0]?.chain.chainId
  world.sandbox.faults.set(down, '/indexer/tx', { kind: 'status', status: 500 })
  const held = await activity({ first: 100, mode: 'HOLD_BACK' })
  expect(held.edges).toEqual([])
  const partial = await activity({ first: 100 })
  expect(partial.unavailableChains).toEqual([
    { chainId: down, code: 'UPSTREAM_UNAVAILABLE', message: expect.any(String) },
  ])
  expect(partial.edges.map(nameOf)).toEqual(
    all.filter(({ chain }) => chain.chainId !== down).map(nameOf),
  )
  expect(partial.edges.every((edge: Data) => edge.isProvisional)).toBe(true)
  expect(partial.pageInfo.hasNextPage).toBe(true)

  world.sandbox.faults.clear()
  const later = await activity({ first: 100, after: partial.pageInfo.endCursor })
  expect(later.edges.map(nameOf)).toEqual(
    all.filter(({ chain }) => chain.chainId === down).map(nameOf),
  )
  expect(later.pageInfo.hasNextPage).toBe(false)
  const whole = await activity({ first: 100, after: held.pageInfo.endCursor })
  expect(whole.edges.map(nameOf)).toEqual(all.map(nameOf))
})

test('filters by chain, message type, signer and success', async () => {
  const all = await walk(100)
  const { chainId } = all[0].chain
  const ofChain = await walk(2, { filter: { chains: [chainId] } })
  expect(ofChain.map(nameOf)).toEqual(
    all.filter(({ chain }) => chain.chainId === chainId).map(nameOf),
  )
  const typeUrl: string = all[0].node.messages[0].typeUrl
  const ofType = await walk(2, { filter: { messageTypes: [typeUrl] } })
  expect(ofType.map(nameOf)).toEqual(
    all
      .filter(({ node }) => node.messages.some((message: Data) => message.typeUrl === typeUrl))
      .map(nameOf),
  )
  const failed = await walk(2, { filter: { isSuccessful: false } })
  expect(failed.map(nameOf)).toEqual(all.filter(({ node }) => !node.isSuccessful).map(nameOf))
  const signed = await walk(2, { filter: { signedOnly: true } })
  expect(signed.map(nameOf)).toEqual(await expected(', filter: { signedOnly: true }'))
})

test('refuses what is not its own', async () => {
  const { endCursor } = (await activity({ first: 1 })).pageInfo
  const codeOf = async (variables: Record<string, unknown>) =>
    (await world.errors(document, { address, ...variables })).map(
      ({ extensions }) => extensions?.code,
    )
  expect(await codeOf({ first: 1, after: endCursor, order: 'ASC' })).toEqual(['BAD_USER_INPUT'])
  expect(await codeOf({ first: 1, after: 'x' })).toEqual(['BAD_USER_INPUT'])
  expect(await codeOf({ first: 1, filter: { chains: ['unknown-1'] } })).toEqual(['BAD_USER_INPUT'])
  expect(await codeOf({ first: 1, last: 1 })).toEqual(['BAD_USER_INPUT'])
})
