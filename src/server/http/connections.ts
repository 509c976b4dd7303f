import { EventEmitter } from 'node:events'
import { type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from 'node:http'
import { type Server as NetServer, Socket } from 'node:net'
import type { SharedContext } from '../../engine/graphql/builder.ts'
import type { Metrics } from '../../engine/telemetry/metrics/metrics.ts'
import { createRequestId, requestIdHeader } from '../../engine/telemetry/requestId.ts'
import type { RefusingLimit } from '../../engine/upstream/error.ts'
import type { Clients } from '../clients/clients.ts'
import { parseAddress, toClient } from '../clients/proxies.ts'
import { errorBody } from './httpError.ts'

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

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Whether no request has arrived completely, so that none is being answered. */
const isHalfSent = (open: readonly Exchange[]): boolean => open.every(({ request }) => !request.complete)

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

/** The share of all connections that one address may hold. */
const shareOfAddress = 0.75

/**
 * Keeps one address from holding all connections of a server. An address that is no trusted proxy has a share of
 * them. When all are taken, an idle one of the address with most is closed for a newcomer from elsewhere. A request
 * that has not arrived completely keeps none open.
 */
export function shareConnections(
  server: NetServer,
  connections: Pick<OpenConnections, 'isIdle'>,
  { isProxy, limits, onRefusal }: Pick<Clients, 'isProxy'> & Pick<SharedContext, 'limits'> & Pick<Metrics, 'onRefusal'>,
): void {
  const { maxConnections } = limits
  const share = Math.max(1, Math.floor(maxConnections * shareOfAddress))
  const byAddress = new Map<string, Set<Socket>>()
  let total = 0
  // One more than allowed, which is refused here or takes the place of another one.
  server.maxConnections = maxConnections + 1

  const largest = () => {
    let found: readonly [string, Set<Socket>] | undefined
    for (const entry of byAddress) if (!found || entry[1].size > found[1].size) found = entry
    return found
  }
  /** Closes an idle connection of the address with most, unless that is this one. */
  const makeRoom = (address: string): boolean => {
    const [busiest, sockets] = largest() ?? []
    if (busiest === address) return false
    for (const socket of sockets ?? []) {
      if (!connections.isIdle(socket)) continue
      socket.destroy()
      return true
    }
    return false
  }

  server.on('connection', (socket: Socket) => {
    const address = toClient(parseAddress(socket.remoteAddress ?? '') ?? '')
    const own = byAddress.get(address) ?? new Set()
    const isOver = own.size >= share && !isProxy(address)
    if (isOver || (total >= maxConnections && !makeRoom(address))) {
      onRefusal('connections')
      socket.destroy()
      return
    }
    total += 1
    byAddress.set(address, own.add(socket))
    socket.once('close', () => {
      total -= 1
      own.delete(socket)
      if (own.size === 0) byAddress.delete(address)
    })
  })
}

/** Limits the connections that each client holds open, so that one client cannot take them all. */
export interface ConnectionQuota {
  /** Reserves a slot for a client. Returns a function that frees it, or undefined if the client has none left. */
  acquire(client: string): (() => void) | undefined
  readonly clients: number
}

/** At most `slots` concurrent connections per client. */
export function createConnectionQuota(slots: number): ConnectionQuota {
  const open = new Map<string, number>()

  const free = (client: string) => {
    const left = (open.get(client) ?? 0) - 1
    if (left > 0) open.set(client, left)
    else open.delete(client)
  }

  return {
    acquire(client) {
      const count = open.get(client) ?? 0
      if (count >= slots) return undefined
      open.set(client, count + 1)
      return () => free(client)
    },
    get clients() {
      return open.size
    },
  }
}

/**
 * Counts the connections and the requests that Node itself refuses because of a limit. A client whose URL or
 * headers are too large gets an answer that says what to do.
 */
export function followRefusals(server: Server, onRefusal: (limit: RefusingLimit) => void): void {
  server.on('drop', () => onRefusal('connections'))
  // A listener of this event would have to answer all errors in the place of Node.
  const emit = (event: string | symbol, ...args: unknown[]): boolean => {
    if (event === 'clientError' && isHeaderOverflow(args[0])) {
      onRefusal('header_size')
      if (sendTooLarge(args[1])) return true
    }
    return EventEmitter.prototype.emit.call(server, event, ...args)
  }
  server.emit = emit
}

const isHeaderOverflow = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'HPE_HEADER_OVERFLOW'

/** Answers a request that could not be parsed. False if the socket may be in the middle of another answer. */
function sendTooLarge(socket: unknown): boolean {
  if (!(socket instanceof Socket) || !socket.writable || isAnswering(socket)) return false
  const requestId = createRequestId()
  const message = `The URL and the headers are larger than ${maxHeaderSize} bytes together. Send the document by POST.`
  const body = JSON.stringify(errorBody({ message }, requestId))
  const head = [
    'HTTP/1.1 431 Request Header Fields Too Large',
    `${requestIdHeader}: ${requestId}`,
    // The origin is not known. The answer is safe for any page.
    'access-control-allow-origin: *',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
  return true
}

/** Whether an earlier request on the connection is not answered yet. Node keeps its response here. */
const isAnswering = (socket: Socket): boolean => Boolean(Reflect.get(socket, '_httpMessage'))
