import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { handleProtocols } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../kit/clock/clock.ts'
import type { ClientKey } from '../clients/identify.ts'
import { isAllowedOrigin, pathOf, plainPath, validateRequest } from '../http/requestGuards.ts'
import { endpoint } from '../http/yoga.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { Services } from '../services.ts'
import { openSocket } from './openSocket.ts'
import { createProtocol, type SocketClient } from './protocol.ts'

/** The graph over the graphql-transport-ws protocol. */
export interface Sockets {
  /** Opens the socket of a client, which its first message may identify by an API key. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, client: SocketClient): void
  readonly size: number
  /** Asks all clients to reconnect later. Their subscriptions are not reported as complete. */
  drain(): void
  /** Cuts the sockets that are still open. */
  terminate(): void
}

/**
 * Serves WebSockets. `pingInterval` has the milliseconds between pings: a client that has not answered one by the next
 * is dropped.
 */
export function createSockets(services: Services, pipeline: Pipeline, pingInterval = 12_000): Sockets {
  const { clock, limits } = services
  const maxPayload = limits.maxRequestBytes
  const server = new WebSocketServer({ noServer: true, maxPayload, handleProtocols })
  const pings = startPings(server.clients, { interval: pingInterval, clock })
  const protocol = createProtocol(services, pipeline)

  return {
    accept(request, socket, head, client) {
      server.handleUpgrade(request, socket, head, (opened) => {
        pings.watch(opened)
        openSocket(opened, client, protocol, services)
      })
    },
    get size() {
      return server.clients.size
    },
    drain() {
      pings.stop()
      for (const socket of server.clients) socket.close(1001, 'Going away')
    },
    terminate() {
      for (const socket of server.clients) socket.terminate()
    },
  }
}

/** Detects clients that have stopped answering. */
export interface Pings {
  watch(socket: WebSocket): void
  stop(): void
}

/** Pings the sockets every so many milliseconds. Drops a socket that has not answered by the next ping. */
function startPings(sockets: Iterable<WebSocket>, { interval, clock }: { interval: number; clock: Clock }): Pings {
  const unanswered = new WeakMap<WebSocket, string>()
  const ping = () => {
    for (const socket of sockets) {
      if (unanswered.has(socket)) socket.terminate()
      // A client that reads nothing cannot know the text, so it cannot pretend to answer.
      const text = randomBytes(8).toString('hex')
      unanswered.set(socket, text)
      socket.ping(text)
    }
    stop = clock.after(interval, ping)
  }
  let stop = clock.after(interval, ping)
  return {
    watch(socket) {
      socket.on('pong', (bytes) => {
        if (unanswered.get(socket) === String(bytes)) unanswered.delete(socket)
      })
    },
    stop: () => stop(),
  }
}

/** Handles requests to upgrade a connection: makes each a WebSocket, or refuses it with an HTTP status. */
export function createUpgrades(
  { identify, quota, allowedOrigins, onRefusal }: Services,
  sockets: Sockets,
  isClosing: () => boolean,
) {
  return (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const invalid = validateRequest(request)
    if (invalid) return refuse(socket, invalid.status)
    if (plainPath(pathOf(request)) !== endpoint) return refuse(socket, 404)
    if (!isAllowedOrigin(allowedOrigins, request.headers.origin)) return refuse(socket, 403)
    if (isClosing()) return refuse(socket, 503)
    const client = identify.ofUpgrade(request)
    if (typeof client !== 'string') return refuse(socket, client.status)
    let release = quota.acquire(client)
    if (!release) {
      onRefusal('streams_per_client')
      return refuse(socket, 429)
    }
    socket.once('close', () => release?.())
    const moveTo = (other: ClientKey) => {
      const taken = quota.acquire(other)
      if (!taken) return false
      release?.()
      release = taken
      return true
    }
    sockets.accept(request, socket, head, { key: client, moveTo })
  }
}

/** Answers with a status, and closes the connection, though the client may keep its side open. */
function refuse(socket: Duplex, status: number): void {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
