import { Socket } from 'node:net'
import type { Listen } from '../server/http/listen.ts'
import { connectionMessage } from './link.ts'

/**
 * The connections that the primary process gives to this one, a worker. The worker has no port of its own.
 * `received` has to report each of them to the primary, before anything is read from it.
 */
export const receiveConnections =
  (origin: string, received: () => void): Listen =>
  async (server) => {
    process.on('message', (message, connection) => {
      if (message !== connectionMessage) return
      received()
      if (!(connection instanceof Socket)) return
      // As those that a server of Node accepts for HTTP itself.
      connection.allowHalfOpen = true
      connection.setNoDelay(true)
      server.emit('connection', connection)
    })
    // From this event on, Node ends slow requests, and knows which connections are idle.
    server.emit('listening')
    return origin
  }
