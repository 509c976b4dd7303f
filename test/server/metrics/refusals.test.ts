import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sandbox, startSandbox } from '../../../packages/sandbox/src/sandbox.ts'
import { type RefusingLimit, refusingLimits } from '../../../src/engine/upstream/error.ts'
import {
  createGateway,
  type Gateway,
  type GatewayInternals,
  type GatewayOptions,
  type ServiceOptions,
} from '../../../src/gateway.ts'
import { systemClock } from '../../../src/kit/clock/clock.ts'
import { type Json, post } from '../../support/http.ts'
import { readMetrics } from '../../support/metricText.ts'
import { greetedSocket, openSocket, type SocketClient } from '../../support/socketClient.ts'
import { leaveUnread } from '../../support/unreadAnswers.ts'
import { now, youngChains } from '../../support/world.ts'

// What each limit refuses is counted under the name of the limit, on every transport.

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ clock: () => now, chains: youngChains(60) })
})

afterAll(() => sandbox.close())

const repeat = (count: number, fieldOf: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => fieldOf(index)).join(' ')
const galley = (fields: string): string => `{ chain(chainId: "galley-1") { ${fields} } }`
const blocks = (count: number): string =>
  galley(repeat(count, (index) => `a${index}: block(height: ${1 + index}) { hash }`))

const allEvents = galley('transactions(first: 50) { nodes { events { attributes { key } } } }')

/** Asks for something, and expects an error with this code. */
async function refused({ url }: Gateway, query: string, code: string): Promise<void> {
  const { body } = await post(url, { query })
  expect(body.errors?.[0].extensions).toMatchObject({ code })
}

/** Some 12 MB. */
const wide = galley(
  repeat(
    60,
    (i) => `a${i}: transactions(first: 60) { nodes { messages { body } events { type attributes { key value } } } }`,
  ),
)
const unreadLimits = { maxAnswerBytes: 13 * 2 ** 20, maxCost: 1_000_000 }

/** Leaves answers unread, each of the next client, until one is refused. */
async function fillUnread(gateway: Gateway, limit: RefusingLimit, clientOf: (index: number) => string): Promise<void> {
  const unread: Socket[] = []
  while (unread.length < 20 && (await counted(gateway))[limit] === 0) {
    unread.push(await leaveUnread(gateway.url, clientOf(unread.length), wide))
  }
  for (const socket of unread) socket.destroy()
}

const transfer = (digit: string): string =>
  `subscription { transfer(chainId: "osmosis-1", hash: "${digit.repeat(64)}") { state } }`

/** Subscribes with one operation after the other, on sockets of their own. Gives the last answer. */
async function subscribeAll({ url }: Gateway, queries: readonly string[]): Promise<Json> {
  const sockets: SocketClient[] = []
  let answer: Json
  for (const query of queries) {
    const socket = await greetedSocket(url)
    sockets.push(socket)
    socket.send({ id: '1', type: 'subscribe', payload: { query } })
    answer = await socket.next()
  }
  await Promise.all(sockets.map((socket) => socket.close()))
  return answer
}

interface Case {
  readonly options?: Partial<GatewayOptions> & Pick<ServiceOptions, 'maxRequests'>
  readonly internals?: () => GatewayInternals
  /** The blocks that each chain has. Default: 60. */
  readonly blocks?: number
  /** Passes the limit. */
  readonly provoke: (gateway: Gateway) => Promise<unknown>
  /** How often it does. Default: once. */
  readonly times?: number
}

