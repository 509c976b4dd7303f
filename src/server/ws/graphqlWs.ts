import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { handleProtocols } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Client } from '../clients/client.ts'
import { endpoint } from '../http/fetchClasses.ts'
import { maxRequestBytes } from '../http/readBody.ts'
import { isAllowedOrigin, pathOf, plainPath, validateRequest } from '../http/requestGuards.ts'
import type { TransportServices } from '../http/transportServices.ts'
import type { Pipeline } from '../operation/pipeline.ts'
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

/** Serves WebSockets. A client that has not answered a ping by the next one is dropped. */
export function createSockets(services: TransportServices, pipeline: Pipeline): Sockets {
  const { liveness } = services
  const server = new WebSocketServer({ noServer: true, maxPayload: maxRequestBytes, handleProtocols })
  let isDraining = false
  const protocol = createProtocol(services, pipeline)

  return {
    accept(request, socket, head, client) {
      server.handleUpgrade(request, socket, head, (opened) => {
        const ping = createPing(opened)
        const stop = liveness.watch(() => {
          if (!isDraining) ping()
        })
        opened.once('close', stop)
        openSocket(opened, client, protocol, services)
      })
    },
    get size() {
      return server.clients.size
    },
    drain() {
      isDraining = true
      for (const socket of server.clients) socket.close(1001, 'Going away')
    },
    terminate() {
      for (const socket of server.clients) socket.terminate()
    },
  }
}

/** Returns a function that pings a socket, or drops it if the last ping is not answered. */
function createPing(socket: WebSocket): () => void {
  let unanswered: string | undefined
  socket.on('pong', (bytes) => {
    if (unanswered === String(bytes)) unanswered = undefined
  })
  return () => {
    if (unanswered !== undefined) return socket.terminate()
    // A client that reads nothing cannot know the text, so it cannot pretend to answer.
    unanswered = randomBytes(8).toString('hex')
    socket.ping(unanswered)
  }
}

/** Handles requests to upgrade a connection: makes each a WebSocket, or refuses it with an HTTP status. */
export function createUpgrades(
  {
    identify,
    quota,
    allowedOrigins,
    onRefusal,
  }: Pick<TransportServices, 'identify' | 'quota' | 'allowedOrigins' | 'onRefusal'>,
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
    if ('status' in client) return refuse(socket, client.status)
    let release = quota.acquire(client.key)
    if (!release) {
      onRefusal('open_per_client')
      return refuse(socket, 429)
    }
    socket.once('close', () => release?.())
    const moveTo = (other: Client) => {
      const taken = quota.acquire(other.key)
      if (!taken) return false
      release?.()
      release = taken
      return true
    }
    sockets.accept(request, socket, head, { client, moveTo })
  }
}

/** Answers with a status, and closes the connection, though the client may keep its side open. */
function refuse(socket: Duplex, status: number): void {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}
