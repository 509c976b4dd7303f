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
  await using world = await startRouterWorld()
  const quiet = document.replace(traveller, `0x${'17'.repeat(20)}`)
  const { events } = await world.watch(quiet)
  await world.clock.advance(0)
  world.sandbox.requests.length = 0
  await world.clock.advance(60_000)
  expect(events).toHaveLength(1)
  expect(world.sandbox.requests.filter((request) => request.includes('/v2/info/balances'))).toEqual([])
})