const cases: Record<RefusingLimit, Case> = {
  cost: {
    options: { limits: { maxCost: 100 } },
    provoke: (gateway) => refused(gateway, blocks(30), 'QUERY_TOO_COMPLEX'),
  },
  tokens: {
    provoke: (gateway) => refused(gateway, `{ ${'__typename '.repeat(2_000)} }`, 'GRAPHQL_PARSE_FAILED'),
  },
  page_size: {
    provoke: (gateway) => refused(gateway, galley('blocks(first: 101) { nodes { hash } }'), 'BAD_USER_INPUT'),
  },
  nodes: {
    options: { limits: { maxPageSize: 2 } },
    provoke: (gateway) => refused(gateway, '{ nodes(ids: ["a", "b", "c"]) { id } }', 'BAD_USER_INPUT'),
  },
  catch_up_blocks: {
    blocks: 10_060,
    async provoke(gateway) {
      const query = galley('blocks(first: 1, order: ASC) { edges { cursor } }')
      const { body } = await post(gateway.url, { query })
      const after = body.data.chain.blocks.edges[0].cursor
      const answer = await subscribeAll(gateway, [
        `subscription { blocks(chainId: "galley-1", after: "${after}") { cursor } }`,
      ])
      expect(answer).toMatchObject({
        payload: [{ extensions: { code: 'QUERY_TOO_COMPLEX' } }],
      })
    },
  },
  requests_per_operation: {
    options: { limits: { maxCost: 200 } },
    // Several fields have the error. The operation passes the limit once.
    provoke: (gateway) =>
      refused(
        gateway,
        galley(repeat(20, (i) => `a${i}: transaction(hash: "${i.toString(16).padStart(64, '0')}") { hash }`)),
        'QUERY_TOO_COMPLEX',
      ),
  },
  bytes_per_operation: {
    options: { limits: { maxAnswerBytes: 64 * 1024 } },
    provoke: (gateway) =>
      refused(
        gateway,
        galley('transactions(first: 50) { nodes { hash } } evmTransactions(first: 50) { nodes { hash } }'),
        'QUERY_TOO_COMPLEX',
      ),
  },
  record_size: {
    async provoke(gateway) {
      const events = Array.from({ length: 5_001 }, () => ({ type: 'any', attributes: [] }))
      const change = (json: Json) => ({ ...json, txs: json.txs.map((tx: Json) => ({ ...tx, events })) })
      sandbox.faults.set('galley-1', '/indexer/tx/v1/txs', { kind: 'change', change, times: 1 })
      await refused(gateway, galley('transactions(first: 1) { nodes { events { type } } }'), 'QUERY_TOO_COMPLEX')
    },
  },
  rows_per_operation: {
    options: { limits: { maxCost: 400 } },
    provoke: (gateway) => refused(gateway, allEvents, 'QUERY_TOO_COMPLEX'),
  },
  answer_bytes: {
    options: { limits: { ...unreadLimits, maxAnswerBytes: 2 * 2 ** 20 } },
    provoke: (gateway) => refused(gateway, wide, 'QUERY_TOO_COMPLEX'),
  },
  waiting_bytes_per_client: {
    options: { limits: unreadLimits },
    provoke: (gateway) => fillUnread(gateway, 'waiting_bytes_per_client', () => '192.0.2.1'),
  },
  waiting_bytes: {
    options: { limits: unreadLimits },
    provoke: (gateway) => fillUnread(gateway, 'waiting_bytes', (i) => `192.0.2.${i}`),
  },
  busy: {
    internals: () => {
      let behind = 0
      const now = () => {
        behind += 20_000
        return systemClock.now() + behind
      }
      // Between its arrival and its turn, a request waits for longer than it may take.
      return { clock: { ...systemClock, now } }
    },
    provoke: (gateway) => refused(gateway, '{ __typename }', 'RATE_LIMITED'),
  },
  rate: {
    options: { rateLimit: { pointsPerSecond: 1, burst: 1 } },
    async provoke(gateway) {
      await post(gateway.url, { query: blocks(30) })
      await refused(gateway, '{ __typename }', 'RATE_LIMITED')
    },
  },
  open_per_client: {
    options: { limits: { maxOpenPerClient: 1 } },
    async provoke({ url }) {
      const socket = await greetedSocket(url)
      expect(await openSocket(url)).toBe(429)
      const query = 'subscription { chainHeads { height } }'
      const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
      const body = JSON.stringify({ query })
      const answer = await fetch(url, { method: 'POST', headers, body })
      expect(await answer.text()).toContain('RATE_LIMITED')
      socket.send({ id: '1', type: 'subscribe', payload: { query } })
      expect(await socket.next()).toMatchObject({ id: '1', type: 'error' })
      await socket.close()
    },
    times: 3,
  },
  watched: {
    internals: () => ({ poller: { maxTargets: 1 } }),
    async provoke(gateway) {
      const answer = await subscribeAll(gateway, [transfer('a'), transfer('b')])
      expect(answer).toMatchObject({ payload: [{ extensions: { code: 'RATE_LIMITED' } }] })
    },
  },
  body_size: {
    async provoke({ url }) {
      expect((await post(url, { query: `{ a } #${'x'.repeat(300_000)}` })).status).toBe(413)
      const socket = await greetedSocket(url)
      socket.sendText('x'.repeat(300_000))
      expect(await socket.next()).toBe(1009)
    },
    times: 2,
  },
  header_size: {
    async provoke({ url }) {
      expect((await fetch(url, { headers: { long: 'x'.repeat(20_000) } })).status).toBe(431)
    },
  },
  connections: {
    options: { limits: { maxConnections: 1 }, metricsPort: 0 },
    async provoke({ url }) {
      const port = Number(new URL(url).port)
      const first = connect(port, '127.0.0.1')
      await once(first, 'connect')
      const second = connect(port, '127.0.0.1').on('error', () => {})
      await once(second, 'close')
      first.destroy()
    },
  },
  queue: {
    options: { maxRequests: 1 },
    internals: () => ({ upstream: { maxWaiting: 100 } }),
    async provoke(gateway) {
      const hashes = repeat(103, (i) => `a${i}: transaction(hash: "${i.toString(16).padStart(64, '0')}") { hash }`)
      await refused(gateway, galley(hashes), 'UPSTREAM_UNAVAILABLE')
    },
    times: 2,
  },
}

const counted = async ({ metricsUrl }: Gateway): Promise<Record<string, number>> => {
  const { text } = await readMetrics(metricsUrl)
  const lines = text.matchAll(/^portolan_refusals_total\{limit="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...lines].map(([, limit = '', count]) => [limit, Number(count)]))
}

test.each(refusingLimits)('portolan_refusals_total counts only `%s` for a refusal by it', async (limit) => {
  const { options: { maxRequests, ...options } = {}, internals, provoke, times = 1, blocks } = cases[limit]
  await using long =
    blocks === undefined ? undefined : await startSandbox({ clock: () => now, chains: youngChains(blocks) })
  const { indexers, routerUrl } = long ?? sandbox
  const network = {
    chains: indexers.map(({ chainId, url, vm }) => ({ chainId, url, vm, maxRequests })),
    router: { url: routerUrl },
  }
  await using gateway = await createGateway({ ...network, ...options }, internals?.())
  const none = Object.fromEntries(refusingLimits.map((name) => [name, 0]))
  expect(await counted(gateway)).toEqual(none)
  await provoke(gateway)
  expect(await counted(gateway)).toEqual({ ...none, [limit]: times })
})
