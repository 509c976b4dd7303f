import { Repeater, SlidingBuffer } from '@repeaterjs/repeater'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { pino } from 'pino'
import type { Context, SharedContext } from '../../src/engine/graphql/builder.ts'
import { type Limits, resolveLimits } from '../../src/engine/limits/limits.ts'
import { createReadiness } from '../../src/engine/telemetry/readiness.ts'
import { createUpstreamHealth } from '../../src/engine/telemetry/upstreamHealth.ts'
import { badInput, GatewayError } from '../../src/engine/upstream/error.ts'
import type { Network, ServedChain } from '../../src/engine/upstream/network.ts'
import type { RequestScope } from '../../src/engine/upstream/requestScope.ts'
import { Feeds } from '../../src/engine/watch/feeds.ts'
import { noPeers } from '../../src/engine/watch/peers.ts'
import { Poller } from '../../src/engine/watch/poller.ts'
import { CacheStore } from '../../src/kit/cache/cache.ts'
import { systemClock } from '../../src/kit/clock/clock.ts'
import { createFairScheduler } from '../../src/kit/clock/fairScheduler.ts'
import type { Signal } from '../../src/kit/clock/signal.ts'
import { fetchStatus } from '../../src/schema/indexer/chain.ts'
import type { ServerInternals } from '../../src/server/gatewayOptions.ts'
import { type Server, startServer } from '../../src/server/server.ts'
import { openServices, type ServerOptions, type Services } from '../../src/server/services.ts'
import type { ServedSites } from '../../src/server/static/openSites.ts'
import { testSigner } from './testSigner.ts'

/** What the resolvers of the test graph did, and how the test controls them. */
export interface Stage {
  /** Scopes seen, in the order of resolving. */
  readonly scopes: RequestScope[]
  /** Resolves when that many `slow` fields have started. */
  running(count: number): Promise<void>
  /** Resolves all `slow` fields. */
  release(): void
  /** Signals of the `slow` fields. */
  readonly signals: Signal[]
  /** Sends an event to all listeners of `ticks`. */
  tick(value: number): void
  /** Ends all sources of `ticks`, or makes them fail. */
  end(error?: Error): void
  /** Resolves when `ticks` has that many listeners. */
  listening(count: number): Promise<void>
}

interface Waiter {
  readonly isMet: () => boolean
  readonly resolve: () => void
}

const source = `
  type Query {
    hello(name: String! = "you"): String!
    double(number: Int!): Int
    self: Query!
    items(first: Int = 20): [Query!]
    fail(kind: String!): String
    slow: String
    many(length: Int!): String
  }
  type Mutation { touch: Int! }
  type Subscription { ticks: Int!, refuses: Int! }
`

const faults: Record<string, () => unknown> = {
  input: () => badInput('That cannot be.'),
  upstream: () =>
    new GatewayError('UPSTREAM_REJECTED', 'The router rejected the request (400).', {
      service: 'router',
      upstreamReason: 'BAD_PRICE_ERROR',
    }),
  ours: () => new Error('secret at /srv/portolan'),
  text: () => 'secret text',
}

