import { expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../../../packages/sandbox/src/sandbox.ts'
import { createWorld } from '../../../../../packages/sandbox/src/world/world.ts'
import { type RouterWorld, startRouterWorld, type Watch } from '../../../../support/routerWorld.ts'
import { type Data, now, youngChains } from '../../../../support/world.ts'

const chainId = 'galley-1'
const blockMs = 2_000

interface MovingWorld extends AsyncDisposable {
  readonly world: RouterWorld
  /** Has the indexers of the same chains, with other records. */
  readonly next: Sandbox
  /** Serves the chain from the other indexer. */
  move(): void
  /** Serves the other chains only. */
  remove(): void
}

async function startMovingWorld(seed = 'next'): Promise<MovingWorld> {
  const world = await startRouterWorld({ feeds: { headPace: { fullPaceViewers: 1 } } })
  const clock = () => now + world.clock.now()
  const next = await startSandbox({ clock, chains: youngChains(60), seed })
  const others = world.sandbox.indexers.filter((chain) => chain.chainId !== chainId)
  const moved = next.indexers.filter((chain) => chain.chainId === chainId)
  return {
    ...{ world, next },
    move: () => world.updateChains({ chains: [...others, ...moved] }),
    remove: () => world.updateChains({ chains: others }),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await next.close()
    },
  }
}

const sentTo = ({ requests }: Sandbox) => requests.splice(0).filter((line) => line.startsWith(chainId))

const hashAt = async ({ indexers }: Sandbox, height: number): Promise<string> => {
  const url = indexers.find((chain) => chain.chainId === chainId)?.url
  const json = await (await fetch(`${url}/indexer/block/v1/blocks/${height}`)).json()
  return json.block.hash
}

const gone = { code: 'UPSTREAM_UNAVAILABLE', reason: 'CHAIN_REMOVED', service: chainId }

const blocks = `subscription ($chainId: ChainId!) {
  blocks(chainId: $chainId) { cursor node { height hash } notice { kind } }
}`

test('blocks continue from the new indexer without a gap', async () => {
  await using moving = await startMovingWorld()
  const { world, next } = moving
  const watches = await Promise.all(Array.from({ length: 3 }, () => world.watch(blocks, { chainId })))
  await world.clock.advance(5 * blockMs + 999)
  moving.move()
  sentTo(world.sandbox)
  await world.clock.advance(5 * blockMs)
  expect(sentTo(world.sandbox)).toEqual([])
  for (const { events, end } of watches) {
    const nodes = events.map((event: Data) => event.blocks.node)
    expect(nodes.map(({ height }: Data) => height)).toEqual([61, 62, 63, 64, 65, 66, 67, 68, 69, 70])
    expect(nodes[4].hash).toBe(await hashAt(world.sandbox, 65))
    expect(nodes[5].hash).toBe(await hashAt(next, 66))
    expect(end).toBeUndefined()
  }
  sentTo(next)
  await Promise.all(watches.map((watch) => watch.leave()))
  await world.clock.advance(20_000)
  expect(sentTo(next)).toEqual([])
})

test('a subscriber without a block yet misses none when the indexer moves', async () => {
  await using moving = await startMovingWorld()
  const { world } = moving
  const watch = await world.watch(blocks, { chainId })
  await world.clock.advance(500)
  // The indexer is left before it shows the next blocks.
  world.sandbox.faults.set(chainId, '/', { kind: 'status', status: 503 })
  await world.clock.advance(3 * blockMs)
  moving.move()
  await world.clock.advance(2_000)
  const heights = watch.events.map((event: Data) => event.blocks.node?.height)
  expect(heights.slice(0, 3)).toEqual([61, 62, 63])
})

for (const [name, document] of Object.entries({
  blocks,
  transaction: `subscription ($chainId: ChainId!) {
    transaction(chainId: $chainId, hash: "${'AB'.repeat(32)}") { hash }
  }`,
  chainHeads: `subscription ($chainId: ChainId!) {
    chainHeads(chainIds: ["harbor-1", $chainId]) { height }
  }`,
  activity: `subscription ($chainId: ChainId!) {
    activity(address: "0x${'12'.repeat(20)}", chainIds: [$chainId]) { cursor }
  }`,
})) {
  test(`${name} of a removed chain ends with an error code`, async () => {
    await using moving = await startMovingWorld()
    const { world } = moving
    const watch = await world.watch(document, { chainId })
    await world.clock.advance(3 * blockMs)
    expect(watch.end).toBeUndefined()
    moving.remove()
    sentTo(world.sandbox)
    await world.clock.advance(3 * blockMs)
    expect(watch.end).toMatchObject(gone)
    expect(sentTo(world.sandbox)).toEqual([])
  })
}

