import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket } from 'ws'
import { makeAccount } from '../../packages/sandbox/src/address.ts'
import { sandboxChains } from '../../packages/sandbox/src/chains.ts'
import { type Sandbox, type SandboxChain, startSandbox } from '../../packages/sandbox/src/sandbox.ts'
import {
  createGateway,
  type Gateway,
  type GatewayInternals,
  type GatewayOptions,
  type Limits,
} from '../../src/gateway.ts'
import { createMovableClock, type MovableClock } from '../../src/kit/clock/movableClock.ts'
import { nextTurn, watchTraffic } from './traffic.ts'
import { type Answer, type Data, type ErrorAnswer, isOddWorld, now, youngChains } from './world.ts'

/** A gateway over a sandbox, whose time only the test moves. */
export interface RouterWorld extends AsyncDisposable {
  readonly clock: MovableClock
  /** Whether the clock waits for polls: not for those that hang. */
  readonly pace: { waitsForPolls: boolean }
  readonly poller: Gateway['shared']['poller']
  /** The URL of the graph. */
  readonly url: string
  readonly sandbox: Sandbox
  /** Sends a query or mutation over HTTP. */
  ask(query: string, variables?: Record<string, unknown>): Promise<Answer>
  /** The data of an operation that has to succeed. */
  data(query: string, variables?: Record<string, unknown>): Promise<Data>
  /** The code of the only error of an operation that has to fail, and its reason if it is not the input's fault. */
  fault(query: string, variables?: Record<string, unknown>): Promise<unknown>
  /**
   * Opens a subscription over WebSocket, and collects what it gives. Rejects if it is refused. `client` is an address;
   * those without one are of one client.
   */
  watch(query: string, variables?: Record<string, unknown>, client?: string): Promise<Watch>
  /** Serves other chains from now on. */
  readonly updateChains: Gateway['updateChains']
  /** What the router was asked since the last look, as `METHOD target`. */
  requests(): string[]
}

/** What a subscription has given so far. */
export interface Watch {
  readonly events: Data[]
  /** `completed`, or the error it ended with; undefined before. */
  readonly end: unknown
  leave(): Promise<unknown>
}

export interface RouterWorldOptions {
  /** Another router than the sandbox's; null for none. */
  readonly routerUrl?: string | null
  /** Whether the gateway has a service of prices. Default: true. */
  readonly hasPrices?: boolean
  readonly poller?: GatewayInternals['poller']
  readonly feeds?: GatewayInternals['feeds']
  readonly limits?: Partial<Limits>
  /** What the configuration says of each chain in place of what the sandbox says. */
  readonly listing?: Partial<GatewayOptions['chains'][number]>
  /** Whether the gateway knows that its network is simulated. Default: false. */
  readonly isSandbox?: boolean
  /** The chains of the sandbox. Default: three young ones. */
  readonly chains?: readonly SandboxChain[]
}

