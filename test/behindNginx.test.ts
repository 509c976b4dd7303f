import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { createClient } from 'graphql-ws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type Sandbox, startSandbox } from '../packages/sandbox/src/sandbox.ts'
import type { Json } from './support/http.ts'
import { isInstalled } from './support/installed.ts'
import { compileProgram, killPrograms, type RunningProgram, serveProgram } from './support/program.ts'
import { freePort, type RunningProxy, startProxy } from './support/proxy.ts'

// Two gateways, each a process, behind nginx with the configuration of ops, and no sticky sessions.
const it = test.skipIf(!isInstalled('nginx'))

/** The time of the simulated network: a date, and how fast it passes since a time of this machine. */
let network = { date: Date.now(), since: performance.now(), speed: 1 }
const networkDate = () => network.date + (performance.now() - network.since) * network.speed
const setSpeed = (speed: number) => {
  network = { date: networkDate(), since: performance.now(), speed }
}

let sandbox: Sandbox
let proxy: RunningProxy
let ports: readonly number[]
const gateways = new Map<number, RunningProgram>()

/** How long to wait for what a process does, on a busy machine. */
const patience = { timeout: 30_000 }

const start = async (port: number): Promise<void> => {
  const gateway = await serveProgram(['--port', String(port)], {
    INDEXERS: sandbox.indexers.map(({ chainId, url }) => `${chainId}=${url}`).join(),
    ROUTER_URL: sandbox.routerUrl,
    SIGNING_KEYS: 'a-key-that-all-gateways-of-the-fleet-have',
    SHUTDOWN_DELAY_MS: '500',
    RATE_LIMIT: '0',
  })
  gateways.set(port, gateway)
}

beforeAll(async () => {
  if (!isInstalled('nginx')) return
  await compileProgram()
  sandbox = await startSandbox({ clock: networkDate })
  ports = [await freePort(), await freePort()]
  await Promise.all(ports.map(start))
  proxy = await startProxy('nginx', ports)
}, 240_000)

afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]()
  killPrograms()
  await sandbox?.close()
})

const agent = new Agent({ keepAlive: true })

interface Sent {
  readonly query: string
  readonly variables?: Json
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
}

