import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { GraphQLSchema } from 'graphql'
import type { Shared } from './execution/useRequestScope.ts'
import { createPipeline, endpoint } from './execution/yoga.ts'
import { clientIp, createConnectionQuota } from './http/connectionQuota.ts'
import { type AllowedOrigins, isAllowedOrigin } from './http/cors.ts'
import { createGraphqlHandler } from './http/graphqlHandler.ts'
import { sendError, sendJson, validateRequest } from './http/requestGuards.ts'
import type { Log } from './observability/log.ts'
import type { Metrics } from './observability/metrics.ts'
import { createReadiness } from './observability/readiness.ts'
import type { Telemetry } from './observability/useTelemetry.ts'
import { createSockets } from './ws/graphqlWs.ts'

/** What is served, and how. */
export interface ServerOptions extends Shared {
  readonly schema: GraphQLSchema
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  readonly log: Log
  /** Served at `/metrics` when given. */
  readonly metrics?: Metrics
  readonly graphiql: boolean
  readonly introspection: boolean
  readonly allowedOrigins: AllowedOrigins
  /** Milliseconds that operations under way have to end in once the server closes. */
  readonly grace?: number
  /** Milliseconds between pings to each socket. */
  readonly pingInterval?: number | undefined
}

/** A server under way. */
export interface Server {
  /** Where the graph is. */
  readonly url: string
  /** Ends what is under way in good order; cuts what has not ended after the grace. */
  close(): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void

/** Serves the graph over HTTP, server-sent events and sockets. Rejects when the port cannot be had. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { network, poller, limits, log, metrics, allowedOrigins, grace = 8_000 } = options
  const open = { subscriptions: 0 }
  const observer: Telemetry = {
    onOperation(observed) {
      metrics?.onOperation(observed)
      log.debug(observed, 'operation')
    },
    onSubscription() {
      open.subscriptions += 1
      return () => {
        open.subscriptions -= 1
      }
    },
  }
  const pipeline = createPipeline({ ...options, observer })
  const quota = createConnectionQuota(limits.maxStreamsPerClient)
  const graph = createGraphqlHandler({ ...options, ...limits, quota, yoga: pipeline.yoga })
  const sockets = createSockets({
    ...pipeline,
    log,
    maxSubscriptions: limits.maxSubscriptions,
    maxPayload: limits.maxRequestBytes,
    messagesPerSecond: limits.maxMessagesPerSecond,
    pingInterval: options.pingInterval,
  })
  const readiness = createReadiness(network)
  let isClosing = false

  metrics?.gauge('portolan_sockets', 'Sockets open.', () => sockets.size)
  metrics?.gauge('portolan_subscriptions', 'Subscriptions open.', () => open.subscriptions)
  metrics?.gauge('portolan_polls', 'Things polled.', () => poller.size)
  metrics?.gauge('portolan_poll_listeners', 'Listeners of polls.', () => poller.listeners)
  metrics?.gauge('portolan_polls_in_flight', 'Polls under way.', () => poller.inFlight)

  const routes: Record<string, Handler | undefined> = {
    [endpoint]: graph.handle,
    '/': (_request, response) => void response.writeHead(302, { location: endpoint }).end(),
    '/health': (_request, response) => sendJson(response, 200, { status: 'ok' }),
    async '/ready'(_request, response) {
      const isReady = !isClosing && (await readiness())
      sendJson(response, isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready' })
    },
    ...(metrics && {
      async '/metrics'(_request, response) {
        response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text())
      },
    }),
  }

  const handle: Handler = (request, response) => {
    const refusal = validateRequest(request)
    if (refusal) return sendError(response, refusal)
    const route = routes[pathOf(request)]
    if (!route) return sendError(response, { status: 404, message: `The graph is at ${endpoint}.` })
    return route(request, response)
  }

  const server = createServer(
    // Who sends slowly does not hold a connection for long.
    { headersTimeout: 10_000, requestTimeout: 12_000, connectionsCheckingInterval: 2_500 },
    async (request, response) => {
      const started = performance.now()
      response.once('close', () => {
        const seconds = (performance.now() - started) / 1000
        const { statusCode: status } = response
        log.debug({ method: request.method, path: pathOf(request), status, seconds }, 'request')
      })
      if (isClosing) response.setHeader('connection', 'close')
      try {
        await handle(request, response)
      } catch (error) {
        if (!response.destroyed) log.error({ err: error }, 'request failed')
        if (response.headersSent) response.destroy()
        else sendJson(response, 500, unexpected)
      }
    },
  )
  // Nor who takes nothing; Node grants one round more to see whether a write goes on.
  server.timeout = 30_000
  server.maxConnections = limits.maxConnections

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const refusal = validateRequest(request)?.status
    if (refusal) return rejectUpgrade(socket, refusal)
    if (pathOf(request) !== endpoint) return rejectUpgrade(socket, 404)
    if (!isAllowedOrigin(allowedOrigins, request.headers.origin)) return rejectUpgrade(socket, 403)
    if (isClosing) return rejectUpgrade(socket, 503)
    const leave = quota.acquire(clientIp(request))
    if (!leave) return rejectUpgrade(socket, 429)
    socket.once('close', leave)
    sockets.accept(request, socket, head)
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })

  return {
    url: `${originOf(server.address())}${endpoint}`,
    async close() {
      isClosing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      sockets.drain()
      graph.terminateStreams()
      const idle = setInterval(() => server.closeIdleConnections(), 100)
      const end = setTimeout(() => {
        sockets.terminate()
        server.closeAllConnections()
      }, grace)
      await closed
      clearInterval(idle)
      clearTimeout(end)
    },
  }
}

const pathOf = ({ url = '' }: IncomingMessage): string => url.split('?', 1)[0] ?? ''

const unexpected = {
  errors: [{ message: 'Unexpected error.', extensions: { code: 'INTERNAL_SERVER_ERROR' } }],
}

const rejectUpgrade = (socket: Duplex, status: number): void =>
  void socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)

function originOf(address: string | AddressInfo | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}