/** Starts a sandbox and a gateway over it. */
export async function startRouterWorld(options: RouterWorldOptions = {}): Promise<RouterWorld> {
  let gateway: Gateway | undefined
  const sockets = new Map<string, Promise<Socket>>()
  const traffic = watchTraffic()
  const pace = { waitsForPolls: true }
  let received = 0
  const settleOnce = async () => {
    let before: number
    do {
      before = traffic.changes + received
      do for (let turn = 0; turn < 5; turn += 1) await nextTurn()
      while (pace.waitsForPolls && (gateway?.shared.poller.inFlight || gateway?.shared.feeds.inFlight))
      for (const socket of sockets.values()) await (await socket).pong()
      await traffic.answered()
    } while (traffic.changes + received > before)
  }
  let settling: Promise<void> | undefined
  // Requests go over real sockets, so the clock must not move on before they are answered and clients have the events.
  const settle = async () => {
    // What many wait for at once is done once.
    await settling
    settling ??= settleOnce().finally(() => {
      settling = undefined
    })
    await settling
  }
  const clock = createMovableClock(settle, now)
  const soon = (run: () => void) => {
    received += 1
    const timer = setImmediate(run)
    return () => clearImmediate(timer)
  }
  // A timer of 0 ms runs though no time passes.
  const after: MovableClock['after'] = (milliseconds, run) =>
    milliseconds > 0 ? clock.after(milliseconds, run) : soon(run)
  const { chains = youngChains(60) } = options
  const { isSandbox = false } = options
  const sandbox = await startSandbox({
    ...{ clock: () => now + clock.now(), chains, odd: isOddWorld() },
    transfersBeginAnew: isSandbox,
  })
  const { routerUrl = sandbox.routerUrl } = options
  gateway = await createGateway(
    {
      // To open a connection takes real time, which the clock waits for only while something is polled.
      chains: sandbox.indexers.map((chain) => ({ ...chain, maxRequests: 32, ...options.listing })),
      router: routerUrl === null ? undefined : { url: routerUrl },
      prices: options.hasPrices === false ? undefined : { url: sandbox.pricesUrl },
      isSandbox,
      limits: options.limits ?? {},
    },
    {
      clock: { ...clock, after },
      random: () => 0.5,
      upstream: { backoff: () => 0 },
      server: { grace: 0, drain: 0 },
      poller: options.poller ?? {},
      feeds: options.feeds ?? {},
    },
  )
  const { shared, close, updateChains, url } = gateway
  const open = (client: string) => {
    const socket = openSocket(url, client)
    sockets.set(client, socket)
    return socket
  }
  const ask = async (query: string, variables?: Record<string, unknown>): Promise<Answer> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    return (await response.json()) as Answer
  }
  return {
    ...{ clock, url, sandbox, updateChains, ask, pace },
    poller: shared.poller,
    async data(query, variables) {
      const { data, errors } = await ask(query, variables)
      if (errors) throw new Error(JSON.stringify(errors))
      return data
    },
    async fault(query, variables) {
      const { errors } = await ask(query, variables)
      const [error] = errors ?? []
      if (!error) throw new Error('no error')
      const { code, reason } = error.extensions ?? {}
      return [code, ...(reason === undefined || code === 'BAD_USER_INPUT' ? [] : [reason])]
    },
    async watch(query, variables, client = '10.0.0.1') {
      const socket = await (sockets.get(client) ?? open(client))
      const id = randomUUID()
      const watch = {
        events: [] as Data[],
        end: undefined as unknown,
        async leave() {
          socket.send({ id, type: 'complete' })
          await socket.pong()
        },
      }
      socket.receivers.set(id, ({ type, payload }) => {
        received += 1
        // What ends a subscription comes as errors without data.
        if (type === 'next' && 'data' in payload) watch.events.push(payload.errors ?? payload.data)
        else if (type === 'next') watch.end = failure(payload.errors)
        else if (type === 'error') watch.end = failure(payload)
        else if (type === 'complete') watch.end ??= 'completed'
      })
      socket.send({ id, type: 'subscribe', payload: { query, variables } })
      await settle()
      if (watch.end instanceof Error && watch.events.length === 0) throw watch.end
      return watch
    },
    requests: () =>
      sandbox.requests.splice(0).flatMap((line) => {
        const [service, ...rest] = line.split(' ')
        return service === 'router' ? [rest.join(' ')] : []
      }),
    async [Symbol.asyncDispose]() {
      traffic[Symbol.dispose]()
      for (const socket of sockets.values()) (await socket).terminate()
      await close()
      await sandbox.close()
    },
  }
}

/** The first error of a list, with its extensions as its own. */
const failure = ([error]: readonly ErrorAnswer[]) => Object.assign(new Error(error?.message), error?.extensions)

/** The WebSocket of a client, on which all its subscriptions are. */
interface Socket {
  /** What takes the messages of a subscription, by its id. */
  readonly receivers: Map<string, (message: Data) => void>
  send(message: object): void
  /** Resolves when the server has answered a ping, and so has sent what was before it. */
  pong(): Promise<unknown>
  terminate(): void
}

/** Opens the WebSocket of the client with an address. */
async function openSocket(url: string, client: string): Promise<Socket> {
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws', {
    headers: { 'x-forwarded-for': client },
  })
  await once(socket, 'open')
  const receivers: Socket['receivers'] = new Map()
  const send = (message: object) => socket.send(JSON.stringify(message))
  send({ type: 'connection_init' })
  await once(socket, 'message')
  socket.on('message', (text) => {
    const message = JSON.parse(String(text))
    receivers.get(message.id)?.(message)
  })
  return {
    ...{ receivers, send },
    pong() {
      socket.ping()
      return once(socket, 'pong')
    },
    terminate: () => socket.terminate(),
  }
}

/** What `startFakeRouter` resolves to. */
export type FakeRouter = Awaited<ReturnType<typeof startFakeRouter>>

/** A router of the test's own, which also tells what it was sent. */
export async function startFakeRouter(answer: (path: string, body: string) => { status?: number; body: string }) {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    const reply = answer(request.url ?? '', body)
    response.writeHead(reply.status ?? 200, { 'content-type': 'application/json' })
    response.end(reply.body)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

/** An address of the form a chain takes; the same person on each. */
export function addressOn(chainId: string, who = 'alice'): string {
  if (chainId === '1') return `0x${makeAccount('x', 20, who).hex.replace(/^0x/, '')}`
  const sandboxPrefix = sandboxChains.find((chain) => chain.chainId === chainId)?.bech32Prefix
  const prefix = sandboxPrefix ?? chainId.replace(/-\d+$/, '').replace('osmosis', 'osmo')
  return makeAccount(prefix, 20, who).bech32
}

/** A transaction hash whose last two digits choose how the sandbox lets its transfer go. */
export const hashOf = (ending: string, filler = 'ab'): string => `${filler.repeat(31)}${ending}`.toUpperCase()
