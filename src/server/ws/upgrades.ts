import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { RefusingLimit } from '../../upstream/error.ts'
import type { ClientKey, Identify } from '../clients/identify.ts'
import type { ConnectionQuota } from '../http/connections.ts'
import {
  type AllowedOrigins,
  isAllowedOrigin,
  pathOf,
  validateRequest,
} from '../http/requestGuards.ts'
import type { Sockets } from './graphqlWs.ts'

/** Which requests may become WebSockets. */
export interface UpgradesOptions {
  /** The only path with WebSockets. */
  readonly path: string
  readonly allowedOrigins: AllowedOrigins
  readonly identify: Identify
  /** Counts the WebSockets of each client together with its event streams. */
  readonly quota: ConnectionQuota
  readonly sockets: Sockets
  readonly onRefusal: (limit: RefusingLimit) => void
  readonly isClosing: () => boolean
}

/** Handles requests to upgrade a connection: makes each a WebSocket, or refuses it with an HTTP status. */
export function createUpgrades(options: UpgradesOptions) {
  const { identify, quota, sockets } = options
  return (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const invalid = validateRequest(request)
    if (invalid) return refuse(socket, invalid.status)
    if (pathOf(request) !== options.path) return refuse(socket, 404)
    if (!isAllowedOrigin(options.allowedOrigins, request.headers.origin)) return refuse(socket, 403)
    if (options.isClosing()) return refuse(socket, 503)
    const client = identify.ofUpgrade(request)
    if (typeof client !== 'string') return refuse(socket, client.status)
    let release = quota.acquire(client)
    if (!release) {
      options.onRefusal('streams_per_client')
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
