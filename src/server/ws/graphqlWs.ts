import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '../../kit/clock/clock.ts'
import { createSignal, type SignalSource } from '../../kit/clock/signal.ts'
import type { Turns } from '../../kit/clock/turns.ts'
import type { Log } from '../../telemetry/log.ts'
import { createRequestId } from '../../telemetry/requestId.ts'
import type { RefusingLimit } from '../../upstream/error.ts'
import type { ClientKey, Identify } from '../clients/identify.ts'
import { type FormatError, limitError, withoutHttp } from '../execution/formatError.ts'
import { resultText } from '../execution/pipeline/jsonResult.ts'
import type { Operation, OperationResult } from '../execution/pipeline/operation.ts'
import type { Pipeline } from '../execution/pipeline/pipeline.ts'
import type { WaitingAnswers } from '../execution/pipeline/waitingAnswers.ts'
import { withDocumentId, withQuery } from './documentMessages.ts'
import { createOperationOrder } from './operationOrder.ts'
import { startPings } from './pings.ts'
import { payloadElsewhere, withPayload } from './resultMessages.ts'
import { createPauses, createThrottle, createTurnTaker } from './throttle.ts'

/** How the graph is served over WebSockets. */
export interface SocketsOptions {
  readonly schema: GraphQLSchema
  readonly pipeline: Pipeline
  readonly identify: Identify
  /** Clients take turns, however many messages each of them sends. */
  readonly turns: Turns
  /** The answers that clients have not read yet. */
  readonly waiting: WaitingAnswers
  readonly formatError: FormatError
  readonly clock: Clock
  readonly log: Log
  /** Called for what a limit refuses, apart from operations. */
  readonly onRefusal?: ((limit: RefusingLimit) => void) | undefined
  /** Operations open at once on one socket. */
  readonly maxSubscriptions: number
  /** Bytes of one message. */
  readonly maxPayload: number
  /** Messages of one socket that are read in a second. */
  readonly messagesPerSecond: number
  /** Milliseconds between pings. A client that has not answered one by the next is dropped. */
  readonly pingInterval?: number | undefined
}

/** Who opens a socket. */
export interface SocketClient {
  readonly key: ClientKey
  /** Counts the socket as one of another client. False if that one has too many. */
  readonly moveTo: (key: ClientKey) => boolean
}

/** The graph over the graphql-transport-ws protocol. */
export interface Sockets {
  /** Opens the socket of a client, which its first message may identify by an API key. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, client: SocketClient): void
  /** Sockets open. */
  readonly size: number
  /** Asks all clients to reconnect later. Their subscriptions are not reported as complete. */
  drain(): void
  /** Cuts the sockets that are still open. */
  terminate(): void
}

/** The client of one socket, and its open operations. */
interface Extra {
  client: ClientKey
  readonly moveTo: SocketClient['moveTo']
  readonly signals: Map<string, SignalSource>
  /** The ids that the protocol has open. An operation that its client has ended is not among them. */
  open: Readonly<Record<string, unknown>>
  /** The texts of results that the protocol is about to send, by the id of their operation. */
  readonly payloads: Map<string, string>
  readonly close: (code: number, reason: string) => void
}

