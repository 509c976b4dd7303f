import { expect, test } from 'vitest'
import { createWorld } from '../../../../../packages/sandbox/src/world/world.ts'
import { type RouterWorld, startRouterWorld } from '../../../../support/routerWorld.ts'
import { type Data, youngChains } from '../../../../support/world.ts'

// A chain that never responds, which is worse than one that fails: it must cost the others no more than its
// share of the time.

/** The part of the time of an operation that one chain may take, and the step of the clock, in milliseconds. */
const share = 7_500
const step = 100
const hang = { kind: 'hang' } as const

/** A world where only the share of the time ends a request that hangs. */
const startPatientWorld = () => startRouterWorld({ limits: { upstreamTimeoutMs: 60_000 } })

/** An account with transactions on all chains. */
const users = youngChains(60).map((chain) =>
  createWorld(chain, 'portolan', Date.now).fixtures.users.map(({ hex }) => hex),
)
const address = users[0]?.find((user) => users.every((others) => others.includes(user)))

/**
 * Runs an operation while a service hangs, and gives its answer, which has to come in that many milliseconds of the
 * clock. No test waits for time: if it comes later, the test ends by its own limit.
 */
async function askWhileHanging(
  world: RouterWorld,
  service: string,
  query: string,
  { within = share, ...variables }: { within?: number; [name: string]: unknown } = {},
) {
  world.sandbox.faults.set(service, '/', hang)
  let isAnswered = false
  const answer = world.ask(query, { address, ...variables }).finally(() => {
    isAnswered = true
  })
  // The services that respond do so in real time, before the clock moves.
  for (let turn = 0; turn < 300; turn += 1) await new Promise((done) => setImmediate(done))
  for (let time = step; time < within; time += step) await world.clock.advance(step)
  const isEarly = isAnswered
  await world.clock.advance(step)
  const { data, errors } = await answer
  world.sandbox.faults.clear()
  // Until the client of the upstream has given the request up, equal ones wait for it.
  await world.clock.advance(60_000)
  if (errors) throw new Error(JSON.stringify(errors))
  return { data: data as Data, isEarly }
}

const unavailable = 'unavailableChains { chainId code }'
const named = [{ chainId: 'lantern-1', code: 'UPSTREAM_TIMEOUT' }]

const activityOf = `query ($address: Address!, $mode: UnavailableChainMode!, $after: String) {
  account(address: $address) { activity(first: 100, after: $after, whileUnavailable: $mode) {
    edges { chain { chainId } isProvisional node { hash } }
    pageInfo { hasNextPage endCursor } ${unavailable}
  } }
}`

const namesOf = (page: Data): string[] =>
  page.edges.map(({ chain, node }: Data) => `${chain.chainId} ${node.hash ?? node.tokenId}`)

for (const mode of ['PROVISIONAL', 'HOLD_BACK'] as const) {
  test(`activity answers in time while a chain hangs, and loses no records: ${mode}`, async () => {
    await using world = await startPatientWorld()
    const whole = (await world.data(activityOf, { address, mode })).account.activity
    const names = namesOf(whole)
    expect(names.some((name) => name.startsWith('lantern-1'))).toBe(true)
    const { data, isEarly } = await askWhileHanging(world, 'lantern-1', activityOf, { mode })
    expect(isEarly).toBe(false)
    const { activity } = data.account
    expect(activity.unavailableChains).toEqual(named)
    expect(activity.pageInfo.hasNextPage).toBe(true)
    expect(activity.edges.every(({ isProvisional }: Data) => isProvisional)).toBe(true)
    const others = names.filter((name) => !name.startsWith('lantern-1'))
    expect(namesOf(activity)).toEqual(mode === 'PROVISIONAL' ? others : [])
    const after = activity.pageInfo.endCursor
    const later = (await world.data(activityOf, { address, mode, after })).account.activity
    const both = [...namesOf(activity), ...namesOf(later)]
    expect(new Set(both).size).toBe(both.length)
    // Meanwhile blocks have arrived.
    const old = both.filter((name) => names.includes(name))
    expect(old.toSorted()).toEqual(names.toSorted())
    if (mode === 'HOLD_BACK') expect(old).toEqual(names)
    expect(later.unavailableChains).toEqual([])
  })
}

