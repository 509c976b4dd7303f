import { bech32 } from '@scure/base'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Data, startWorld, type World, youngChains } from '../../../../support/world.ts'

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
      chain.transactions.nodes.flatMap((tx: Data) => tx.signers.map(({ account }: Data) => account?.hexAddress)),
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
    `{ account(address: "${address}") { chainAccounts { chain { chainId } transactions(first: 100${args}) {
      nodes { hash timestamp } } } } }`,
  )
  return account.chainAccounts
    .flatMap(({ chain, transactions }: Data) => transactions.nodes.map((node: Data) => ({ chain, node })))
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

test('activity lists the transactions of all chains by time', async () => {
  const all = await expected()
  const chains = new Set(all.map((name) => name.split(' ')[0]))
  expect(chains.size).toBeGreaterThan(1)
  expect((await walk(2)).map(nameOf)).toEqual(all)
  expect((await walk(3, { order: 'ASC' })).map(nameOf)).toEqual(all.toReversed())
})

test('all forms of an address lead to one account', async () => {
  const { account } = await world.data(
    `{ account(address: "${address}") { id hexAddress chainAccounts { bech32Address } } }`,
  )
  const spellings = account.chainAccounts.map((chain: Data) => chain.bech32Address)
  expect(spellings).toHaveLength(3)
  for (const spelling of [...spellings, address.toUpperCase().replace('0X', '0x')]) {
    const again = await world.data(`{ account(address: "${spelling}") { id } }`)
    expect(again.account.id).toBe(account.id)
  }
  const { node } = await world.data(`{ node(id: "${account.id}") { ... on Account { hexAddress } } }`)
  expect(node.hexAddress).toBe(address)
})

