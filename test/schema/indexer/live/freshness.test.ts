import { expect, test } from 'vitest'
import { startRouterWorld } from '../../../support/routerWorld.ts'

const waiting = `query ($minHeight: UInt53!) {
  chain(chainId: "galley-1") { chainId indexed(minHeight: $minHeight) {
    block(height: $minHeight) { height }
    blocks(first: 1) { nodes { height } }
  } }
}`

const block = (height: number) => ({ block: { height }, blocks: { nodes: [{ height }] } })

test('fields below a height wait until the indexer has it', async () => {
  await using world = await startRouterWorld()
  let answer: unknown
  void world.data(waiting, { minHeight: 62 }).then((data) => {
    answer = data.chain.indexed
  })
  await world.clock.advance(3_999)
  expect(answer).toBeUndefined()
  await world.clock.advance(1_001)
  for (let i = 0; answer === undefined && i < 100; i += 1) await world.clock.advance(0)
  expect(answer).toEqual(block(62))
  world.sandbox.requests.length = 0
  await world.clock.advance(20_000)
  expect(world.sandbox.requests).toEqual([])
})

test('a height that the indexer has costs one request, and no wait', async () => {
  await using world = await startRouterWorld()
  const data = await world.data(waiting, { minHeight: 60 })
  expect(data.chain.indexed).toEqual(block(60))
  expect(world.sandbox.requests.filter((line) => line.includes('/status'))).toHaveLength(1)
})

test('a height that does not come in time is an error with a code', async () => {
  await using world = await startRouterWorld()
  const answer = world.ask(waiting, { minHeight: 500 })
  for (let i = 0; i < 12; i += 1) await world.clock.advance(1_000)
  const { data, errors } = await answer
  expect(data?.chain).toEqual({ chainId: 'galley-1', indexed: null })
  expect(errors?.[0]?.originalError).toMatchObject({
    ...{ code: 'UPSTREAM_TIMEOUT', reason: 'HEIGHT_NOT_REACHED', service: 'galley-1' },
  })
  expect(world.poller.inFlight).toBe(0)
})

test('the freshness of an indexer is the age of its newest block', async () => {
  await using world = await startRouterWorld()
  const { chain } = await world.data(`{ chain(chainId: "galley-1") {
    freshness { height timestamp ageMs }
    block(height: 60) { timestamp }
  } }`)
  expect(chain.freshness).toMatchObject({ height: 60, timestamp: chain.block.timestamp })
  expect(chain.freshness.ageMs).toBeTypeOf('number')
})
