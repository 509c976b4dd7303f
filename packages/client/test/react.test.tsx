import { QueryClient } from '@tanstack/react-query'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Client } from '../src/client.ts'
import { PortolanError } from '../src/portolanError.ts'
import {
  queryOptions,
  useConnectionProblem,
  useConnectionStatus,
  useLatest,
  useLiveConnection,
  useLiveList,
  usePages,
  useQuery,
} from '../src/react.ts'
import { mount } from './support/mount.tsx'
import { type BlocksData, blocksDocument, chainId, clientOf, startWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

function show(client: Client, Component: () => React.ReactNode) {
  const { text, unmount } = mount(client, <Component />)
  const numbers = () => text().split(' ').filter(Boolean).map(Number)
  return { text, numbers, unmount }
}

const isRow = (heights: readonly number[]) => heights.every((height, index) => height === Number(heights[0]) - index)

test('useLiveList shows each event once in StrictMode, over one socket', async () => {
  const before = world.proxy.opened
  const page = show(clientOf(world), () => {
    const { data } = useLiveList<BlocksData, object>(blocksDocument, { chainId }, { limit: 4 })
    return data.map(({ blocks }) => blocks.node?.height).join(' ')
  })
  await vi.waitFor(() => expect(page.numbers()).toHaveLength(4), 10_000)
  expect(isRow(page.numbers())).toBe(true)
  expect(world.proxy.opened - before).toBe(1)
  world.proxy.cut()
  const [newest = 0] = page.numbers()
  await vi.waitFor(() => expect(page.numbers()[0]).toBeGreaterThan(newest + 2), 10_000)
  expect(isRow(page.numbers())).toBe(true)
  page.unmount()
})

test('useLatest shows the latest event', async () => {
  const page = show(clientOf(world), () => {
    const { data, status } = useLatest<BlocksData, object>(blocksDocument, { chainId })
    return `${data?.blocks.node?.height ?? 0} ${status === 'live' ? 1 : 0}`
  })
  await vi.waitFor(() => expect(page.numbers()[1]).toBe(1), 10_000)
  await vi.waitFor(() => expect(page.numbers()[0]).toBeGreaterThan(0), 10_000)
  page.unmount()
})

interface Block {
  readonly height: number
}

interface BlockNodes {
  readonly nodes: readonly Block[]
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string }
}

interface BlockPage {
  readonly chain: {
    readonly blocks: { edges: { cursor: string; node: Block }[]; pageInfo: { endCursor: string } }
  }
}

test('useLiveConnection adds live rows at the top and pages at the end', async () => {
  let more: () => Promise<void> = async () => {}
  const page = show(clientOf(world), () => {
    const { rows, loadMore } = useLiveConnection({
      page: `query ($chainId: ChainId!, $after: String) { chain(chainId: $chainId) {
        blocks(first: 4, after: $after) { edges { cursor node { height } } pageInfo { endCursor } } } }`,
      live: blocksDocument,
      ...{ pageVariables: { chainId }, liveVariables: { chainId } },
      cursorOf: ({ chain }: BlockPage) => chain.blocks.edges[0]?.cursor,
      rowsOf: ({ chain }: BlockPage): Block[] => chain.blocks.edges.map(({ node }) => node),
      rowOf: ({ blocks }: BlocksData): Block | null => blocks.node,
      keyOf: ({ height }) => height,
      endCursorOf: ({ chain }) => chain.blocks.pageInfo.endCursor,
    })
    more = loadMore
    return rows.map(({ height }) => height).join(' ')
  })
  await vi.waitFor(() => expect(page.numbers().length).toBeGreaterThan(5), 10_000)
  await more()
  await vi.waitFor(() => expect(page.numbers().length).toBeGreaterThan(9), 10_000)
  await more()
  await vi.waitFor(() => expect(page.numbers().length).toBeGreaterThan(13), 10_000)
  expect(isRow(page.numbers())).toBe(true)
  page.unmount()
})

