import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { Json } from './http.ts'

/** A WebSocket whose messages a test reads one by one. */
export interface SocketClient {
  /** The next message, or the close code. */
  next(): Promise<Json>
  send(message: unknown): void
  /** Sends a text as it is, or bytes as a binary message. */
  sendText(text: string | Buffer): void
  /** Writes bytes to the connection, without a frame around them. */
  sendBytes(bytes: Buffer): void
  /** Messages that have arrived and were not read. */
  readonly unread: number
  close(): Promise<unknown>
}

/** Opens a WebSocket to the graph. Resolves to the status if it is refused, and rejects if it is cut. */
export async function openSocket(url: string, headers: Record<string, string> = {}): Promise<SocketClient | number> {
  const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws', { headers })
  const inbox: Json[] = []
  const waiters: ((message: Json) => void)[] = []
  const receive = (message: Json) => {
    const waiter = waiters.shift()
    if (waiter) waiter(message)
    else inbox.push(message)
  }
  socket.on('message', (data) => receive(JSON.parse(String(data))))
  socket.on('close', receive)
  socket.on('error', () => {})
  const status = await new Promise<number>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
  })
  if (status !== 101) return status
  return {
    next: () => (inbox.length > 0 ? Promise.resolve(inbox.shift()) : new Promise((resolve) => waiters.push(resolve))),
    send: (message) => socket.send(JSON.stringify(message)),
    sendText: (text) => socket.send(text),
    sendBytes: (bytes) => Object(socket)._socket.write(bytes),
    get unread() {
      return inbox.length
    },
    async close() {
      socket.terminate()
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close')
    },
  }
}

/** Opens a WebSocket and sends `connection_init` with this payload. Resolves after the acknowledgement. */
export async function greetedSocket(
  url: string,
  payload: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<SocketClient> {
  const socket = await openSocket(url, headers)
  if (typeof socket === 'number') throw new Error(`refused with status ${socket}`)
  socket.send({ type: 'connection_init', payload })
  const answer = await socket.next()
  if (answer.type !== 'connection_ack') throw new Error(`closed with ${answer}`)
  return socket
}
