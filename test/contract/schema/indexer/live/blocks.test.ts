import { expect, test } from 'vitest'
import { type RouterWorld, startRouterWorld, type Watch } from '../../../../support/routerWorld.ts'
import { type Data, youngChains } from '../../../../support/world.ts'

const chainId = 'galley-1'
const blockMs = 2_000
const slowChainId = 'lantern-1'
const listPath = '/indexer/block/v1/blocks'

/** Each viewer sees a block within a second. */
const fullPace = { feeds: { headPace: { fullPaceViewers: 1 } } }

const document = `subscription ($chainId: ChainId!, $after: String) {
  blocks(chainId: $chainId, after: $after) {
    cursor headHeight
    node { height hash }
    notice { kind message headHeight firstMissingHeight lastMissingHeight }
  }
}`

const watchBlocks = (world: RouterWorld, after?: string) => world.watch(document, { chainId, after })

const heightsOf = ({ events }: Watch): number[] =>
  events.filter(({ blocks }: Data) => blocks.node).map(({ blocks }: Data) => blocks.node.height)

const noticesOf = ({ events }: Watch) => events.flatMap(({ blocks }: Data) => (blocks.notice ? [blocks.notice] : []))

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

/** Requests to the indexer since the last look. */
const requests = (world: RouterWorld) => world.sandbox.requests.splice(0).filter((line) => line.startsWith(chainId))

test('all subscribers get each new block once, for about one request per block', async () => {
  await using world = await startRouterWorld()
  const watches = await Promise.all(Array.from({ length: 50 }, () => watchBlocks(world)))
  await world.clock.advance(0)
  requests(world)
  await world.clock.advance(20_999)
  expect(requests(world).length).toBeLessThanOrEqual(10 + 3)
  for (const watch of watches) expect(heightsOf(watch)).toEqual(range(61, 70))
  const blocks = watches[0]?.events.at(-1).blocks
  const { chain } = await world.data(`{ chain(chainId: "${chainId}") { block(height: 70) { hash } } }`)
  expect(blocks.node.hash).toBe(chain.block.hash)
  await Promise.all(watches.map((watch) => watch.leave()))
  requests(world)
  await world.clock.advance(20_000)
  expect(requests(world)).toEqual([])
})

test('blocks resume after the cursor of the last event', async () => {
  await using world = await startRouterWorld(fullPace)
  const first = await watchBlocks(world)
  await world.clock.advance(3 * blockMs)
  await first.leave()
  await world.clock.advance(250 * blockMs)
  const second = await watchBlocks(world, first.events.at(-1).blocks.cursor)
  await world.clock.advance(3 * blockMs + 999)
  expect([...heightsOf(first), ...heightsOf(second)]).toEqual(range(61, 316))
  expect(requests(world).filter((line) => line.includes(listPath)).length).toBeLessThan(25)
})

for (const order of ['ASC', 'DESC']) {
  test(`blocks continue after a page in ${order} order`, async () => {
    await using world = await startRouterWorld(fullPace)
    const page = `{ chain(chainId: "${chainId}") {
      blocks(first: 3, order: ${order}) { edges { cursor node { height } } }
    } }`
    const { edges } = (await world.data(page)).chain.blocks
    const last = order === 'ASC' ? edges[2] : edges[0]
    const watch = await watchBlocks(world, last.cursor)
    await world.clock.advance(blockMs)
    expect(heightsOf(watch)).toEqual(range(last.node.height + 1, 61))
  })
}

test('a cursor of live blocks is valid for pages', async () => {
  await using world = await startRouterWorld()
  const watch = await watchBlocks(world)
  await world.clock.advance(3 * blockMs)
  const [{ blocks }] = watch.events
  const { chain } = await world.data(`{ chain(chainId: "${chainId}") {
    blocks(order: ASC, first: 5, after: "${blocks.cursor}") { nodes { height } }
  } }`)
  expect(chain.blocks.nodes).toEqual([{ height: 62 }, { height: 63 }])
})

test('an indexer that is down gives one LATE notice, and no blocks are lost', async () => {
  await using world = await startRouterWorld(fullPace)
  const watch = await watchBlocks(world)
  await world.clock.advance(2 * blockMs + 999)
  for (const path of [listPath, '/status']) {
    world.sandbox.faults.set(chainId, path, { kind: 'status', status: 503, times: 1_000 })
  }
  await world.clock.advance(90_000)
  expect(heightsOf(watch)).toEqual([61, 62])
  expect(noticesOf(watch)).toMatchObject([{ kind: 'LATE', headHeight: 62 }])
  world.sandbox.faults.clear()
  await world.clock.advance(62_000)
  expect(heightsOf(watch)).toEqual(range(61, 138))
})

