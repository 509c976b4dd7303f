import type { Server } from 'node:http'
import type { OpenConnections } from './http/connections.ts'
import type { Handler } from './http/reply.ts'
import type { GraphqlHandler } from './routes/graphqlHandler.ts'
import type { Services } from './services.ts'
import type { createUpgrades, Sockets } from './ws/graphqlWs.ts'

/** The phase of a shutdown. While it drains, `/ready` fails and requests are served. After that, nothing new is accepted. */
export interface ClosingState {
  isDraining: boolean
  isClosing: boolean
}

/** The handlers of all requests, WebSockets and streams. */
export interface Handlers {
  readonly handle: Handler
  /** Handles requests that become WebSockets. */
  readonly onUpgrade: ReturnType<typeof createUpgrades>
  readonly sockets: Sockets
  readonly graph: Pick<GraphqlHandler, 'terminateStreams'>
}

/** The end of a server. */
export interface Shutdown {
  /** Has to be called when a response has ended. */
  onResponseEnd(): void
  /** Drains, then closes. Resolves when all connections have ended. Can be called more than once. */
  run(): Promise<void>
}

/** Milliseconds that a closing server waits for the next request of a connection. */
const idleGraceMs = 100

/** Milliseconds that it waits for the first bytes of a request on a new connection. */
const silentGraceMs = 500

/** Milliseconds that it waits for the rest of a request. */
const halfSentGraceMs = 2_000

/** Milliseconds, at least, that a server drains, and that open operations have to finish after that. */
const [defaultDrainMs, defaultGraceMs] = [100, 8_000]

/** Prepares the shutdown of a server, which sets its state. */
export function createShutdown(
  { clock, shared, internals }: Pick<Services, 'clock' | 'shared' | 'internals'>,
  state: ClosingState,
  server: Server,
  connections: OpenConnections,
  { sockets, graph }: Pick<Handlers, 'sockets' | 'graph'>,
): Shutdown {
  const { drain = defaultDrainMs, grace: graceMs = defaultGraceMs } = internals
  const drainMs = Math.max(shared.limits.shutdownDelayMs, drain)
  let ended: Promise<void> | undefined

  const shutDown = async () => {
    state.isDraining = true
    // Clients leave meanwhile: every response closes its connection.
    if (drainMs > 0) await new Promise<void>((resolve) => void clock.after(drainMs, resolve))
    state.isClosing = true
    // A server waits only for the connections that it has accepted itself.
    const closed = Promise.all([new Promise<void>((resolve) => server.close(() => resolve())), connections.closed()])
    sockets.drain()
    graph.terminateStreams()
    const cuts = [
      clock.after(silentGraceMs, connections.destroySilent),
      clock.after(halfSentGraceMs, connections.destroyHalfSent),
      clock.after(graceMs, () => {
        sockets.terminate()
        server.closeAllConnections()
      }),
    ]
    await closed
    for (const cancel of cuts) cancel()
  }

  return {
    onResponseEnd() {
      if (state.isClosing) clock.after(idleGraceMs, () => server.closeIdleConnections())
    },
    run() {
      ended ??= shutDown()
      return ended
    },
  }
}