test('activity before a cursor has exactly the earlier edges', async () => {
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

test('activity takes one request per chain', async () => {
  // A short page shows the end of a list once the longest page of the indexer is known.
  await activity({ first: 4 })
  world.requests()
  await activity({ first: 2 })
  expect(world.requests()).toHaveLength(3)
})

test('a chain that fails is in unavailableChains, and its records come later', async () => {
  const all = await walk(100)
  const down = all[0]?.chain.chainId
  world.sandbox.faults.set(down, '/indexer/tx', { kind: 'status', status: 500 })
  const held = await activity({ first: 100, mode: 'HOLD_BACK' })
  expect(held.edges).toEqual([])
  const partial = await activity({ first: 100 })
  expect(partial.unavailableChains).toEqual([
    { chainId: down, code: 'UPSTREAM_UNAVAILABLE', message: expect.any(String) },
  ])
  expect(partial.edges.map(nameOf)).toEqual(all.filter(({ chain }) => chain.chainId !== down).map(nameOf))
  expect(partial.edges.every((edge: Data) => edge.isProvisional)).toBe(true)
  expect(partial.pageInfo.hasNextPage).toBe(true)

  world.sandbox.faults.clear()
  const later = await activity({ first: 100, after: partial.pageInfo.endCursor })
  expect(later.edges.map(nameOf)).toEqual(all.filter(({ chain }) => chain.chainId === down).map(nameOf))
  expect(later.pageInfo.hasNextPage).toBe(false)
  const whole = await activity({ first: 100, after: held.pageInfo.endCursor })
  expect(whole.edges.map(nameOf)).toEqual(all.map(nameOf))
})

test('activity is filtered by chain, message type, signer and success', async () => {
  const all = await walk(100)
  const { chainId } = all[0].chain
  const ofChain = await walk(2, { filter: { chainIds: [chainId] } })
  expect(ofChain.map(nameOf)).toEqual(all.filter(({ chain }) => chain.chainId === chainId).map(nameOf))
  const typeUrl: string = all[0].node.messages[0].typeUrl
  const ofType = await walk(2, { filter: { messageTypes: [typeUrl] } })
  expect(ofType.map(nameOf)).toEqual(
    all.filter(({ node }) => node.messages.some((message: Data) => message.typeUrl === typeUrl)).map(nameOf),
  )
  const failed = await walk(2, { filter: { isSuccessful: false } })
  expect(failed.map(nameOf)).toEqual(all.filter(({ node }) => !node.isSuccessful).map(nameOf))
  const signed = await walk(2, { filter: { signedOnly: true } })
  expect(signed.map(nameOf)).toEqual(await expected(', filter: { signedOnly: true }'))
})

test('activity by denom has each transaction that changes the balance of that asset, on each kind of chain', async () => {
  const { account } = await world.data(
    `query ($address: Address!) { account(address: $address) { activity(first: 100) { edges {
      chain { chainId } node { hash } balanceChanges { denom } } } } }`,
    { address },
  )
  const { edges } = account.activity
  const changed = new Map<string, string[]>()
  for (const edge of edges) {
    // A token that no list has is named by its contract.
    for (const { denom } of edge.balanceChanges.filter(({ denom }: Data) => denom))
      changed.set(denom, [...(changed.get(denom) ?? []), nameOf(edge)])
  }
  expect(changed.size).toBeGreaterThan(3)
  for (const [denom, rows] of changed) {
    const named = (await walk(5, { filter: { denoms: [denom] } })).map(nameOf)
    expect(named).toEqual(expect.arrayContaining(rows))
    expect(named.length).toBeLessThanOrEqual(edges.length)
  }
  expect(await walk(5, { filter: { denoms: ['uother'] } })).toEqual([])
})

test('activity refuses cursors of other lists and invalid arguments', async () => {
  const { endCursor } = (await activity({ first: 1 })).pageInfo
  const codeOf = async (variables: Record<string, unknown>) =>
    (await world.errors(document, { address, ...variables })).map(({ extensions }) => extensions?.code)
  expect(await codeOf({ first: 1, after: endCursor, order: 'ASC' })).toEqual(['BAD_USER_INPUT'])
  expect(await codeOf({ first: 1, after: 'x' })).toEqual(['BAD_USER_INPUT'])
  expect(await codeOf({ first: 1, filter: { chainIds: ['unknown-1'] } })).toEqual(['BAD_USER_INPUT'])
  expect(await codeOf({ first: 1, last: 1 })).toEqual(['BAD_USER_INPUT'])
})

const longAddress = `0x${'ab'.repeat(32)}`
const mixed = '0x52908400098527886E0F7030069857D2E4169EE7'
const words = bech32.toWords(Buffer.from(mixed.slice(2), 'hex'))

test.each([
  ['hex with its checksum', mixed, mixed.toLowerCase()],
  ['hex with a wrong checksum', mixed.replace('E', 'e'), mixed.toLowerCase()],
  ['upper-case hex', `0x${mixed.slice(2).toUpperCase()}`, mixed.toLowerCase()],
  ['bech32 with a prefix that no chain has', bech32.encode('zebra', words), mixed.toLowerCase()],
  ['upper-case bech32', bech32.encode('init', words).toUpperCase(), mixed.toLowerCase()],
  ['pasted hex with a space before it', ` ${mixed}`, mixed.toLowerCase()],
  ['a short Move address', '0x1', `0x${'1'.padStart(40, '0')}`],
  ['a Move address with leading zeros', `0x${'1'.padStart(64, '0')}`, `0x${'1'.padStart(40, '0')}`],
  ['a Move address of 32 bytes', longAddress.toUpperCase().replace('0X', '0x'), longAddress],
  ['bech32 of 32 bytes', bech32.encode('init', bech32.toWords(Buffer.from('ab'.repeat(32), 'hex')), 90), longAddress],
])('an account is found by %s', async (_spelling, spelling, hexAddress) => {
  const { account } = await world.data(
    `query ($address: Address!) { account(address: $address) { hexAddress
      activity(first: 1) { unavailableChains { code } } chainAccounts { bech32Address } } }`,
    { address: spelling },
  )
  expect(account).toMatchObject({ hexAddress, activity: { unavailableChains: [] } })
  expect(account.chainAccounts).toHaveLength(3)
})

test.each([
  '',
  '0x',
  'alice',
  `0x${'1'.repeat(65)}`,
  '0x12g4',
  `${mixed}\n`,
  'init1qqqq',
  mixed.slice(2),
  bech32.encode('init', words).replace(/.$/, (last) => (last === 'q' ? 'p' : 'q')),
  bech32.encode('init', words).replace('init', 'INIT'),
])('an invalid address is an error of its field only: %j', async (spelling) => {
  const answer = await world.ask(
    'query ($address: Address!) { account(address: $address) { hexAddress } chain { chainId } }',
    { address: spelling },
  )
  expect(answer.data).toEqual({ account: null, chain: { chainId: 'harbor-1' } })
  expect(answer.errors?.map(({ path, extensions }) => [path, extensions?.code])).toEqual([
    [['account'], 'BAD_USER_INPUT'],
  ])
})

test('evmTransaction in activity takes one list of receipts', async () => {
  const { chains } = await world.data(
    '{ chains { chainId transactions(first: 60) { nodes { evmTransaction { from { hexAddress } } } } } }',
  )
  const ofEvm = chains.flatMap(({ transactions }: Data) =>
    transactions.nodes.flatMap((tx: Data) => tx.evmTransaction?.from?.hexAddress ?? []),
  )
  const sender = mostFrequent(ofEvm)
  const joined = `query ($address: Address!) { account(address: $address) {
    activity(first: 20) { edges { chain { chainId } node { __typename ... on IndexedTransaction { hash height }
      ... on Transaction { evmTransaction { hash value from { address } to { address } } } } } }
  } }`
  await world.data(joined, { address: sender })
  const { data, sent } = await world.trace(joined, { address: sender })
  const { edges } = data.account.activity
  const withEvm = edges.filter(({ node }: Data) => node.evmTransaction)
  expect(withEvm.length).toBeGreaterThan(2)
  for (const { chain, node } of withEvm) {
    expect(chain.chainId).toBe('galley-1')
    expect(node.evmTransaction.hash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(node.evmTransaction.from.address).toMatch(/^0x/)
    expect(node.evmTransaction.value).toMatch(/^\d+$/)
  }
  const paths = sent.map((line) => /\/indexer\/([^?]*)/.exec(line)?.[1] ?? '')
  // The receipts of the account, and a trace where no message has the value.
  expect(paths.filter((path) => path.startsWith('tx/v1/evm-txs/'))).toEqual([`tx/v1/evm-txs/by_account/${sender}`])
  const calls = paths.filter((path) => path.startsWith('tx/v1/evm-internal-txs'))
  expect(calls.length).toBeLessThanOrEqual(withEvm.length)
  // Of each chain at most two pages.
  expect(sent.length).toBeLessThanOrEqual(6 + 1 + calls.length)
})

const mostFrequent = (all: readonly string[]): string =>
  all.toSorted((a, b) => countOf(all, b) - countOf(all, a))[0] ?? ''
const countOf = (all: readonly string[], one: string) => all.filter((each) => each === one).length

test('an invalid filter value is an error of the list only', async () => {
  for (const filter of [
    { chainIds: ['harbor-1', 'nowhere-1'] },
    { messageTypes: ['cosmos.bank.v1beta1.MsgSend', 'not a type!'] },
    { messageTypes: ['MsgSend'] },
    { messageTypes: [] },
    { messageTypes: Array.from({ length: 21 }, (_, n) => `a.Msg${n}`) },
    { denoms: [] },
    { denoms: Array.from({ length: 21 }, (_, n) => `u${n}`) },
  ]) {
    const { data, errors } = await world.ask(
      `query ($address: Address!, $filter: AccountActivityFilter) { account(address: $address) { hexAddress
        activity(filter: $filter) { nodes { hash } } } }`,
      { address, filter },
    )
    expect(data?.account).toEqual({ hexAddress: address, activity: null })
    expect(errors?.[0]?.extensions?.code).toBe('BAD_USER_INPUT')
  }
})

test('combined filters apply to each chain', async () => {
  const all = await walk(100)
  for (const chainId of new Set<string>(all.map(({ chain }) => chain.chainId))) {
    const own = all.filter(({ chain }) => chain.chainId === chainId)
    const typeUrl: string = own[0].node.messages[0].typeUrl
    const expectedOf = (isSuccessful: boolean) =>
      own
        .filter(({ node }) => node.isSuccessful === isSuccessful)
        .filter(({ node }) => node.messages.some((message: Data) => message.typeUrl === typeUrl))
        .map(nameOf)
    for (const isSuccessful of [true, false]) {
      const filter = { chainIds: [chainId], messageTypes: [typeUrl], isSuccessful }
      expect((await walk(3, { filter })).map(nameOf)).toEqual(expectedOf(isSuccessful))
    }
  }
})

test('activity merges an indexer with opaque keys', async () => {
  const chains = youngChains(60).map((chain, index) =>
    index === 1 ? { ...chain, quirks: { opaqueKeys: true } } : chain,
  )
  await using other = await startWorld({ chains })
  const walked: Data[] = []
  for (let after: string | null = null; ; ) {
    const page: Data = (await other.data(document, { address, first: 3, after })).account.activity
    walked.push(...page.edges)
    if (!page.pageInfo.hasNextPage) break
    after = page.pageInfo.endCursor
  }
  expect(walked.map(nameOf)).toEqual((await walk(100)).map(nameOf))
  for (const [index, { cursor }] of walked.entries()) {
    const rest = await other.data(document, { address, first: 100, after: cursor })
    expect(rest.account.activity.edges.map(nameOf)).toEqual(walked.slice(index + 1).map(nameOf))
  }
  // Back from a cursor whose key leads in one direction is refused, with what to do instead.
  const { data, errors } = await other.ask(document, {
    address,
    last: 3,
    before: walked.at(-2).cursor,
  })
  if (errors) expect(errors[0]?.extensions?.code).toBe('BAD_USER_INPUT')
  else expect(data?.account.activity.edges.map(nameOf)).toEqual(walked.slice(-5, -2).map(nameOf))
  const last = await other.data(document, { address, last: 100 })
  expect(last.account.activity.edges.map(nameOf)).toEqual(walked.map(nameOf))
})