test('a head that moves back gives a notice, and no block is repeated', async () => {
  await using world = await startRouterWorld(fullPace)
  const watch = await watchBlocks(world)
  const url = world.sandbox.indexers.find((indexer) => indexer.chainId === chainId)?.url
  const json = await (await fetch(`${url}${listPath}?pagination.limit=10`)).json()
  await world.clock.advance(3 * blockMs)
  world.sandbox.faults.set(chainId, listPath, { kind: 'answer', json, times: 4 })
  await world.clock.advance(10 * blockMs + 999)
  expect(noticesOf(watch)).toMatchObject([{ kind: 'HEAD_BEHIND', headHeight: 60 }])
  expect(heightsOf(watch)).toEqual(range(61, 73))
})

test('missing blocks give a notice, and later blocks follow', async () => {
  await using world = await startRouterWorld()
  const { edges } = (
    await world.data(`{ chain(chainId: "${chainId}") {
    blocks(first: 3) { edges { cursor } }
  } }`)
  ).chain.blocks
  const fault = { kind: 'status', status: 404, times: 1_000 } as const
  for (const height of [64, 65]) world.sandbox.faults.set(chainId, `${listPath}/${height}`, fault)
  const url = world.sandbox.indexers.find((indexer) => indexer.chainId === chainId)?.url
  await world.clock.advance(10 * blockMs)
  const page = await (await fetch(`${url}${listPath}?pagination.limit=20`)).json()
  const blocks = page.blocks.filter(({ height }: Data) => height !== '64' && height !== '65')
  world.sandbox.faults.set(chainId, `${listPath}?`, {
    ...{ kind: 'answer', times: 1_000 },
    json: { ...page, blocks },
  })
  const watch = await watchBlocks(world, edges[0].cursor)
  await world.clock.advance(25_000)
  expect(noticesOf(watch)).toMatchObject([{ kind: 'MISSING', firstMissingHeight: 64, lastMissingHeight: 65 }])
  expect(heightsOf(watch)).toEqual([61, 62, 63, 66, 67, 68, 69, 70])
})

test('the time that a block is missing is remembered across subscriptions', async () => {
  await using world = await startRouterWorld()
  const { edges } = (await world.data(`{ chain(chainId: "${chainId}") { blocks(first: 1) { edges { cursor } } } }`))
    .chain.blocks
  const { cursor } = edges[0]
  const isThere = ({ height }: Data) => height !== '61' && height !== '62'
  world.sandbox.faults.set(chainId, listPath, {
    kind: 'change',
    change: (json: Data) => ({ ...json, blocks: json.blocks?.filter(isThere) }),
  })
  const fault = { kind: 'status', status: 404, times: 1_000 } as const
  for (const height of [61, 62]) world.sandbox.faults.set(chainId, `${listPath}/${height}`, fault)
  await world.clock.advance(5 * blockMs)
  // No session is as long as the wait for a missing block, and nobody listens between two of them.
  const sessions: Watch[] = []
  for (let session = 0; session < 5; session += 1) {
    const watch = await watchBlocks(world, cursor)
    await world.clock.advance(5_000)
    await watch.leave()
    await world.clock.advance(2_000)
    sessions.push(watch)
  }
  const told = sessions.map((watch) => noticesOf(watch).map(({ kind }) => kind))
  expect(told).toEqual([[], [], ['MISSING'], ['MISSING'], ['MISSING']])
  expect(heightsOf(sessions[3] as Watch).slice(0, 3)).toEqual([63, 64, 65])
  // Those who come now do not wait at all.
  const late = await watchBlocks(world, cursor)
  await world.clock.advance(0)
  expect(heightsOf(late)[0]).toBe(63)
})

/** Removes the hashes of some blocks from each response that has them, so that they cannot be read. */
function hideHashes(world: RouterWorld, heights: readonly number[], of = chainId) {
  const hide = (block: Data) => (heights.includes(Number(block.height)) ? { ...block, hash: null } : block)
  world.sandbox.faults.set(of, listPath, {
    kind: 'change',
    change: (json: Data) =>
      json.blocks ? { ...json, blocks: json.blocks.map(hide) } : { ...json, block: json.block && hide(json.block) },
  })
}

test('an unreadable block gives a notice at once, and later blocks are on time', async () => {
  await using world = await startRouterWorld(fullPace)
  hideHashes(world, [62, 65, 66])
  const watch = await watchBlocks(world)
  await world.clock.advance(3 * blockMs + 999)
  expect(heightsOf(watch)).toEqual([61, 63])
  expect(noticesOf(watch)).toMatchObject([{ kind: 'MISSING', firstMissingHeight: 62, lastMissingHeight: 62 }])
  expect(noticesOf(watch)[0].message).toContain('has block 62, but what it returns cannot be read')
  await world.clock.advance(5 * blockMs)
  expect(heightsOf(watch).slice(0, 4)).toEqual([61, 63, 64, 67])
})