/** A graph whose resolvers do what a test of the server needs. */
export function createStage(): { schema: GraphQLSchema; stage: Stage } {
  const schema = buildSchema(source)
  const waiters = new Set<Waiter>()
  const listeners = new Set<{ push: (n: number) => void; stop: (error?: Error) => void }>()
  const scopes: RequestScope[] = []
  const signals: Signal[] = []
  const held = new Set<() => void>()
  const notify = () => {
    for (const waiter of waiters) if (waiter.isMet()) waiter.resolve()
  }
  const until = (isMet: () => boolean) =>
    new Promise<void>((resolve) => {
      waiters.add({ isMet, resolve })
      notify()
    })

  const resolvers: Record<string, Record<string, object>> = {
    Query: {
      hello: { resolve: (_: unknown, { name }: { name: string }) => `Hello, ${name}!` },
      double: { resolve: (_: unknown, { number }: { number: number }) => number * 2 },
      self: { resolve: () => ({}) },
      items: {
        resolve: () => [{}],
        extensions: {
          complexity: ({ first }: { first: number }) => ({ field: 1, multiplier: first }),
        },
      },
      fail: {
        resolve: (_: unknown, { kind }: { kind: string }) => {
          throw faults[kind]?.()
        },
      },
      slow: {
        resolve: (_: unknown, _args: unknown, { scope }: Context) => {
          signals.push(scope.signal)
          notify()
          return new Promise((resolve, reject) => {
            held.add(() => resolve('done'))
            scope.signal.addEventListener('abort', () => {
              notify()
              reject(scope.signal.reason)
            })
          })
        },
      },
      many: { resolve: (_: unknown, { length }: { length: number }) => 'x'.repeat(length) },
    },
    Mutation: { touch: { resolve: () => 1 } },
    Subscription: {
      ticks: {
        subscribe: () =>
          new Repeater<number>((push, stop) => {
            const listener = { push: (n: number) => void push(n), stop }
            listeners.add(listener)
            notify()
            stop.then(() => {
              listeners.delete(listener)
              notify()
            })
          }, new SlidingBuffer(1)),
        resolve: (tick: number, _args: unknown, { scope }: Context) => {
          scopes.push(scope)
          if (tick < 0) throw badInput('Ticks count up.')
          return tick
        },
      },
      refuses: {
        subscribe: () => {
          throw badInput('Nothing to see here.')
        },
      },
    },
  }
  for (const [type, fields] of Object.entries(resolvers)) {
    for (const [name, parts] of Object.entries(fields)) {
      const config = schema.getType(type)
      if (config && 'getFields' in config) Object.assign(config.getFields()[name] ?? {}, parts)
    }
  }

  const stage: Stage = {
    scopes,
    signals,
    running: (count) => until(() => signals.length >= count),
    release() {
      for (const answer of held) answer()
    },
    tick(value) {
      for (const listener of listeners) listener.push(value)
    },
    end(error) {
      for (const listener of listeners) listener.stop(error)
    },
    listening: (count) => until(() => listeners.size === count),
  }
  return { schema, stage }
}

/** A chain whose indexer responds with `send`. */
export const fakeChain = (chainId: string, send: ServedChain['indexer']['send']): ServedChain => ({
  chainId,
  name: chainId,
  prettyName: chainId,
  vm: undefined,
  bech32Prefix: undefined,
  logoUrl: undefined,
  explorers: [],
  feeAssets: [],
  rpcUrls: [],
  restUrls: [],
  ibcChannels: new Map(),
  opInitBridgeId: undefined,
  opInitFinalizationSeconds: undefined,
  indexer: { service: chainId, source: chainId, send },
})

export const networkOf = (...chains: [ServedChain, ...ServedChain[]]): Network => ({
  chains: new Map(chains.map((chain) => [chain.chainId, chain])),
  listed: new Map(),
  defaultChain: chains[0],
  router: undefined,
  onMoved: () => () => {},
  epoch: 0,
})

export interface TestServer extends Server, AsyncDisposable {
  readonly stage: Stage
  /** Lines of the log, each with its level. */
  readonly log: Record<string, unknown>[]
  readonly origin: string
}

/** The options of a server, of its pages and of its parts, in one. */
type TestServerOptions = Partial<Omit<SharedContext & ServerOptions & ServedSites & ServerInternals, 'limits'>> & {
  readonly limits?: Partial<Limits>
}

/** The options of a server of a test. */
function serverOptions(options: TestServerOptions & Pick<ServerOptions, 'schema' | 'log'>) {
  const { log, clock = systemClock } = options
  const cache = new CacheStore(clock)
  const network = options.network ?? networkOf(fakeChain('test-1', async () => null))
  const health = createUpstreamHealth({ log, clock })
  const all = {
    service: { version: '0.0.0', isSandbox: false },
    network,
    readiness: createReadiness(network, { cache, clock, health, fetchStatus }),
    health,
    cache,
    poller: new Poller({ cache, clock, random: () => 0.5 }),
    signer: testSigner,
    feeds: new Feeds({ clock }),
    peers: noPeers,
    host: '127.0.0.1',
    port: 0,
    graphiql: true,
    introspection: true,
    allowedOrigins: '*' as const,
    grace: 2_000,
    drain: 0,
    clock,
    scheduler: createFairScheduler(clock),
    ...options,
    limits: resolveLimits(options.limits),
  }
  return { ...all, shared: all, sites: all, internals: all }
}

/** The services of a server that is not started. They log nothing, unless the options have a log. */
export const testServices = (options: TestServerOptions = {}): Services =>
  openServices(serverOptions({ schema: createStage().schema, log: pino({ level: 'silent' }), ...options }))

/** Serves the test graph on a free port. */
export async function serve(options: TestServerOptions = {}): Promise<TestServer> {
  const { schema, stage } = createStage()
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'debug' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const server = await startServer(serverOptions({ schema, log, ...options }))
  return {
    ...server,
    stage,
    log: lines,
    origin: new URL(server.url).origin,
    [Symbol.asyncDispose]: async () => {
      stage.release()
      await server.close()
    },
  }
}
