import { expect, test } from 'vitest'
import { addressOn, type RouterWorld, startRouterWorld } from '../../../support/routerWorld.ts'

// A router whose list of chains never answers, while its balances are well.

const hang = ({ sandbox }: RouterWorld) => sandbox.faults.set('router', '/v2/info/chains', { kind: 'hang' })

const listCalls = (requests: readonly string[]) => requests.filter((line) => line.includes('/v2/info/chains')).length

/** The result of a document, and the milliseconds of the clock until it was there. */
async function timed(world: RouterWorld, query: string) {
  let milliseconds = 0
  let isThere = false
  const result = world.ask(query).finally(() => {
    isThere = true
  })
  while (!isThere && milliseconds < 60_000) {
    await world.clock.advance(250)
    milliseconds += 250
  }
  return { ...(await result), milliseconds }
}

const address = addressOn('harbor-1')
const onChain = `{ chain(chainId: "harbor-1") { account(address: "${address}") { balances { denom amount } } } }`
const onAll = `{ account(address: "${address}") { balances { count unavailableChains { chainId } } } }`

test.each([
  ['of a chain', onChain],
  ['of all chains', onAll],
])('balances %s answer within five seconds while lists hang', async (_name, query) => {
  await using world = await startRouterWorld()
  hang(world)
  const { errors, data, milliseconds } = await timed(world, query)
  expect(errors).toBeUndefined()
  const { balances } = data?.chain?.account ?? data?.account ?? {}
  expect(balances.count ?? balances.length).toBeGreaterThan(0)
  expect(balances.unavailableChains ?? []).toEqual([])
  expect(milliseconds).toBeLessThanOrEqual(5_000)
  expect(listCalls(world.requests())).toBe(1)
})

test('a list that hung fails at once for some seconds, and is then requested again', async () => {
  await using world = await startRouterWorld()
  hang(world)
  const list = '{ routableChains { nodes { chainId } } }'
  const first = await timed(world, list)
  expect(first.errors).toBeDefined()
  expect(first.milliseconds).toBeGreaterThan(1_000)
  expect(listCalls(world.requests())).toBeGreaterThan(0)
  const again = await timed(world, list)
  expect(again.errors?.[0]?.message).toBe(first.errors?.[0]?.message)
  expect(again.milliseconds).toBeLessThanOrEqual(250)
  expect(listCalls(world.requests())).toBe(0)
  world.sandbox.faults.clear()
  await world.clock.advance(6_000)
  expect((await timed(world, list)).errors).toBeUndefined()
})
