import { setMaxListeners } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ExecutionResult, graphql, parse, subscribe } from 'graphql'
import type { Limits } from '../../src/config/limits/limits.ts'
import type { ChainOptions } from '../../src/config/networkOptions.ts'
import { createGateway, type Gateway } from '../../src/gateway.ts'
import type { Context } from '../../src/graphql/builder.ts'
import { makeAccount } from '../../src/sandbox/address.ts'
import { sandboxChains } from '../../src/sandbox/chains.ts'
import { type Sandbox, type SandboxChain, startSandbox } from '../../src/sandbox/sandbox.ts'
import { type RouteSigner, tokenSigner } from '../../src/schema/router/route/routeToken.ts'
import { schema } from '../../src/schema/schema.ts'
import { createRequestScope } from '../../src/upstream/requestScope.ts'
import type { Poller, PollerOptions } from '../../src/watch/poller.ts'
import { type FakeClock, fakeClock } from './fakeClock.ts'
import { type Data, isOddWorld, now, youngChains } from './world.ts'

/** The graph over a sandbox, on a clock that the test moves: no server between. */
export interface RouterWorld extends AsyncDisposable {
  readonly clock: FakeClock
  readonly poller: Poller
  /** The URL of the graph, for what only its server does. */
  readonly url: string
  readonly signer: RouteSigner
  readonly sandbox: Sandbox
  /** Runs a query or mutation. */
  ask(query: string, variables?: Record<string, unknown>): Promise<ExecutionResult<Data>>
  /** The data of an operation that has to succeed. */
  data(query: string, variables?: Record<string, unknown>): Promise<Data>
  /** The code of the only error of an operation that has to fail, and its reason if it is not the input's fault. */
  fault(query: string, variables?: Record<string, unknown>): Promise<unknown>
  /** Opens a subscription and collects what it gives. Those without a client are of one client. */
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
  readonly poller?: Partial<PollerOptions>
  readonly limits?: Partial<Limits>
  /** What the configuration says of each chain in place of what the sandbox says. */
  readonly listing?: Partial<ChainOptions>
  /** Whether the gateway knows that its network is simulated. Default: false. */
  readonly isSandbox?: boolean
  /** The chains of the sandbox. Default: three young ones. */
  readonly chains?: readonly SandboxChain[]
}

/** Starts a sandbox and a graph over it. */
export async function startRouterWorld(options: RouterWorldOptions = {}): Promise<RouterWorld> {
  let gateway: Gateway | undefined
  // A poll goes over a real socket, so the clock must not move on before it is answered.
  const clock = fakeClock(async () => {
    do await new Promise((done) => setImmediate(done))
    while (gateway?.shared.poller.inFlight || gateway?.shared.feeds.inFlight)
    for (let turn = 0; turn < 5; turn += 1) await new Promise((done) => setImmediate(done))
  }, now)
  const { chains = youngChains(60) } = options
  const { isSandbox = false } = options
  const sandbox = await startSandbox({
    ...{ clock: () => now + clock.now(), chains, odd: isOddWorld() },
    transfersBeginAnew: isSandbox,
  })
  const { routerUrl = sandbox.routerUrl } = options
  gateway = await createGateway(
    {
      chains: sandbox.indexers.map((chain) => ({ ...chain, ...options.listing })),
      router: routerUrl === null ? undefined : { url: routerUrl },
      isSandbox,
      // To open a connection takes real time, which the clock waits for only while something is polled.
      limits: { maxIndexerRequests: 32, ...options.limits },
    },
    {
      clock,
      random: () => 0.5,
      upstream: { backoff: () => 0 },
      server: { drain: 0 },
      poller: options.poller ?? {},
    },
  )
  const { shared, close, updateChains } = gateway
  const context = (client?: string): Context => {
    const { signal } = new AbortController()
    // Each upstream request of an operation listens to it.
    setMaxListeners(0, signal)
    return { ...shared, scope: createRequestScope(signal, shared, { client }) }
  }
  const ask = (source: string, variableValues?: Record<string, unknown>) =>
    graphql({ schema, source, contextValue: context(), variableValues }) as Promise<
      ExecutionResult<Data>
    >
  return {
    clock,
    poller: shared.poller,
    url: gateway.url,
    signer: tokenSigner(shared),
    sandbox,
    updateChains,
    ask,
    async data(query, variables) {
      const { data, errors } = await ask(query, variables)
      if (errors) throw new Error(JSON.stringify(errors), { cause: errors[0]?.originalError })
      return data
    },
    async fault(query, variables) {
      const { errors } = await ask(query, variables)
      const error = errors?.[0]?.originalError ?? errors?.[0]
      if (!error) throw new Error('no error')
      const code = 'code' in error ? error.code : error.message
      const reason = 'reason' in error && code !== 'BAD_USER_INPUT' ? error.reason : undefined
      return [code, ...(reason === undefined ? [] : [reason])]
    },
    async watch(query, variableValues, client) {
      const document = parse(query)
      const contextValue = context(client)
      const source = await subscribe({ schema, document, contextValue, variableValues })
      if (!(Symbol.asyncIterator in source)) {
        const error = source.errors?.[0]
        throw error?.originalError ?? error
      }
      const watch = {
        events: [] as Data[],
        end: undefined as unknown,
        leave: () => source.return(),
      }
      const run = async () => {
        for await (const { data, errors } of source) watch.events.push(errors ?? data)
        watch.end = 'completed'
      }
      run().catch((error: unknown) => {
        watch.end = error
      })
      return watch
    },
    requests: () =>
      sandbox.requests.splice(0).flatMap((line) => {
        const [service, ...rest] = line.split(' ')
        return service === 'router' ? [rest.join(' ')] : []
      }),
    async [Symbol.asyncDispose]() {
      await close()
      await sandbox.close()
    },
  }
}

/** A router of the test's own, which also tells what it was sent. */
export async function startFakeRouter(
  answer: (path: string, body: string) => { status?: number; body: string },
) {
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
export const hashOf = (ending: string, filler = 'ab'): string =>
  `${filler.repeat(31)}${ending}`.toUpperCase()
