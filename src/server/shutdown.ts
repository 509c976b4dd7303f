import type { Server } from 'node:http'
import type { Clock } from '../kit/clock/clock.ts'
import type { GraphqlHandler } from './http/graphqlHandler.ts'
import type { OpenConnections } from './http/openConnections.ts'
import type { Sockets } from './ws/graphqlWs.ts'

/** The end of a server. It first drains: it is not ready, but serves. Then it closes: it accepts nothing new. */
export interface Shutdown {
  readonly isDraining: boolean
  readonly isClosing: boolean
  /** Has to be called when a response has ended. */
  onResponseEnd(): void
  /** Drains, then closes. Resolves when all connections have ended. Can be called more than once. */
  run(): Promise<void>
}

/** What is shut down, and how much time it gets. Times are in milliseconds. */
export interface ShutdownOptions {
  readonly server: Server
  readonly connections: OpenConnections
  readonly sockets: Pick<Sockets, 'drain' | 'terminate'>
  readonly graph: Pick<GraphqlHandler, 'terminateStreams'>
  readonly clock: Clock
  /** How long the server drains. */
  readonly drainMs: number
  /** How long open operations have to finish after that. */
  readonly graceMs: number
}

/** Milliseconds in which the next request of a connection can still arrive while the server closes. */
const idleGraceMs = 100

/** Milliseconds in which the first bytes of a request can still arrive on a connection just made. */
const silentGraceMs = 500

/** Milliseconds in which the rest of a request can still arrive. */
const halfSentGraceMs = 2_000

/** Prepares the shutdown of a server. */
export function createShutdown(options: ShutdownOptions): Shutdown {
  const { server, connections, sockets, graph, clock, drainMs, graceMs } = options
  let isDraining = false
  let isClosing = false
  let ended: Promise<void> | undefined

  const shutDown = async () => {
    isDraining = true
    // Clients leave meanwhile: every response closes its connection.
    if (drainMs > 0) await new Promise<void>((resolve) => void clock.after(drainMs, resolve))
    isClosing = true
    // A server waits only for the connections that it has accepted itself.
    const closed = Promise.all([
      new Promise<void>((resolve) => server.close(() => resolve())),
      connections.closed(),
    ])
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
    get isDraining() {
      return isDraining
    },
    get isClosing() {
      return isClosing
    },
    onResponseEnd() {
      if (isClosing) clock.after(idleGraceMs, () => server.closeIdleConnections())
    },
    run() {
      ended ??= shutDown()
      return ended
    },
  }
}