test('chainHeads continues from the new indexer without repeats', async () => {
  await using moving = await startMovingWorld()
  const { world, next } = moving
  const watch = await world.watch('subscription { chainHeads { chain { chainId } height } }')
  await world.clock.advance(3 * blockMs + 999)
  moving.move()
  sentTo(world.sandbox)
  await world.clock.advance(3 * blockMs)
  expect(sentTo(world.sandbox)).toEqual([])
  expect(sentTo(next).length).toBeGreaterThan(0)
  const heads = watch.events.map(({ chainHeads }: Data) => chainHeads)
  const heights = heads.flatMap(({ chain, height }: Data) => (chain.chainId === chainId ? [height] : []))
  expect(heights).toEqual([60, 61, 62, 63, 64, 65, 66])
  const texts = heads.map((head: Data) => JSON.stringify(head))
  expect(new Set(texts).size).toBe(texts.length)
})

test('a transaction is found on the new indexer of its chain', async () => {
  await using moving = await startMovingWorld()
  const { world, next } = moving
  const url = next.indexers.find((chain) => chain.chainId === chainId)?.url
  const list = await (await fetch(`${url}/indexer/tx/v1/txs?pagination.limit=1`)).json()
  const [{ txhash }] = list.txs
  const watch = await world.watch(
    `subscription { transaction(chainId: "${chainId}", hash: "${txhash}") {
      node { ... on IndexedTransaction { hash } }
    } }`,
  )
  await world.clock.advance(2 * blockMs)
  expect(watch.events).toEqual([{ transaction: { node: null } }])
  moving.move()
  await world.clock.advance(2 * blockMs)
  expect(watch.events.at(-1)).toEqual({ transaction: { node: { hash: txhash } } })
  expect(watch.end).toBe('completed')
})

const activity = `subscription ($address: Address!) {
  activity(address: $address) {
    cursor chain { chainId } node { ... on IndexedTransaction { hash height } } notice { kind message }
  }
}`

/** The hashes of the transactions of an account after a height, oldest first, as the indexer lists them. */
async function listOf({ indexers }: Sandbox, id: string, address: string, after: number) {
  const url = indexers.find((chain) => chain.chainId === id)?.url
  const query = 'pagination.limit=1000&pagination.reverse=false'
  const { txs }: Data = await (await fetch(`${url}/indexer/tx/v1/txs/by_account/${address}?${query}`)).json()
  return txs.filter(({ height }: Data) => Number(height) > after).map(({ txhash }: Data) => txhash)
}

const hashesOf = ({ events }: Pick<Watch, 'events'>, id: string): string[] =>
  events.flatMap(({ activity: { chain, node } }: Data) => (chain.chainId === id && node ? [node.hash] : []))

/** An account that is in many transactions of the chain: the one that collects its fees. */
function collectorOf(id: string): string {
  const chain = youngChains(60).find((young) => young.chainId === id)
  if (!chain) throw new Error('no chain')
  return createWorld(chain, 'portolan', () => now).fixtures.feeCollector.bech32
}

const activeIds = [chainId, 'harbor-1']

const watchActivity = (world: RouterWorld) =>
  Promise.all(activeIds.map((id) => world.watch(activity, { address: collectorOf(id) })))

test('activity continues from another URL with the same records once and in order', async () => {
  await using moving = await startMovingWorld('portolan')
  const { world, next } = moving
  const watches = await watchActivity(world)
  await world.clock.advance(20 * blockMs)
  moving.move()
  await world.clock.advance(blockMs)
  sentTo(world.sandbox)
  await world.clock.advance(20 * blockMs + 999)
  expect(sentTo(world.sandbox)).toEqual([])
  for (const [index, id] of activeIds.entries()) {
    const seen = hashesOf(watches[index] ?? { events: [] }, id)
    expect(seen).toEqual(await listOf(next, id, collectorOf(id), 60))
    expect(seen.length).toBeGreaterThan(3)
  }
})

test('activity of several chains continues without a removed one, with one notice', async () => {
  await using moving = await startMovingWorld()
  const { world } = moving
  const watches = await watchActivity(world)
  await world.clock.advance(10 * blockMs)
  moving.remove()
  sentTo(world.sandbox)
  await world.clock.advance(20 * blockMs + 2_999)
  expect(sentTo(world.sandbox)).toEqual([])
  const removed = { kind: 'REMOVED', message: `${chainId} is no longer served.` }
  for (const { events, end } of watches) {
    const notices = events.flatMap(({ activity: { chain, notice } }: Data) => (notice ? [[chain.chainId, notice]] : []))
    expect(notices).toEqual([[chainId, removed]])
    expect(end).toBeUndefined()
  }
  const seen = hashesOf(watches[1] ?? { events: [] }, 'harbor-1')
  expect(seen).toEqual(await listOf(world.sandbox, 'harbor-1', collectorOf('harbor-1'), 60))
  expect(seen.length).toBeGreaterThan(3)
})
