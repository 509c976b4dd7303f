import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import type { Graph } from '../src/graph.ts'
import { createMcpServer } from '../src/mcpServer.ts'
import { remoteGraph } from '../src/remoteGraph.ts'
import { tools } from '../src/tools/tools.ts'

// A call that its client cancels ends all that was sent for it.

const hash = 'AB'.repeat(32)
const chainId = 'roll'
const calls: Readonly<Record<string, Record<string, unknown>>> = {
  search: { text: 'roll' },
  chain_status: {},
  account_overview: { address: 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3' },
  account_activity: { address: 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3' },
  transaction: { hash },
  token_or_nft: { chainId, denom: 'uinit' },
  quote_route: {
    ...{ sourceChainId: chainId, sourceDenom: 'uinit', amountIn: '5' },
    ...{ destinationChainId: 'hub', destinationDenom: 'uinit' },
  },
  transfer_status: { chainId, hash },
  graphql_query: { query: '{ count }' },
}

test('each tool is tried', () => {
  expect(Object.keys(calls)).toEqual([...tools.map(({ name }) => name), 'graphql_query'])
})

/** A graph that never answers. `begun` resolves to the signal of its first request. */
function silentGraph() {
  let begin = (_: AbortSignal | undefined) => {}
  const begun = new Promise<AbortSignal | undefined>((resolve) => {
    begin = resolve
  })
  const wait = (signal: AbortSignal | undefined) => {
    begin(signal)
    return new Promise<never>(() => {})
  }
  const graph: Graph = {
    query: (_, signal) => wait(signal),
    foreignQuery: (_, signal) => wait(signal),
    watch: (_, { signal }) => wait(signal),
  }
  return { graph, begun }
}

const aborted = (signal: AbortSignal | undefined) =>
  new Promise<void>((resolve) => {
    if (signal?.aborted) resolve()
    signal?.addEventListener('abort', () => resolve())
  })

test.each(Object.entries(calls))('`notifications/cancelled` ends the requests of %s', async (name, args) => {
  const { graph, begun } = silentGraph()
  const [ofClient, ofServer] = InMemoryTransport.createLinkedPair()
  await createMcpServer(graph, { version: '1.0.0', sdl: 'type Query { count: Int }' }).connect(ofServer)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(ofClient)
  const cancel = new AbortController()
  const call = client.callTool({ name, arguments: args }, { signal: cancel.signal }).catch(() => {})
  const signal = await begun
  expect(signal?.aborted).toBe(false)
  cancel.abort()
  await aborted(signal)
  await call
  await client.close()
})

test('a graph at a URL ends its requests with the signal', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const graph = remoteGraph({
    url: 'http://graph.example',
    fetch: (_, init) =>
      new Promise((_resolve, reject) => {
        signals.push(init?.signal)
        init?.signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  const cancel = new AbortController()
  const { signal } = cancel
  const answers = Promise.all([
    graph.query({ query: '{ count }' }, signal),
    graph.foreignQuery({ query: '{ count }' }, signal),
    graph.watch({ query: 'subscription { state }' }, { milliseconds: 60_000, isLast: () => true, signal }),
  ])
  expect(signals.map((each) => each?.aborted)).toEqual([false, false, false])
  cancel.abort()
  for (const { errors } of await answers) expect(errors).toHaveLength(1)
  expect(signals.map((each) => each?.aborted)).toEqual([true, true, true])
})
