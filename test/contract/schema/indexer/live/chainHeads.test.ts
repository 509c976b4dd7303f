import { expect, test } from 'vitest'
import { startRouterWorld } from '../../../../support/routerWorld.ts'
import type { Data } from '../../../../support/world.ts'

/** Each viewer sees a block within a second. */
const fullPace = { feeds: { headPace: { fullPaceViewers: 1 } } }

const document = `subscription ($chainIds: [ChainId!]) {
  chainHeads(chainIds: $chainIds) { chain { chainId } height isLate block { height hash } }
}`

const textOf = ({ chainHeads: { chain, height, isLate, block } }: Data) => {
  expect(block?.height ?? null).toBe(height)
  return `${chain.chainId} ${height}${isLate ? ' late' : ''}`
}

test('chainHeads has the newest block of each chain at once, then each newer one', async () => {
  await using world = await startRouterWorld(fullPace)
  const watch = await world.watch(document)
  await world.clock.advance(0)
  expect(watch.events.map(textOf).toSorted()).toEqual(['galley-1 60', 'harbor-1 60', 'lantern-1 60'])
  await world.clock.advance(6_999)
  expect(watch.events.slice(3).map(textOf).toSorted()).toEqual([
    ...['galley-1 61', 'galley-1 62', 'galley-1 63'],
    ...['harbor-1 61', 'lantern-1 61', 'lantern-1 62'],
  ])
})

test('chainHeads and blocks share requests', async () => {
  await using world = await startRouterWorld()
  const blocks = 'subscription { blocks(chainId: "galley-1") { node { height hash } } }'
  await Promise.all(Array.from({ length: 20 }, () => world.watch(document)))
  await Promise.all(Array.from({ length: 20 }, () => world.watch(blocks)))
  await world.clock.advance(0)
  world.sandbox.requests.length = 0
  await world.clock.advance(10_000)
  // Blocks of the three chains, and some looks that come too early.
  expect(world.sandbox.requests.length).toBeLessThanOrEqual(2 + 5 + 3 + 10)
})

test('a chain that is down is late, and does not block others', async () => {
  await using world = await startRouterWorld(fullPace)
  for (const path of ['/indexer/block/v1/blocks', '/status']) {
    world.sandbox.faults.set('harbor-1', path, { kind: 'status', status: 503, times: 1_000 })
  }
  const watch = await world.watch(document, { chainIds: ['harbor-1', 'galley-1', 'harbor-1'] })
  await world.clock.advance(20 * 60_000 + 999)
  const texts = watch.events.map(textOf)
  expect(texts.filter((text: string) => text.startsWith('galley-1'))).toHaveLength(601)
  expect(new Set(texts.filter((text: string) => text.startsWith('harbor-1')))).toEqual(new Set(['harbor-1 null late']))
  expect(watch.end).toBeUndefined()
  world.sandbox.faults.clear()
  await world.clock.advance(20_000)
  expect(textOf(watch.events.findLast((event: Data) => textOf(event).includes('harbor')))).toBe('harbor-1 304')
})

test('chainHeads refuses a chain without an indexer', async () => {
  await using world = await startRouterWorld()
  await expect(world.watch(document, { chainIds: ['nowhere-1'] })).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  })
})