/** Sends an operation through nginx. Resolves once the head of the response has arrived. */
async function open({ query, variables = {}, method = 'POST', headers = {} }: Sent) {
  const json = { query, variables: JSON.stringify(variables) }
  const sent = request({
    ...{ host: '127.0.0.1', port: proxy.port, ca: proxy.ca, agent, method },
    path: method === 'POST' ? '/graphql' : `/graphql?${new URLSearchParams(json)}`,
    headers: { 'content-type': 'application/json', ...headers },
  })
  sent.end(method === 'POST' ? JSON.stringify({ query, variables }) : undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return response
}

/** The ports of the gateways that nginx asked, the one that answered last. */
const servedBy = ({ headers }: IncomingMessage): number[] =>
  String(headers['x-served-by'])
    .split(', ')
    .map((address) => Number(address.split(':').at(-1)))

/** An answer, and the port of the gateway that gave it. */
async function ask(sent: Sent): Promise<{ data: Json; status: number; port: number | undefined }> {
  const response = await open(sent)
  const body = JSON.parse((await response.toArray()).join(''))
  expect(body.errors).toBeUndefined()
  return { data: body.data, status: response.statusCode ?? 0, port: servedBy(response).at(-1) }
}

/** The same from the other gateway: nginx takes turns. */
async function askOther(port: number | undefined, sent: Sent): Promise<Json> {
  for (let tries = 0; tries < 5; tries += 1) {
    const answer = await ask(sent)
    if (answer.port !== port) return answer.data
  }
  throw new Error('one gateway answers everything')
}

it('two gateways accept the cursors and route tokens of each other', async () => {
  const blocks = `query ($after: String) {
    chain(chainId: "galley-1") { blocks(first: 3, after: $after) { nodes { height } pageInfo { endCursor } } }
  }`
  const { data, port } = await ask({ query: blocks })
  const { nodes, pageInfo } = data.chain.blocks
  const next = await askOther(port, { query: blocks, variables: { after: pageInfo.endCursor } })
  expect(next.chain.blocks.nodes[0].height).toBe(nodes[2].height - 1)

  const route = await ask({
    query: `{ route(input: {
      amountIn: "25000000"
      source: { chainId: "osmosis-1", denom: "uosmo" }
      destination: { chainId: "harbor-1", denom: "uinit" }
    }) { routeToken requiredAddresses { chainId } } }`,
  })
  const messages = await askOther(route.port, {
    query: `query ($routeToken: String!) { transferMessages(input: {
      routeToken: $routeToken
      addresses: [
        "osmo1wllqcgh04444mr53tegtrkdlc970awqhtqwp4p"
        "init1wllqcgh04444mr53tegtrkdlc970awqhddazg3"
      ]
    }) { transactions { chainId } } }`,
    variables: { routeToken: route.data.route.routeToken },
  })
  expect(messages.transferMessages.transactions).toEqual([{ chainId: 'osmosis-1' }])
})

/** An event stream through nginx. */
async function openStream(lastEventId?: string) {
  const query = 'subscription { blocks(chainId: "galley-1") { cursor node { height } } }'
  const response = await open({
    ...{ query, method: 'GET' },
    headers: {
      accept: 'text/event-stream',
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
  })
  expect(response.headers['content-type']).toMatch(/^text\/event-stream/)
  const chunks = response.iterator({ destroyOnReturn: false })
  let text = ''
  const next = async () => {
    for (;;) {
      const event = /data: (.*)\nid: (.*)\n\n/.exec(text)
      if (event) {
        text = text.slice(event.index + event[0].length)
        return { id: event[2], height: JSON.parse(event[1] ?? '').data.blocks.node.height }
      }
      const { done, value } = await chunks.next()
      if (done) throw new Error('the stream has ended')
      text += value
    }
  }
  return { next, leave: () => response.destroy(), port: servedBy(response).at(-1) }
}

it('an event stream resumes at the other gateway after Last-Event-ID', async () => {
  setSpeed(5)
  const first = await openStream()
  const seen = [await first.next(), await first.next()]
  first.leave()
  const last = seen.at(-1)
  for (let tries = 0; tries < 5; tries += 1) {
    const second = await openStream(last?.id)
    if (second.port !== first.port) seen.push(await second.next(), await second.next())
    second.leave()
    if (second.port !== first.port) break
  }
  const heights = seen.map(({ height }) => height)
  expect(heights).toEqual([0, 1, 2, 3].map((i) => (heights[0] ?? 0) + i))
})

const transferQuery = `subscription ($hash: String!) {
  transfer(chainId: "osmosis-1", hash: $hash) { state isTerminal }
}`

/** A transfer that arrives, by a number. */
const hashOf = (number: number) => `${createHash('sha256').update(`nginx/${number}`).digest('hex').slice(0, 62)}00`

class TrustingSocket extends WebSocket {
  constructor(url: string, protocols: string) {
    super(url, protocols, { ca: proxy.ca })
  }
}

/** Watches a transfer to its end, as a wallet does: when the connection breaks, it subscribes again. */
function watch(hash: string) {
  const states: string[] = []
  /** The number of states that each connection has told. */
  const counts: number[] = []
  const client = createClient({
    ...{ url: `wss://127.0.0.1:${proxy.port}/graphql`, webSocketImpl: TrustingSocket },
    ...{ lazy: true, retryAttempts: 20, retryWait: () => new Promise((go) => setTimeout(go, 50)) },
    on: { connected: () => void counts.push(0) },
  })
  const ended = new Promise<void>((resolve) => {
    client.subscribe(
      { query: transferQuery, variables: { hash } },
      {
        next({ data }) {
          states.push(String(Object(data).transfer.state))
          counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1
        },
        error: (error) => {
          states.push(`failed: ${error}`)
          resolve()
        },
        complete: resolve,
      },
    )
  })
  return { states, counts, ended: ended.then(() => client.dispose()) }
}

/** One connection that sends queries, one after the other, and how each ended. */
async function load(isOver: () => boolean, method: 'GET' | 'POST') {
  const outcomes: string[] = []
  for (let height = 1; !isOver(); height += 1) {
    const query = `{ chain(chainId: "harbor-1") { block(height: ${height}) { height } } }`
    outcomes.push(
      await ask({ query, method }).then(
        ({ data, status }) => (data.chain.block.height === height ? String(status) : 'another height'),
        String,
      ),
    )
  }
  return outcomes
}

it('a rolling restart fails no query, and subscribers reconnect to the other', async () => {
  // No transfer ends before both gateways have restarted.
  setSpeed(0)
  let isOver = false
  const methods = ['GET', 'POST', 'POST', 'POST'] as const
  const loads = methods.map((method) => load(() => isOver, method))
  const watches = Array.from({ length: 20 }, (_, number) => watch(hashOf(number % 10)))
  await expect.poll(() => watches.every(({ states }) => states.length > 0), patience).toBe(true)
  for (const port of ports) {
    const gateway = gateways.get(port)
    gateway?.child.kill('SIGTERM')
    expect(await gateway?.exited).toBe(0)
    await start(port)
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${port}/ready`)).status, patience).toBe(200)
    // nginx leaves a gateway out for a second after it took no connections.
    await expect.poll(async () => (await ask({ query: '{ __typename }' })).port, patience).toBe(port)
  }
  setSpeed(20)
  await Promise.all(watches.map(({ ended }) => ended))
  isOver = true
  const outcomes = (await Promise.all(loads)).flat()
  expect(outcomes.length).toBeGreaterThan(100)
  expect(new Set(outcomes)).toEqual(new Set(['200']))
  for (const { states, counts } of watches) {
    expect(states.at(-1)).toBe('COMPLETED_SUCCESS')
    // Each was cut at least once, and told the state on every connection.
    expect(counts.length).toBeGreaterThan(1)
    expect(Math.min(...counts)).toBeGreaterThan(0)
  }
}, 120_000)