test('nfts answers in time while a chain hangs, and loses no records', async () => {
  await using world = await startPatientWorld()
  const { chains } = await world.data(`{ chains { nftCollections(first: 20) { nodes {
    nfts(first: 20) { nodes { owner { hexAddress } } } } } } }`)
  const owners = chains.map(({ nftCollections }: Data) =>
    nftCollections.nodes.flatMap(({ nfts }: Data) => nfts.nodes.map(({ owner }: Data) => owner.hexAddress)),
  )
  const owner = owners[2].find((one: string) => owners[0].includes(one) || owners[1].includes(one))
  const document = `query ($address: Address!, $after: String) { account(address: $address) {
    nfts(first: 100, after: $after) { edges { chain { chainId } node { tokenId } }
      pageInfo { hasNextPage endCursor } ${unavailable} } } }`
  const ask = async (after?: string) => (await world.data(document, { address: owner, after })).account.nfts
  const names = namesOf(await ask())
  const { data, isEarly } = await askWhileHanging(world, 'lantern-1', document, {
    address: owner,
  })
  expect(isEarly).toBe(false)
  const { nfts } = data.account
  expect(nfts.unavailableChains).toEqual(named)
  expect(namesOf(nfts)).toEqual(names.filter((name) => !name.startsWith('lantern-1')))
  const later = await ask(nfts.pageInfo.endCursor)
  expect([...namesOf(nfts), ...namesOf(later)]).toEqual(names)
})

test('search answers in time while a chain hangs', async () => {
  await using world = await startPatientWorld()
  const document = `{ search(text: "57") { results { chain { chainId } } ${unavailable} } }`
  const { data, isEarly } = await askWhileHanging(world, 'lantern-1', document)
  expect(isEarly).toBe(false)
  expect(data.search.unavailableChains).toEqual(named)
  expect(data.search.results.map(({ chain }: Data) => chain.chainId).toSorted()).toEqual(['galley-1', 'harbor-1'])
})

test('balances lists all chains as unavailable while the router hangs', async () => {
  await using world = await startPatientWorld()
  const { data, isEarly } = await askWhileHanging(
    world,
    'router',
    `query ($address: Address!) { account(address: $address) {
      balances { count usdValue ${unavailable} }
      activity(first: 1) { edges { node { hash } } }
    } }`,
  )
  expect(isEarly).toBe(false)
  const chainIds = ['galley-1', 'harbor-1', 'lantern-1']
  expect(data.account.balances).toMatchObject({ count: 0, usdValue: null })
  expect(data.account.balances.unavailableChains.map(({ chainId }: Data) => chainId).toSorted()).toEqual(chainIds)
  expect(data.account.activity.edges).toHaveLength(1)
})

test('lists of other chains are returned if one hangs until the deadline', async () => {
  await using world = await startRouterWorld()
  world.sandbox.faults.set('lantern-1', '/', hang)
  const answer = world.ask(
    `query ($address: Address!) { account(address: $address) {
      chainAccounts { chain { chainId } transactions(first: 1) { nodes { hash } } } } }`,
    { address },
  )
  for (let turn = 0; turn < 300; turn += 1) await new Promise((done) => setImmediate(done))
  for (let i = 0; i < 16; i += 1) await world.clock.advance(1_000)
  const { data, errors } = await answer
  expect(data?.account.chainAccounts.map(({ transactions }: Data) => transactions?.nodes.length)).toEqual([
    ...[1, 1],
    undefined,
  ])
  expect(errors).toHaveLength(1)
  expect(errors?.[0]?.path).toEqual(['account', 'chainAccounts', 2, 'transactions'])
})

test('finding the form of an address takes at most a second while an indexer hangs', async () => {
  await using world = await startRouterWorld({
    listing: { vm: undefined },
    limits: { upstreamTimeoutMs: 60_000 },
  })
  const query = 'query ($address: Address!) { account(address: $address) { chainAccounts { address } } }'
  const { data } = await askWhileHanging(world, 'galley-1', query, { within: 1_000 })
  expect(data.account.chainAccounts).toHaveLength(3)
  for (const chain of data.account.chainAccounts) expect(chain.address).toMatch(/^(init1|0x)/)
})
