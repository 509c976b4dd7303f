import { expect, test } from 'vitest'
import { createWorld } from '../../../../../packages/sandbox/src/world/world.ts'
import { type RouterWorld, startRouterWorld } from '../../../../support/routerWorld.ts'
import { type Data, youngChains } from '../../../../support/world.ts'

const document = `subscription ($chainId: ChainId!, $hash: Hash!) {
  transaction(chainId: $chainId, hash: $hash) {
    chain { chainId } hash node { __typename ... on IndexedTransaction { hash height } }
  }
}`

/** The first transactions of a block that may not exist yet. */
function hashesAt(chainId: string, height: number) {
  const chain = youngChains(60).find((candidate) => candidate.chainId === chainId)
  if (!chain) throw new Error('no chain')
  const world = createWorld(chain, 'portolan', () => Number.MAX_SAFE_INTEGER)
  const native = world.transactionsAt(height)
  return {
    native: native[0]?.hash ?? '',
    evm: native.find(({ evmHash }) => evmHash)?.evmHash ?? '',
  }
}

const lookUps = (world: RouterWorld) =>
  world.sandbox.requests.splice(0).filter((line) => line.includes('/indexer/tx/v1/'))

const nodesOf = (events: readonly Data[]) => events.map(({ transaction }) => transaction.node)

for (const [chainId, blockMs, kind] of [
  ['galley-1', 2_000, 'native'],
  ['galley-1', 2_000, 'evm'],
  ['lantern-1', 3_000, 'native'],
] as const) {
  test(`a ${kind} transaction of ${chainId} arrives when its block is indexed`, async () => {
    await using world = await startRouterWorld()
    const hash = hashesAt(chainId, 65)[kind]
    const watch = await world.watch(document, { chainId, hash: hash.toLowerCase() })
    await world.clock.advance(0)
    expect(nodesOf(watch.events)).toEqual([null])
    await world.clock.advance(5 * blockMs - 1)
    expect(watch.events).toHaveLength(1)
    await world.clock.advance(1_001)
    const type = kind === 'evm' ? 'EvmTransaction' : 'Transaction'
    expect(nodesOf(watch.events)).toEqual([null, { __typename: type, hash, height: 65 }])
    expect(watch.end).toBe('completed')
    world.sandbox.requests.length = 0
    await world.clock.advance(60_000)
    expect(world.sandbox.requests).toEqual([])
  })
}

test('an already indexed transaction is the only event', async () => {
  await using world = await startRouterWorld()
  const { native } = hashesAt('harbor-1', 57)
  const watch = await world.watch(document, { chainId: 'harbor-1', hash: native })
  await world.clock.advance(0)
  expect(nodesOf(watch.events)).toMatchObject([{ hash: native, height: 57 }])
  expect(watch.end).toBe('completed')
})

test('a hundred subscribers take one lookup per new block', async () => {
  await using world = await startRouterWorld()
  const { native: hash } = hashesAt('lantern-1', 70)
  const all = await Promise.all(
    Array.from({ length: 100 }, () => world.watch(document, { chainId: 'lantern-1', hash })),
  )
  await world.clock.advance(0)
  expect(lookUps(world).length).toBeLessThan(10)
  await world.clock.advance(29_000)
  expect(lookUps(world)).toHaveLength(9)
  await world.clock.advance(2_000)
  for (const { end } of all) expect(end).toBe('completed')
})

test('viewers who come within a second of a lookup share it', async () => {
  await using world = await startRouterWorld()
  const { native: hash } = hashesAt('lantern-1', 70)
  const view = () => world.watch(document, { chainId: 'lantern-1', hash })
  const first = await view()
  await world.clock.advance(0)
  expect(lookUps(world)).toHaveLength(1)
  const second = await view()
  await world.clock.advance(999)
  expect(nodesOf(second.events)).toEqual([null])
  expect(lookUps(world)).toHaveLength(0)
  await world.clock.advance(1_000)
  const third = await view()
  await world.clock.advance(0)
  expect(nodesOf(third.events)).toEqual([null])
  expect(lookUps(world)).toHaveLength(1)
  await world.clock.advance(29_001)
  for (const { events, end } of [first, second, third]) {
    expect(end).toBe('completed')
    expect(nodesOf(events).at(-1)).toMatchObject({ hash })
  }
})

test('indexer faults are tolerated, and an unknown hash ends with an error code', async () => {
  await using world = await startRouterWorld()
  const { native: hash } = hashesAt('galley-1', 64)
  const fault = { kind: 'status', status: 503, times: 6 } as const
  world.sandbox.faults.set('galley-1', '/indexer/tx/v1/', fault)
  const watch = await world.watch(document, { chainId: 'galley-1', hash })
  const lost = await world.watch(document, { chainId: 'galley-1', hash: 'f'.repeat(64) })
  await world.clock.advance(120_000)
  expect(watch.end).toBe('completed')
  expect(nodesOf(watch.events).at(-1)).toMatchObject({ hash })
  expect([nodesOf(lost.events), lost.end]).toEqual([[null], undefined])
  await world.clock.advance(9 * 60_000)
  expect(lost.end).toMatchObject({ code: 'UPSTREAM_REJECTED' })
})

test('each watched transaction counts for the limit of the client', async () => {
  await using world = await startRouterWorld({ poller: { maxTargetsPerClient: 2 } })
  const open = (digit: string) => world.watch(document, { chainId: 'galley-1', hash: digit.repeat(64) })
  const first = await open('a')
  await open('b')
  await expect(open('c')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  const again = await open('A')
  expect(again.end).toBeUndefined()
  await first.leave()
  await again.leave()
  const next = await open('c')
  expect(next.end).toBeUndefined()
})

test('an invalid hash and an unknown chain are refused', async () => {
  await using world = await startRouterWorld()
  for (const args of [
    { chainId: 'galley-1', hash: 'xyz' },
    { chainId: 'nowhere-1', hash: 'a'.repeat(64) },
  ]) {
    await expect(world.watch(document, args)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  }
})
