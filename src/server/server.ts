import { createServer } from 'node:http'
import { AsyncDisposableStack } from '@whatwg-node/disposablestack'
import { createHandlers } from './handlers.ts'
import { followConnections, followRefusals, shareConnections } from './http/connections.ts'
import { IncomingRequest } from './http/incomingRequest.ts'
import { listenOn } from './http/listen.ts'
import { createRequestListener } from './http/requestListener.ts'
import { endpoint } from './http/yoga.ts'
import { addServerMetrics } from './metrics/serverMetrics.ts'
import { openOperations } from './operations.ts'
import type { ServerOptions } from './serverOptions.ts'
import { type ClosingState, createShutdown } from './shutdown.ts'

/** A running server. */
export interface Server {
  readonly url: string
  /**
   * Is not ready for the limit `shutdownDelayMs`, then stops listening. Open operations may finish during the
   * grace period, and are cut after it. Connections without a request do not delay it.
   */
  close(): Promise<void>
}

/** Drops slow senders. Times are in milliseconds. */
const senderTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: 12_000,
  connectionsCheckingInterval: 2_500,
}

/** Serves the graph over HTTP, server-sent events and WebSocket. Rejects if the port cannot be used. */
export async function startServer(options: ServerOptions): Promise<Server> {
  await using stack = new AsyncDisposableStack()
  const { address, shared, telemetry, internals = {} } = options
  const { clock, limits } = shared
  const { log, metrics } = telemetry
  const { grace = 8_000, drain = 100, listen = listenOn(address.port, address.host) } = internals

  const state: ClosingState = { isDraining: false, isClosing: false }
  const operations = openOperations(options)
  const { onRefusal, isProxy } = operations
  const { handle, onUpgrade, sockets, graph } = createHandlers(options, operations, state)
  // Their pings would keep the process from ending.
  stack.defer(sockets.drain)
  if (metrics) addServerMetrics(metrics, { ...shared, ...operations, sockets })

  const server = createServer(
    { ...senderTimeouts, IncomingMessage: IncomingRequest },
    createRequestListener({
      ...{ handle, clock, log, isSandbox: shared.service.isSandbox },
      isDraining: () => state.isDraining,
      onEnd(request, response) {
        connections.forget(request, response)
        shutdown.onResponseEnd()
      },
    }),
  )
  stack.defer(() => {
    server.close()
    server.closeAllConnections()
  })
  // Drops clients that stop reading, but no client that waits for an answer. Node allows one more period.
  server.timeout = Math.max(25_000, limits.timeoutMs + 5_000)
  const connections = followConnections(server)
  shareConnections(server, {
    ...{ isProxy, connections, onRefusal, maxConnections: limits.maxConnections },
  })
  followRefusals(server, onRefusal)
  server.on('upgrade', onUpgrade)

  const shutdown = createShutdown({
    ...{ server, connections, sockets, graph, clock, state },
    drainMs: Math.max(limits.shutdownDelayMs, drain),
    graceMs: grace,
  })
  const origin = await listen(server)
  // From here, the shutdown ends all of them in time.
  stack.move()
  return { url: `${origin}${endpoint}`, close: shutdown.run }
}
