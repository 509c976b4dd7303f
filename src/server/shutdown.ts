import type { Server } from 'node:http'
import type { Clock } from '../kit/clock/clock.ts'
import type { OpenConnections } from './http/connections.ts'
import type { GraphqlHandler } from './http/graphqlHandler.ts'
import type { Sockets } from './ws/graphqlWs.ts'

/** The phase of a shutdown. While it drains, `/ready` fails and requests are served. After that, nothing new is accepted. */
export interface ClosingState {
  isDraining: boolean
  isClosing: boolean
}

/** The end of a server. */
export interface Shutdown {
  /** Has to be called when a response has ended. */
  onResponseEnd(): void
  /** Drains, then closes. Resolves when all connections have ended. Can be called more than once. */
  run(): Promise<void>
}

/** The parts of a server that end, and how long each may take. Times are in milliseconds. */
export interface ShutdownOptions {
  readonly server: Server
  readonly connections: OpenConnections
  readonly sockets: Pick<Sockets, 'drain' | 'terminate'>
  readonly graph: Pick<GraphqlHandler, 'terminateStreams'>
  readonly clock: Clock
  /** The state of the server, which the shutdown sets. */
  readonly state: ClosingState
  readonly drainMs: number
  /** How long open operations have to finish after that. */
  readonly graceMs: number
}

/** Milliseconds that a closing server waits for the next request of a connection. */
const idleGraceMs = 100

/** Milliseconds that it waits for the first bytes of a request on a new connection. */
const silentGraceMs = 500

/** Milliseconds that it waits for the rest of a request. */
const halfSentGraceMs = 2_000

/** Prepares the shutdown of a server. */
export function createShutdown(options: ShutdownOptions): Shutdown {
  const { server, connections, sockets, graph, clock, state, drainMs, graceMs } = options
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
