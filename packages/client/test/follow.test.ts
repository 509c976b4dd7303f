import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxChains } from '../../sandbox/src/chains.ts'
import { createWorld } from '../../sandbox/src/world/world.ts'
import { followConnection } from '../src/follow.ts'
import type { ResponseError } from '../src/portolanError.ts'
import { liveOver, refusal } from './support/standIn.ts'
import { type BlocksData, blocksDocument, chainId, clientOf, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

interface Block {
  readonly height: number
}

interface BlockPage {
  readonly chain: { readonly blocks: { readonly edges: { cursor: string; node: Block }[] } }
}

const blocks = (client: ReturnType<typeof clientOf>) =>
  followConnection(client, {
    page: 'query ($chainId: ChainId!) { chain(chainId: $chainId) { blocks(first: 5) { edges { cursor node { height } } } } }',
    live: blocksDocument,
    ...{ pageVariables: { chainId }, liveVariables: { chainId } },
    cursorOf: (page: BlockPage) => page.chain.blocks.edges[0]?.cursor,
    rowsOf: (page: BlockPage): Block[] => page.chain.blocks.edges.map(({ node }) => node),
    rowOf: (event: BlocksData): Block | null => event.blocks.node,
    keyOf: ({ height }) => height,
  })

test('live blocks continue after the page despite lost connections', async () => {
  const heights: number[] = []
  for await (const item of blocks(clientOf(world))) {
    if (item.kind === 'page') heights.push(...item.rows.map(({ height }) => height).toReversed())
    if (item.kind === 'row') heights.push(item.row.height)
    if (heights.length % 4 === 0) world.proxy.cut()
    if (heights.length >= 15) break
  }
  const [first = 0] = heights
  expect(heights).toEqual(heights.map((_, index) => first + index))
})

test('after a gap, the page is read again and continued', async () => {
  const pages: number[] = []
  let heights: number[] = []
  let restart: Promise<void> | undefined
  for await (const item of blocks(clientOf(world))) {
    if (item.kind === 'page') {
      heights = item.rows.map(({ height }) => height).toReversed()
      pages.push(heights.length)
    }
    if (item.kind === 'row') heights.push(item.row.height)
    if (heights.length === 7) {
      const other = { signingKeys: ['another key of thirty-two bytes!'] }
      restart ??= world.stop().then(() => world.start(other))
    }
    if (pages.length === 2 && heights.length >= 10) break
  }
  await restart
  await world.stop()
  await world.start()
  expect(pages).toEqual([5, 5])
  expect(heights).toEqual(heights.map((_, index) => Number(heights[0]) + index))
})

test('a list whose cursors are always refused is an error', async () => {
  const { query } = clientOf(world)
  const asked: unknown[] = []
  const client = {
    query,
    subscribe(_document: unknown, _variables: unknown, { resume }: { resume: string }) {
      asked.push(resume)
      return liveOver([(sink) => sink.next(refusal('BAD_USER_INPUT')), () => {}], { from: resume }).live
    },
  } as unknown as ReturnType<typeof clientOf>
  const pages: unknown[] = []
  const read = async () => {
    for await (const item of blocks(client)) pages.push(item.kind)
  }
  await expect(read()).rejects.toMatchObject({ code: 'BAD_USER_INPUT' })
  expect(pages).toEqual(['page', 'page', 'page'])
  expect(asked).toHaveLength(3)
})

interface Activity {
  readonly hash: string
}

interface ActivityPage {
  readonly account: { activity: { liveCursor: string; nodes: Activity[] } }
}

test('the activity of an account continues after its page', async () => {
  const chain = sandboxChains.find((one) => one.chainId === chainId)
  if (!chain) throw new Error('no chain')
  const address = createWorld(chain, 'portolan', Date.now).fixtures.feeCollector.hex
  const client = clientOf(world)
  const page = `query ($address: Address!, $first: Int!) {
    account(address: $address) { activity(first: $first, filter: { chainIds: ["${chainId}"] }) { liveCursor nodes { hash } } }
  }`
  const hashes: string[] = []
  const list = followConnection(client, {
    page,
    pageVariables: { address, first: 3 },
    live: `subscription LiveActivity($address: Address!, $after: String) {
      activity(address: $address, chainIds: ["${chainId}"], after: $after) { cursor node { hash } notice { kind } }
    }`,
    liveVariables: { address },
    cursorOf: ({ account }: ActivityPage) => account.activity.liveCursor,
    rowsOf: ({ account }: ActivityPage): Activity[] => account.activity.nodes,
    rowOf: ({ activity }: { activity: { node: Activity | null } }): Activity | null => activity.node,
    keyOf: ({ hash }) => hash,
  })
  for await (const item of list) {
    if (item.kind === 'page') hashes.push(...item.rows.map(({ hash }) => hash).toReversed())
    if (item.kind === 'row') hashes.push(item.row.hash)
    if (hashes.length % 3 === 0) world.proxy.cut()
    if (hashes.length >= 12) break
  }
  const now = await client.query<ActivityPage, object>(page, { address, first: 50 })
  const all = now.account.activity.nodes.map(({ hash }) => hash).toReversed()
  const start = all.indexOf(hashes[0] ?? '')
  expect(hashes).toEqual(all.slice(start, start + 12))
})

test('a page without a cursor is an error', async () => {
  const list = followConnection(clientOf(world), {
    page: '{ service { version } }',
    live: blocksDocument,
    ...{ cursorOf: () => null, rowsOf: () => [], rowOf: () => null, keyOf: () => 0 },
  })
  await expect(list.next()).rejects.toMatchObject({ code: 'NO_CURSOR' })
})

interface TwoChains extends BlockPage {
  readonly other: BlockPage['chain'] | { readonly blocks: null }
}

/** Blocks of one chain, on a page that has a block of another chain too. */
const twoChains = {
  page: `query ($chainId: ChainId!) {
    chain(chainId: $chainId) { blocks(first: 5) { edges { cursor node { height } } } }
    other: chain(chainId: "lantern-1") { blocks(first: 1) { edges { node { height } } } }
  }`,
  live: blocksDocument,
  ...{ pageVariables: { chainId }, liveVariables: { chainId } },
  cursorOf: ({ chain }: TwoChains) => chain.blocks.edges[0]?.cursor,
  rowsOf: ({ chain }: TwoChains): Block[] => chain.blocks.edges.map(({ node }) => node),
  rowOf: ({ blocks }: BlocksData): Block | null => blocks.node,
  keyOf: ({ height }: Block) => height,
}

test('a partly failed page is shown with its error and continued', async () => {
  world.sandbox.faults.set('lantern-1', '/', { kind: 'status', status: 500 })
  try {
    const heights: number[] = []
    for await (const item of followConnection(clientOf(world), twoChains)) {
      if (item.kind === 'page') {
        expect(item.error).toMatchObject({
          code: expect.stringMatching('UPSTREAM_'),
          service: 'lantern-1',
        })
        expect(item.data.other?.blocks ?? null).toBeNull()
        heights.push(...item.rows.map(({ height }) => height).toReversed())
      }
      if (item.kind === 'row') {
        expect(item.error).toBeUndefined()
        heights.push(item.row.height)
      }
      if (heights.length >= 8) break
    }
    expect(heights).toEqual(heights.map((_, index) => Number(heights[0]) + index))
  } finally {
    world.sandbox.faults.clear('lantern-1')
  }
})

test('an event with a failed row is an error, and the next events are rows', async () => {
  const { query } = clientOf(world)
  const at = (height: number | null, errors?: ResponseError[]) => ({
    data: { n: { cursor: String(height) }, blocks: { node: height === null ? null : { height } } },
    ...(errors && { errors }),
  })
  const failed = refusal('UPSTREAM_TIMEOUT').errors
  const client = {
    query,
    subscribe: () =>
      liveOver([
        (sink) => {
          sink.next(at(1e9))
          sink.next(at(null, failed))
          sink.next(at(1e9 + 1, failed))
        },
      ]).live,
  } as unknown as ReturnType<typeof clientOf>
  const seen: unknown[] = []
  for await (const item of blocks(client)) {
    if (item.kind === 'notice') continue
    seen.push([item.kind, item.error?.code])
    if (seen.length === 4) break
  }
  const timeout = 'UPSTREAM_TIMEOUT'
  expect(seen).toEqual([
    ['page', undefined],
    ['row', undefined],
    ['error', timeout],
    ['row', timeout],
  ])
})
