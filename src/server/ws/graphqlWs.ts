import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ExecutionArgs, getOperationAST } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { systemClock } from '../../clock/clock.ts'
import { requestError, withoutHttp } from '../execution/formatError.ts'
import type { Pipeline } from '../execution/yoga.ts'
import type { Log } from '../observability/log.ts'
import { createThrottle } from './throttle.ts'

/** How the graph is served over sockets. */
export interface SocketsOptions extends Pipeline {
  readonly maxSubscriptions: number
  /** Bytes of one message. */
  readonly maxPayload: number
  /** Messages of one socket that are read in a second. */
  readonly messagesPerSecond: number
  readonly log: Log
  /** Milliseconds between pings; a client is dropped that has not answered one by the next. */
  readonly pingInterval?: number | undefined
}

/** The graph over graphql-transport-ws. */
export interface Sockets {
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void
  readonly size: number
  /** Asks all clients to come back later; what they watch is not called complete. */
  drain(): void
  /** Cuts what has not left. */
  terminate(): void
}

/** What is under way on one socket. */
interface Extra {
  readonly operations: Map<string, AbortController>
  /** The protocol's own list of ids, where an operation the client has ended is missing. */
  open: Readonly<Record<string, unknown>>
}

/** Opens the socket side of the graph. Every operation has a context and an abort of its own. */
export function createSockets(options: SocketsOptions): Sockets {
  const { yoga, formatError, maxSubscriptions, maxPayload, messagesPerSecond, log } = options
  const { pingInterval = 12_000 } = options
  const server = new WebSocketServer({ noServer: true, maxPayload, handleProtocols })
  const { execute, subscribe } = yoga.getEnveloped()

  // What is thrown in a hook of the protocol closes the socket with all that lives on it.
  const safely =
    (run: typeof execute) =>
    async (args: ExecutionArgs): Promise<ReturnType<typeof execute>> => {
      try {
        return await run(args)
      } catch (error) {
        return { errors: [formatError(error)] }
      }
    }

  const protocol = makeServer<Record<string, unknown>, Extra>({
    async onSubscribe({ subscriptions, extra }, id, payload) {
      extra.open = subscriptions
      if (Object.keys(subscriptions).length > maxSubscriptions) {
        const message = `At most ${maxSubscriptions} operations run on one socket at once.`
        return [formatError(requestError(message, 'RATE_LIMITED'))]
      }
      const client = new AbortController()
      const graph = yoga.getEnveloped({ client: client.signal, params: payload })
      try {
        const document = graph.parse(payload.query)
        if (!getOperationAST(document, payload.operationName)) {
          return [formatError(requestError(noOperation, 'BAD_USER_INPUT'))]
        }
        const invalid = graph.validate(graph.schema, document)
        if (invalid.length > 0) return invalid
        extra.operations.set(id, client)
        return {
          schema: graph.schema,
          document,
          operationName: payload.operationName ?? null,
          variableValues: payload.variables ?? {},
          contextValue: await graph.contextFactory(),
        }
      } catch (error) {
        return [formatError(error)]
      }
    },
    execute: safely(execute),
    subscribe: safely(subscribe),
    onNext(_context, _id, _payload, _args, { errors, ...result }) {
      return errors ? { ...result, errors: errors.map(withoutHttp) } : result
    },
    onError: (_context, _id, _payload, errors) =>
      errors.map((error) => withoutHttp(formatError(error))),
    onComplete({ extra }, id) {
      extra.operations.delete(id)
    },
  })

  /** Aborts what the client has ended: the protocol itself stops streams only, not queries. */
  const sweep = ({ operations, open }: Extra) => {
    for (const [id, client] of operations) {
      if (id in open) continue
      operations.delete(id)
      client.abort()
    }
  }

  const silent = new WeakSet<WebSocket>()
  const pings = setInterval(() => {
    for (const socket of server.clients) {
      if (silent.has(socket)) socket.terminate()
      silent.add(socket)
      socket.ping()
    }
  }, pingInterval).unref()

  server.on('connection', (socket: WebSocket) => {
    const extra: Extra = { operations: new Map(), open: {} }
    // ws has already chosen the close code that fits what came over the wire.
    socket.on('error', ({ message }) => log.debug({ reason: message }, 'bad frame'))
    socket.on('pong', () => silent.delete(socket))
    const onSaid = createThrottle(socket, messagesPerSecond, systemClock)
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        send: (text) =>
          new Promise((resolve, reject) => {
            if (socket.readyState !== socket.OPEN) return resolve()
            socket.send(text, (error) => (error ? reject(error) : resolve()))
          }),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (handle) =>
          socket.on('message', (data) => {
            onSaid()
            handle(String(data)).catch((error: unknown) => {
              log.error({ err: error }, 'socket message failed')
              socket.close(4500, 'Internal server error')
            })
            sweep(extra)
          }),
      },
      extra,
    )
    socket.once('close', (code, reason) => {
      extra.open = {}
      sweep(extra)
      closed(code, String(reason)).catch((error: unknown) =>
        log.error({ err: error }, 'socket did not close'),
      )
    })
  })

  return {
    accept(request, socket, head) {
      server.handleUpgrade(request, socket, head, (opened) =>
        server.emit('connection', opened, request),
      )
    },
    get size() {
      return server.clients.size
    },
    drain() {
      clearInterval(pings)
      for (const socket of server.clients) socket.close(1001, 'Going away')
    },
    terminate() {
      for (const socket of server.clients) socket.terminate()
    },
  }
}

const noOperation = 'Could not determine what operation to execute.'
