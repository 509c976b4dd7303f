import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The connections of a server that are not WebSockets, by what they carry. */
export interface OpenConnections {
  /** Drops a response that has been closed. Otherwise it would stay in memory until its connection closes. */
  forget(request: IncomingMessage, response: ServerResponse): void
  /** Whether a connection carries no request that has arrived completely. A WebSocket always does. */
  isIdle(socket: Socket): boolean
  /** Resolves when none is open. Here a WebSocket is one. */
  closed(): Promise<void>
  /** Destroys the connections on which no request has begun. */
  destroySilent(): void
  /** Destroys the connections whose request has not arrived completely. */
  destroyHalfSent(): void
}

/**
 * Follows the connections of a server. A server that closes waits for all of them. Node closes a connection only
 * after it has finished a request, so that a connection without one would delay the end.
 */
export function followConnections(server: Server): OpenConnections {
  const connections = new Map<Socket, Exchange[]>()
  let open = 0
  let onNone = () => {}
  const openOf = (socket: Socket) => connections.get(socket)?.filter(isOpen) ?? []
  server.on('connection', (socket) => {
    const exchanges: Exchange[] = []
    connections.set(socket, exchanges)
    open += 1
    socket.once('close', () => {
      connections.delete(socket)
      closeQueued(exchanges)
      open -= 1
      if (open === 0) onNone()
    })
  })
  server.on('request', (request, response) => {
    connections.get(request.socket)?.push({ request, response })
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => {
    // The answers that are still to come would be written between the frames of the WebSocket.
    if (openOf(socket).length > 0) socket.destroy()
    connections.delete(socket)
  })

  const destroy = (isDone: (open: readonly Exchange[]) => boolean) => {
    for (const socket of connections.keys()) if (isDone(openOf(socket))) socket.destroy()
  }
  return {
    forget({ socket }, response) {
      const open = connections.get(socket)
      const at = open?.findIndex((exchange) => exchange.response === response) ?? -1
      if (at >= 0) open?.splice(at, 1)
    },
    isIdle: (socket) => connections.has(socket) && isHalfSent(openOf(socket)),
    closed: () =>
      new Promise((resolve) => {
        onNone = resolve
        if (open === 0) resolve()
      }),
    destroySilent: () => destroy((open) => open.length === 0),
    destroyHalfSent: () => destroy(isHalfSent),
  }
}

/** A request and its response. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Whether no request has arrived completely, so that none is being answered. */
const isHalfSent = (open: readonly Exchange[]): boolean =>
  open.every(({ request }) => !request.complete)

const isOpen = ({ response }: Exchange) => !response.writableFinished && !response.destroyed

/**
 * Closes the responses that wait behind another one on a closed connection. Node forgets them without an event, so
 * that their operations would never end.
 */
function closeQueued(exchanges: readonly Exchange[]): void {
  for (const { response } of [...exchanges]) {
    if (response.socket || response.writableFinished || response.destroyed) continue
    response.destroy()
    response.emit('close')
  }
}