test('the block after an unreadable one is not delayed', async () => {
  await using world = await startRouterWorld()
  hideHashes(world, [76], slowChainId)
  const watch = await world.watch(
    `subscription { blocks(chainId: "${slowChainId}") { node { height timestamp } notice { kind } } }`,
  )
  /** How many milliseconds after its time each block came. */
  const delays = new Map<number, number>()
  while (!delays.has(77)) {
    await world.clock.advance(50)
    for (const { blocks } of watch.events as Data[]) {
      const { height, timestamp } = blocks.node ?? {}
      if (height !== undefined && !delays.has(height)) delays.set(height, world.clock.date() - Date.parse(timestamp))
    }
  }
  expect(delays.has(76)).toBe(false)
  expect(delays.get(77)).toBeLessThanOrEqual((delays.get(75) ?? 0) + 100)
})

test('an unreadable block that came with the head needs no request before the next block', async () => {
  await using world = await startRouterWorld(fullPace)
  hideHashes(world, [63, 64])
  const watch = await watchBlocks(world)
  await world.clock.advance(2 * blockMs + 999)
  requests(world)
  await world.clock.advance(3 * blockMs)
  expect(heightsOf(watch)).toEqual([61, 62, 65])
  expect(noticesOf(watch)).toMatchObject([{ firstMissingHeight: 63, lastMissingHeight: 64 }])
  const others = requests(world).filter((line) => !line.includes('pagination.limit=10&'))
  expect(others).toEqual([])
})

test('unreadable blocks do not stop a list that is read one by one', async () => {
  await using world = await startRouterWorld(fullPace)
  const { edges } = (await world.data(`{ chain(chainId: "${chainId}") { blocks(first: 1) { edges { cursor } } } }`))
    .chain.blocks
  await world.clock.advance(20 * blockMs)
  const fault = { kind: 'status', status: 400, times: 1_000 } as const
  hideHashes(world, [64, 65])
  world.sandbox.faults.set(chainId, `${listPath}?pagination.key`, fault)
  const watch = await watchBlocks(world, edges[0].cursor)
  await world.clock.advance(blockMs)
  expect(heightsOf(watch).slice(0, 6)).toEqual([61, 62, 63, 66, 67, 68])
  expect(noticesOf(watch)).toMatchObject([{ firstMissingHeight: 64, lastMissingHeight: 65 }])
})

test('a chain with only unreadable blocks is LATE, and its blocks come later', async () => {
  await using world = await startRouterWorld(fullPace)
  const watch = await watchBlocks(world)
  await world.clock.advance(0)
  hideHashes(world, range(61, 200))
  await world.clock.advance(60_000)
  expect(heightsOf(watch)).toEqual([])
  expect(noticesOf(watch)).toMatchObject([{ kind: 'LATE' }])
  world.sandbox.faults.clear()
  await world.clock.advance(30_000)
  expect(heightsOf(watch).slice(0, 3)).toEqual([61, 62, 63])
})

test('a thousand missed blocks with gaps are caught up within a second', async () => {
  await using world = await startRouterWorld()
  const page = `{ chain(chainId: "${chainId}") { blocks(first: 1) { edges { cursor } } } }`
  const { edges } = (await world.data(page)).chain.blocks
  const missing = range(1, 9).map((index) => 50 + index * 100)
  world.sandbox.faults.set(chainId, listPath, {
    kind: 'change',
    change: (json: Data) => ({
      ...json,
      blocks: json.blocks?.filter(({ height }: Data) => !missing.includes(Number(height))),
    }),
  })
  for (const height of missing)
    world.sandbox.faults.set(chainId, `${listPath}/${height}`, { kind: 'status', status: 404 })
  await world.clock.advance(1_000 * blockMs)
  requests(world)
  const watch = await watchBlocks(world, edges[0].cursor)
  await world.clock.advance(1_000)
  const heights = heightsOf(watch)
  expect(heights).toEqual(range(61, 1_060).filter((height) => !missing.includes(height)))
  expect(noticesOf(watch).map(({ firstMissingHeight }: Data) => firstMissingHeight)).toEqual(missing)
  // A request for each range, and two for each gap: one for the rest of the range, and one to be sure.
  expect(requests(world).length).toBeLessThan(50)
})

test('an `after` too far back ends blocks with QUERY_TOO_COMPLEX', async () => {
  await using world = await startRouterWorld({ chains: youngChains(10_060) })
  const page = `{ chain(chainId: "${chainId}") {
    blocks(first: 2, order: ASC) { edges { cursor } }
  } }`
  const { cursor } = (await world.data(page)).chain.blocks.edges[1]
  await expect(watchBlocks(world, cursor)).rejects.toMatchObject({ code: 'QUERY_TOO_COMPLEX' })
})

test('blocks refuses invalid arguments without a request', async () => {
  await using world = await startRouterWorld()
  const { edges } = (
    await world.data(`{ chain(chainId: "harbor-1") {
    blocks(first: 1) { edges { cursor } }
  } }`)
  ).chain.blocks
  requests(world)
  for (const args of [{ chainId: 'nowhere-1' }, { chainId, after: 'x' }, { chainId, after: edges[0].cursor }]) {
    await expect(world.watch(document, args)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  }
  await world.clock.advance(5_000)
  expect(requests(world)).toEqual([])
})
