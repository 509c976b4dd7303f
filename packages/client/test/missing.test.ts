import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Client } from '../src/client.ts'
import { followConnection } from '../src/follow.ts'
import { errorOf } from '../src/portolanError.ts'
import { type ConnectionState, connectionSource } from '../src/react/connection.ts'
import { liveOver } from './support/standIn.ts'

// Pages that lack a chain, over a stand-in for the gateway whose time the test moves.

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Row {
  /** The time of a transaction, by which the list is sorted. */
  readonly at: number
  readonly chain: string
}

interface Page {
  readonly rows: readonly Row[]
  readonly live: string
  readonly end: string | null
}

/** Transactions of two chains, and which of these answer. */
function startNetwork() {
  const rows: Row[] = Array.from({ length: 40 }, (_, i) => ({ at: i, chain: i % 2 === 0 ? 'a' : 'b' }))
  const down = new Set<string>()
  const asked: { readonly at: number; readonly after: string | undefined }[] = []
  const resumed: string[] = []
  let isNamedInData = false
  const start = Date.now()
  const query = async (
    _document: unknown,
    { after }: { after?: string },
    { onPartial, signal }: { onPartial: (error: unknown) => void; signal?: AbortSignal },
  ): Promise<Page> => {
    signal?.throwIfAborted()
    asked.push({ at: Date.now() - start, after })
    const newest = rows.toSorted((x, y) => y.at - x.at).filter(({ chain }) => !down.has(chain))
    const page = newest.filter(({ at }) => after === undefined || at < Number(after)).slice(0, 4)
    const unavailableChains = [...down].map((chainId) => ({ chainId, code: 'UPSTREAM_TIMEOUT' }))
    const extensions = { code: 'UPSTREAM_TIMEOUT', unavailableChains }
    if (down.size > 0 && !isNamedInData) onPartial(errorOf([{ message: 'Data of a chain is missing.', extensions }]))
    const end = page.at(-1)
    return {
      rows: page,
      live: `${newest[0]?.at}`,
      end: end && end.at > 1 ? String(end.at) : null,
      ...(isNamedInData && { unavailableChains }),
    }
  }
  const subscribe = (
    _document: unknown,
    _variables: unknown,
    { resume, signal }: { resume: string; signal: AbortSignal },
  ) => {
    resumed.push(resume)
    return liveOver([() => {}], { from: resume, signal }).live
  }
  return {
    ...{ rows, down, asked, resumed },
    nameInData() {
      isNamedInData = true
    },
    client: { query, subscribe } as unknown as Client,
  }
}

const options = {
  ...{ page: 'query', live: 'subscription', pageVariables: {}, liveVariables: {} },
  cursorOf: ({ live }: Page) => live,
  rowsOf: ({ rows }: Page) => rows,
  rowOf: (): Row | null => null,
  keyOf: ({ at }: Row) => at,
  endCursorOf: ({ end }: Page) => end,
}

const times = (rows: readonly Row[]) => rows.map(({ at }) => at)

test.each(['an error', 'data'])('a page that lacks a chain is read again, less and less often: by %s', async (by) => {
  const { client, down, asked, resumed, nameInData } = startNetwork()
  if (by === 'data') nameInData()
  down.add('b')
  const pages: number[][] = []
  const stop = new AbortController()
  const read = async () => {
    for await (const item of followConnection(client, { ...options, signal: stop.signal })) {
      if (item.kind === 'page') pages.push(times(item.rows))
    }
  }
  const done = read()
  await vi.advanceTimersByTimeAsync(150_000)
  expect(asked.map(({ at }) => at / 1000)).toEqual([0, 4, 12, 28, 60, 120])
  expect(pages).toEqual([[38, 36, 34, 32]])
  down.clear()
  await vi.advanceTimersByTimeAsync(30_000)
  expect(pages.slice(1)).toEqual([[39, 38, 37, 36]])
  // The live rows of the chain continue from its page.
  expect(resumed).toEqual(['38', '39'])
  const count = asked.length
  await vi.advanceTimersByTimeAsync(600_000)
  expect(asked).toHaveLength(count)
  stop.abort()
  await done
})

test('a list that is left asks no more', async () => {
  const { client, down, asked } = startNetwork()
  down.add('b')
  const list = followConnection<Page, object, never, object, Row>(client, options)
  await list.next()
  await list.return(undefined)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(asked).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

/** The state of a source that is shown. */
function open(network: ReturnType<typeof startNetwork>) {
  const source = connectionSource(network.client, options)
  let state: ConnectionState<Page, Row> = source.initial
  const stop = source.start((change) => {
    state = change(state)
  })
  return { source, stop, state: () => state }
}

test('older pages stay, and have the rows of the chain in their order', async () => {
  const network = startNetwork()
  network.down.add('b')
  const { source, stop, state } = open(network)
  await vi.advanceTimersByTimeAsync(0)
  await source.loadMore()
  await source.loadMore()
  expect(times(state().rows)).toEqual([38, 36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 16])
  expect(state().error?.unavailableChains).toEqual([{ chainId: 'b', code: 'UPSTREAM_TIMEOUT' }])
  network.down.clear()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(times(state().rows)).toEqual([39, 38, 37, 36, 35, 34, 33, 32, 31, 30, 29, 28])
  expect(state().error).toBeUndefined()
  await source.loadMore()
  expect(times(state().rows)).toEqual(Array.from({ length: 16 }, (_, i) => 39 - i))
  stop()
})

test('a chain that only older pages lack is read for these alone', async () => {
  const network = startNetwork()
  const { source, stop, state } = open(network)
  await vi.advanceTimersByTimeAsync(0)
  await source.loadMore()
  network.down.add('b')
  await source.loadMore()
  await source.loadMore()
  expect(times(state().rows)).toEqual([39, 38, 37, 36, 35, 34, 33, 32, 30, 28, 26, 24, 22, 20, 18, 16])
  expect(state().error?.code).toBe('UPSTREAM_TIMEOUT')
  const before = network.asked.length
  network.down.clear()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(times(state().rows)).toEqual(Array.from({ length: 16 }, (_, i) => 39 - i))
  expect(state().error).toBeUndefined()
  expect(network.asked.slice(before).map(({ after }) => after)).toEqual(['32', '28'])
  stop()
  await vi.advanceTimersByTimeAsync(0)
  expect(vi.getTimerCount()).toBe(0)
})

test('rows that are shown do not leave for those of another chain', async () => {
  const network = startNetwork()
  network.down.add('b')
  const { stop, state } = open(network)
  await vi.advanceTimersByTimeAsync(0)
  network.down.clear()
  network.down.add('a')
  await vi.advanceTimersByTimeAsync(4_000)
  expect(times(state().rows)).toEqual([38, 36, 34, 32])
  network.down.clear()
  await vi.advanceTimersByTimeAsync(8_000)
  expect(times(state().rows)).toEqual([39, 38, 37, 36])
  stop()
})

test('two readers who ask for more at once get one page', async () => {
  const network = startNetwork()
  const { source, stop, state } = open(network)
  await vi.advanceTimersByTimeAsync(0)
  await Promise.all([source.loadMore(), source.loadMore()])
  expect(times(state().rows)).toEqual([39, 38, 37, 36, 35, 34, 33, 32])
  expect(state().hasMore).toBe(true)
  stop()
})
