import type { Server } from 'graphql-ws'
import type { WebSocket } from 'ws'
import type { TransportServices } from '../http/transportServices.ts'
import type { UnreadAnswers } from '../operation/unreadAnswers.ts'
import { withPayload, withQuery } from './messages.ts'
import { createPauses, createTurnTaker, type Pausable } from './pauses.ts'
import { abortEnded, type SocketClient, type SocketState } from './protocol.ts'

/** Hands a socket to the protocol, until it closes. */
export function openSocket(
  socket: WebSocket,
  { client, moveTo }: SocketClient,
  protocol: Server<SocketState>,
  services: Pick<TransportServices, 'log' | 'onRefusal' | 'unread'>,
): void {
  const { log, onRefusal, unread } = services
  const state: SocketState = {
    client,
    moveTo,
    operations: new Map(),
    open: {},
    payloads: new Map(),
    close: (code, reason) => socket.close(code, reason),
  }
  // ws has already chosen the close code that fits the frame.
  socket.on('error', (error) => {
    log.debug({ reason: error.message }, 'invalid frame')
    if ('code' in error && error.code === tooLong) onRefusal('body_size')
  })
  const pauses = createPauses(socket)
  const closed = protocol.opened(
    {
      protocol: socket.protocol,
      send: (text) => send({ socket, state, pauses }, unread, text),
      close: state.close,
      onMessage: (handle) => readMessages({ socket, state, pauses }, handle, services),
    },
    state,
  )
  socket.once('close', (code, reason) => {
    state.open = {}
    abortEnded(state)
    closed(code, String(reason)).catch((error: unknown) => log.error({ err: error }, 'socket did not close'))
  })
}

/** An open socket, and the parts of the server that have paused its reading. */
interface OpenSocket {
  readonly socket: WebSocket
  readonly state: SocketState
  readonly pauses: Pausable
}

/** A client with more unread bytes than these is not read from, since its messages would make more. */
const maxUnreadBytes = 1024 * 1024

/** Sends a message. It counts as an answer that waits until the client has read it. */
const send = ({ socket, state, pauses }: OpenSocket, unread: UnreadAnswers, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const message = withPayload(text, state.payloads)
    if (socket.readyState !== socket.OPEN) return resolve()
    const release = unread.hold(state.client.key, message.length)
    const isFull = socket.bufferedAmount + message.length > maxUnreadBytes
    if (isFull) pauses.pause()
    socket.send(message, (error) => {
      release()
      if (isFull) pauses.resume()
      if (error) reject(error)
      else resolve()
    })
  })

/** Passes messages to the protocol in turns, in order of ids. */
function readMessages(
  { socket, state, pauses }: OpenSocket,
  handle: (text: string) => Promise<void>,
  { log }: Pick<TransportServices, 'log'>,
): void {
  const takeTurn = createTurnTaker(pauses, () => state.client)
  const deliver = async (text: string) => {
    // A message that had to wait can be late.
    if (socket.readyState !== socket.OPEN) return
    const done = handle(text)
    abortEnded(state)
    await done.catch((error: unknown) => {
      log.error({ err: error }, 'socket message failed')
      socket.close(4500, 'Internal server error')
    })
  }
  const order = createOperationOrder(pauses, (id) => state.operations.has(id), deliver)
  socket.on('message', (data) => takeTurn(() => order(withQuery(String(data)))))
}

/** The code of ws for a message beyond `maxPayload`. */
const tooLong = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'

/**
 * Returns a function that hands messages to the protocol by `handle`, which resolves when the operation that a message
 * starts has ended. The socket is paused while messages wait. A client may use the id of an operation again as soon as it
 * has ended it, so that it is not open any more. The protocol is then still closing the old operation, and would take the new one for it. So the new
 * operation waits, and so do all messages with its id that follow.
 */
function createOperationOrder(
  pauses: Pausable,
  isOpen: (id: string) => boolean,
  handle: (text: string) => Promise<void>,
): (text: string) => void {
  /** Operations that the protocol is not done with, by their ids. */
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Message[]>()

  const deliver = ({ id, isStart, text }: Message) => {
    const done = handle(text)
    if (id === undefined || !isStart) return
    const ended = () => {
      if (running.get(id) !== done) return
      running.delete(id)
      serve(id)
    }
    running.set(id, done)
    done.then(ended, ended)
  }

  const serve = (id: string) => {
    const messages = waiting.get(id)
    if (!messages) return
    for (let next = messages[0]; next && !mustWait(next); next = messages[0]) {
      messages.shift()
      deliver(next)
    }
    if (messages.length > 0) return
    waiting.delete(id)
    if (waiting.size === 0) pauses.resume()
  }

  const mustWait = ({ id, isStart }: Message): boolean => id !== undefined && isStart && running.has(id) && !isOpen(id)

  return (text) => {
    const message = readMessage(text)
    const { id } = message
    const before = id === undefined ? undefined : waiting.get(id)
    if (before) before.push(message)
    else if (id !== undefined && mustWait(message)) {
      if (waiting.size === 0) pauses.pause()
      waiting.set(id, [message])
    } else deliver(message)
  }
}

interface Message {
  readonly text: string
  readonly id: string | undefined
  /** Whether it starts an operation. */
  readonly isStart: boolean
}

function readMessage(text: string): Message {
  try {
    const { id, type } = JSON.parse(text) ?? {}
    return { text, id: typeof id === 'string' ? id : undefined, isStart: type === 'subscribe' }
  } catch {
    // The protocol refuses what is not JSON.
    return { text, id: undefined, isStart: false }
  }
}
