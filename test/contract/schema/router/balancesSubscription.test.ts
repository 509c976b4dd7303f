import { expect, test } from 'vitest'
import { sandboxChains } from '../../../../packages/sandbox/src/chains.ts'
import { startRouterWorld } from '../../../support/routerWorld.ts'
import type { Data } from '../../../support/world.ts'

const traveller = 'init18r8wax2mksax5qe49mfsle6269m35fnhfctxg5'
const document = `subscription {
  balances(address: "${traveller}") { balances { count balances { chain { chainId } denom amount } } changed { chain { chainId } denom amount } }
}`

const toMap = (balances: Data[]) =>
  new Map(balances.map(({ chain, denom, amount }) => [`${chain.chainId} ${denom}`, amount]))

test('balances come first, then what changed, and all watchers of an account cost one read', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const watches = await Promise.all([1, 2, 3].map((client) => world.watch(document, {}, `10.0.0.${client}`)))
  await world.clock.advance(0)
  world.sandbox.requests.length = 0
  await world.clock.advance(120_000)
  const reads = world.sandbox.requests.filter((request) => request.includes('/v2/info/balances'))
  const [first, ...others] = watches.map(({ events }) => events.map(({ balances }: Data) => balances))
  expect(first?.length).toBeGreaterThan(1)
  for (const other of others) expect(other).toEqual(first)
  // Three watchers read no more often than once in three seconds.
  expect(reads.length).toBeLessThanOrEqual(40)
  expect(reads.length).toBeLessThan(2 * (first?.length ?? 0) + 2)
  // What changed, applied to what was, is what is.
  const [start, ...changes] = first ?? []
  expect(start.changed).toEqual(start.balances.balances)
  const known = toMap(start.changed)
  for (const { changed, balances } of changes) {
    expect(changed.length).toBeGreaterThan(0)
    for (const [key, amount] of toMap(changed)) known.set(key, amount)
    const now = toMap(balances.balances)
    for (const [key, amount] of known) expect(now.get(key) ?? '0').toBe(amount)
  }
})

test('without activity nothing is read again', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const quiet = document.replace(traveller, `0x${'17'.repeat(20)}`)
  const { events } = await world.watch(quiet)
  await world.clock.advance(0)
  world.sandbox.requests.length = 0
  await world.clock.advance(60_000)
  expect(events).toHaveLength(1)
  expect(world.sandbox.requests.filter((request) => request.includes('/v2/info/balances'))).toEqual([])
})

const balancesRoute = '/v2/info/balances'

/** The balances that a client of the subscription has now, without those that are 0. */
function knownTo(events: readonly Data[]): Map<string, string> {
  const known = new Map<string, string>()
  for (const { balances } of events) for (const [key, amount] of toMap(balances.changed)) known.set(key, amount)
  return new Map([...known].filter(([, amount]) => amount !== '0').toSorted())
}

/** The balances that the router has now. */
async function readNow(world: Awaited<ReturnType<typeof startRouterWorld>>): Promise<Map<string, string>> {
  const ids = sandboxChains.map(({ chainId }) => `"${chainId}"`)
  const data = await world.data(
    `{ account(address: "${traveller}") { balances(chainIds: [${ids}]) { balances { chain { chainId } denom amount } } } }`,
  )
  return new Map([...toMap(data.account.balances.balances)].toSorted())
}

/** Advances until the account has a transaction, and then until it had none for some milliseconds. */
async function untilTransaction(world: Awaited<ReturnType<typeof startRouterWorld>>, quiet: number) {
  const { events } = await world.watch(`subscription { activity(address: "${traveller}") { node { __typename } } }`)
  let [count, since] = [0, 0]
  while (count === 0 || world.clock.now() - since < quiet) {
    await world.clock.advance(1_000)
    if (events.length > count) [count, since] = [events.length, world.clock.now()]
  }
}

test('a router whose node learns of a transaction later is asked until it has', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const { events } = await world.watch(document)
  await world.clock.advance(2_000)
  // It answers as it did 7 seconds ago.
  const answers: { readonly at: number; readonly json: unknown }[] = []
  let last: unknown
  world.sandbox.faults.set('router', balancesRoute, {
    kind: 'change',
    change: (json) => {
      answers.push({ at: world.clock.now(), json })
      last ??= json
      return answers.findLast(({ at }) => at <= world.clock.now() - 7_000)?.json ?? last
    },
  })
  await untilTransaction(world, 20_000)
  world.sandbox.faults.clear()
  expect(events.length).toBeGreaterThan(1)
  expect(knownTo(events)).toEqual(await readNow(world))
})

test('balances that could not be read after a transaction are asked for again', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const { events } = await world.watch(document)
  await world.clock.advance(2_000)
  world.sandbox.faults.set('router', balancesRoute, { kind: 'status', status: 503, body: '' })
  await untilTransaction(world, 4_000)
  expect(events).toHaveLength(1)
  world.sandbox.faults.clear()
  await world.clock.advance(15_000)
  expect(events.length).toBeGreaterThan(1)
  expect(knownTo(events)).toEqual(await readNow(world))
})

test('a new transaction does not wait for the late turn of an earlier one', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const { events } = await world.watch(document)
  await world.clock.advance(2_000)
  world.sandbox.faults.set('router', balancesRoute, { kind: 'status', status: 503, body: '' })
  // The next turn is half a minute away.
  await untilTransaction(world, 25_000)
  await untilTransaction(world, 0)
  expect(events).toHaveLength(1)
  world.sandbox.faults.clear()
  await world.clock.advance(4_000)
  expect(events).toHaveLength(2)
  expect(knownTo(events)).toEqual(await readNow(world))
})

test('a router that stays away is told of once, and not asked for ever', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  const { events } = await world.watch(document.replace('{ count', '{ unavailableChains { code } count'))
  await world.clock.advance(2_000)
  world.sandbox.faults.set('router', balancesRoute, { kind: 'status', status: 503, body: '' })
  await untilTransaction(world, 0)
  // Other transactions of the account would begin it anew.
  for (const { chainId } of sandboxChains)
    world.sandbox.faults.set(chainId, '/', { kind: 'status', status: 503, body: '' })
  await world.clock.advance(150_000)
  expect(events).toHaveLength(2)
  expect(events[1].balances).toMatchObject({ changed: [] })
  expect(events[1].balances.balances.unavailableChains.length).toBeGreaterThan(0)
  world.sandbox.requests.length = 0
  await world.clock.advance(300_000)
  expect(world.sandbox.requests.filter((request) => request.includes(balancesRoute))).toEqual([])
})

test('an account without balances gets no events in which nothing changed', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  world.sandbox.faults.set('router', balancesRoute, {
    kind: 'change',
    change: (json) => {
      const { chains } = json as { chains: object }
      return { chains: Object.fromEntries(Object.keys(chains).map((id) => [id, { denoms: {} }])) }
    },
  })
  const { events } = await world.watch(document)
  await world.clock.advance(120_000)
  expect(events).toHaveLength(1)
})

test('the chains are followed before the balances are read', async () => {
  await using world = await startRouterWorld({ chains: sandboxChains })
  world.sandbox.requests.length = 0
  await world.watch(document)
  await world.clock.advance(0)
  const { requests } = world.sandbox
  const read = requests.findIndex((request) => request.includes(balancesRoute))
  expect(read).toBeGreaterThan(0)
  for (const { chainId } of sandboxChains) {
    const followed = requests.findIndex((request) => request.startsWith(`${chainId} GET /indexer/tx/`))
    expect(followed).toBeGreaterThanOrEqual(0)
    expect(followed).toBeLessThan(read)
  }
})
