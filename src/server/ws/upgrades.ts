import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ClientKey } from '../clients/identify.ts'
import { isAllowedOrigin, pathOf, validateRequest } from '../http/requestGuards.ts'
import { endpoint } from '../http/yoga.ts'
import type { Services } from '../services.ts'
import type { Sockets } from './graphqlWs.ts'

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
    if (pathOf(request) !== endpoint) return refuse(socket, 404)
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