test('useQuery and usePages read a list of a gateway, page by page', async () => {
  let more: () => Promise<void> = async () => {}
  const page = show(clientOf(world), () => {
    const query = useQuery<{ chain: { blocks: BlockNodes } }, { chainId: string }>(
      `query ($chainId: ChainId!, $after: String) {
        chain(chainId: $chainId) { blocks(first: 4, after: $after) { nodes { height } pageInfo { hasNextPage endCursor } } }
      }`,
      { chainId },
    )
    const { rows, loadMore } = usePages(query, {
      rowsOf: ({ chain }) => chain.blocks.nodes,
      pageInfoOf: ({ chain }) => chain.blocks.pageInfo,
    })
    more = loadMore
    return rows.map(({ height }) => height).join(' ')
  })
  await vi.waitFor(() => expect(page.numbers()).toHaveLength(4), 10_000)
  await more()
  await vi.waitFor(() => expect(page.numbers()).toHaveLength(8), 10_000)
  expect(isRow(page.numbers())).toBe(true)
  page.unmount()
})

test('a partly failed list is shown with its error', async () => {
  const error: Record<string, string | undefined> = {}
  let more: () => Promise<void> = async () => {}
  const page = show(clientOf(world), () => {
    const list = useLiveConnection({
      page: `query ($chainId: ChainId!, $after: String) {
        chain(chainId: $chainId) {
          blocks(first: 4, after: $after) { edges { cursor node { height } } pageInfo { endCursor } }
        }
        other: chain(chainId: "lantern-1") { blocks(first: 1) { nodes { height } } }
      }`,
      live: blocksDocument,
      ...{ pageVariables: { chainId }, liveVariables: { chainId } },
      cursorOf: ({ chain }: BlockPage) => chain.blocks.edges[0]?.cursor,
      rowsOf: ({ chain }: BlockPage): Block[] => chain.blocks.edges.map(({ node }) => node),
      rowOf: ({ blocks }: BlocksData): Block | null => blocks.node,
      keyOf: ({ height }) => height,
      endCursorOf: ({ chain }) => chain.blocks.pageInfo.endCursor,
    })
    more = list.loadMore
    error.service = list.error?.service
    return list.rows.map(({ height }) => height).join(' ')
  })
  const fail = () => world.sandbox.faults.set('lantern-1', '/', { kind: 'status', status: 500 })
  try {
    await vi.waitFor(() => expect(page.numbers().length).toBeGreaterThan(4), 10_000)
    expect(error.service).toBeUndefined()
    fail()
    await vi.waitFor(async () => {
      await more()
      expect(error.service).toBe('lantern-1')
    }, 10_000)
    expect(page.numbers().length).toBeGreaterThan(8)
    expect(isRow(page.numbers())).toBe(true)
  } finally {
    world.sandbox.faults.clear('lantern-1')
    page.unmount()
  }
})

test('useConnectionStatus shows a lost connection after five seconds', async () => {
  vi.useFakeTimers()
  try {
    let status: Client['status'] = 'live'
    const listeners = new Set<() => void>()
    const client = {
      get status() {
        return status
      },
      onStatus(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    } as unknown as Client
    const page = show(client, () => useConnectionStatus())
    const become = async (next: Client['status'], ms: number) => {
      status = next
      for (const listener of listeners) listener()
      await vi.advanceTimersByTimeAsync(ms)
      return page.text()
    }
    await vi.advanceTimersByTimeAsync(100)
    expect(await become('offline', 4_900)).toBe('live')
    expect(await become('live', 4_900)).toBe('live')
    expect(await become('offline', 5_100)).toBe('offline')
    expect(await become('live', 100)).toBe('live')
    page.unmount()
  } finally {
    vi.useRealTimers()
  }
})

test('useConnectionProblem shows the problem while there is one', async () => {
  const listeners = new Set<() => void>()
  const client = {
    problem: undefined as PortolanError | undefined,
    onStatus(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const page = show(client as unknown as Client, () => useConnectionProblem()?.code ?? 'none')
  for (const problem of [undefined, new PortolanError('BUFFERED', 'A proxy buffers.'), undefined]) {
    client.problem = problem
    for (const listener of listeners) listener()
    await vi.waitFor(() => expect(page.text()).toBe(problem?.code ?? 'none'))
  }
  page.unmount()
})

test('queryOptions work with TanStack Query', async () => {
  const client = clientOf(world)
  const queries = new QueryClient()
  const options = queryOptions<{ service: { version: string } }, object>(
    client,
    'query Version { service { version } }',
  )
  const { service } = await queries.fetchQuery(options)
  expect(service.version).toMatch(/^\d/)
  expect(queries.getQueryData(options.queryKey)).toEqual({ service })
})