/** Serves WebSockets. Each operation runs in the pipeline, with a signal of its own. */
export function createSockets(options: SocketsOptions): Sockets {
  const { schema, pipeline, identify, turns, waiting, formatError, clock, log } = options
  const { maxSubscriptions, maxPayload, messagesPerSecond, pingInterval = 12_000 } = options
  const { onRefusal } = options
  const server = new WebSocketServer({ noServer: true, maxPayload, handleProtocols })
  const pings = startPings(server.clients, { interval: pingInterval, clock })

  // The protocol passes on the arguments that `onSubscribe` returned, as the same object.
  const operations = new WeakMap<object, Operation>()
  const run = async (args: object): Promise<OperationResult> =>
    (await operations.get(args)?.run(true)) ?? {}

  // An error thrown in a hook of the protocol would close the socket with all its operations.
  const protocol = makeServer<Record<string, unknown>, Extra>({
    onConnect({ connectionParams = {}, extra }) {
      const client = identify.ofPayload(extra.client, connectionParams)
      if (client === undefined) {
        // After this code, clients do not connect again.
        extra.close(4401, 'Invalid or missing API key')
        return false
      }
      if (client !== extra.client && !extra.moveTo(client)) {
        onRefusal?.('streams_per_client')
        extra.close(1013, 'Too many open streams for this client')
        return false
      }
      extra.client = client
      return true
    },
    onSubscribe({ subscriptions, extra }, id, payload) {
      extra.open = subscriptions
      const requestId = createRequestId()
      if (Object.keys(subscriptions).length > maxSubscriptions) {
        const message = `Too many operations on one WebSocket. The limit is ${maxSubscriptions}.`
        const error = limitError('subscriptions_per_socket', message, { code: 'RATE_LIMITED' })
        return [formatError(error, requestId)]
      }
      const signal = createSignal()
      const operation = pipeline.prepare(withDocumentId(payload), {
        key: extra.client,
        arrivedAt: clock.now(),
        signal,
        requestId,
      })
      if ('errors' in operation) return operation.errors
      extra.signals.set(id, signal)
      const { document } = operation
      const args = { schema, document, operationName: payload.operationName ?? null }
      operations.set(args, operation)
      return args
    },
    execute: run,
    subscribe: run,
    onNext({ extra }, id, _payload, _args, result) {
      const { errors } = result
      const sent = errors ? { ...result, errors: errors.map(withoutHttp) } : result
      extra.payloads.set(id, resultText(sent))
      return payloadElsewhere
    },
    // The protocol wraps an error that ends a stream in one without its place.
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) =>
        withoutHttp(error.originalError instanceof GraphQLError ? error.originalError : error),
      ),
    onComplete({ extra }, id) {
      extra.signals.delete(id)
    },
  })

  /** Aborts the operations that the client has ended. The protocol itself stops only streams. */
  const abortEnded = ({ signals, open }: Extra) => {
    for (const [id, signal] of signals) {
      if (id in open) continue
      signals.delete(id)
      signal.abort()
    }
  }

  const open = (socket: WebSocket, client: SocketClient) => {
    const extra: Extra = {
      ...{
        client: client.key,
        moveTo: client.moveTo,
        signals: new Map(),
        open: {},
        payloads: new Map(),
      },
      close: (code, reason) => socket.close(code, reason),
    }
    // ws has already chosen the close code that fits the frame.
    socket.on('error', (error) => {
      log.debug({ reason: error.message }, 'invalid frame')
      if ('code' in error && error.code === tooLong) onRefusal?.('body_size')
    })
    pings.watch(socket)
    const pauses = createPauses(socket)
    const throttle = createThrottle(pauses, messagesPerSecond, clock)
    const takeTurn = createTurnTaker(pauses, turns, () => extra.client)
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) =>
          new Promise((resolve, reject) => {
            const message = withPayload(text, extra.payloads)
            if (socket.readyState !== socket.OPEN) return resolve()
            const release = waiting.hold(extra.client, message.length)
            socket.send(message, (error) => {
              release()
              if (error) reject(error)
              else resolve()
            })
          }),
        close: (code, reason) => socket.close(code, reason),
        onMessage(handle) {
          const order = createOperationOrder({
            ...pauses,
            isOpen: (id) => extra.signals.has(id),
            async handle(text) {
              // A message that had to wait can be late.
              if (socket.readyState !== socket.OPEN) return
              const done = handle(text)
              abortEnded(extra)
              await done.catch((error: unknown) => {
                log.error({ err: error }, 'socket message failed')
                socket.close(4500, 'Internal server error')
              })
            },
          })
          socket.on('message', (data) =>
            throttle(() => takeTurn(() => order(withQuery(String(data))))),
          )
        },
      },
      extra,
    )
    socket.once('close', (code, reason) => {
      extra.open = {}
      abortEnded(extra)
      closed(code, String(reason)).catch((error: unknown) =>
        log.error({ err: error }, 'socket did not close'),
      )
    })
  }

  return {
    accept(request, socket, head, client) {
      server.handleUpgrade(request, socket, head, (opened) => open(opened, client))
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

/** The code of ws for a message beyond `maxPayload`. */
const tooLong = 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
