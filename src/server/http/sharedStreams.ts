import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { GraphQLError } from 'graphql'
import type { Clock } from '../../kit/clock/clock.ts'
import type { RefusingLimit } from '../../upstream/error.ts'
import type { ClientKey } from '../clients/identify.ts'
import type { Pipeline } from '../execution/pipeline/pipeline.ts'
import type { WaitingAnswers } from '../execution/pipeline/waitingAnswers.ts'
import type { ConnectionQuota } from './connectionQuota.ts'
import { type Exchange, parseRequest } from './directPath.ts'
import type { OpenStreams } from './openStreams.ts'
import { type Reply, writeHead } from './reply.ts'
import { sendError } from './requestGuards.ts'
import { createSharedStream, type SharedStream } from './sharedStream.ts'

/** What shared streams run with. */
export interface SharedStreamsOptions {
  readonly pipeline: Pipeline
  /** Counts each stream, from its reservation on, like a WebSocket. */
  readonly quota: ConnectionQuota
  readonly clock: Clock
  readonly streams: OpenStreams
  readonly waiting: WaitingAnswers
  /** Operations open at once on one stream. */
  readonly maxSubscriptions: number
  readonly onRefusal?: ((limit: RefusingLimit) => void) | undefined
  /** Sends the errors of an operation that is not run. */
  readonly sendErrors: (exchange: Exchange, errors: readonly GraphQLError[]) => Promise<void>
}

/**
 * Event streams that carry all operations of a client, in the "single connection mode" of
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md. Browsers open six connections to a host.
 */
export interface SharedStreams {
  /** Whether a request belongs to a stream that is reserved or open, or reserves one. */
  isFor(request: IncomingMessage): boolean
  /** Reserves a stream (PUT), opens it (GET), or ends an operation of it (DELETE). */
  handle(request: IncomingMessage, reply: Reply, key: ClientKey): Promise<void> | void
  /** Runs an operation, whose results go to the stream (POST). */
  execute(exchange: Exchange, key: ClientKey): Promise<void> | void
  /** Ends all reservations, and refuses new ones. Streams end with their responses. */
  terminate(): void
}

/** Milliseconds in which a reservation is to be used. */
const reservedMs = 10_000

/** Milliseconds between two comments on a stream. The same as between the pings of a WebSocket. */
const pingMs = 12_000

/** The most characters of the id of an operation. It is sent with each event. */
const maxIdLength = 100

/** A stream, or its reservation. */
interface Entry {
  readonly stream: SharedStream
  isOpen: boolean
  /** Cancels what the clock is to do next. */
  cancel: () => void
  /** Ends it, and frees its place. */
  readonly drop: () => void
}

/** Opens the shared streams of a server. Only the process that has a reservation knows its token. */
export function createSharedStreams(options: SharedStreamsOptions): SharedStreams {
  const { pipeline, quota, clock, streams, waiting, maxSubscriptions, onRefusal } = options
  const entries = new Map<string, Entry>()
  let isOver = false

  const refuse = (reply: Reply, status: number, message: string) =>
    sendError(reply, { status, message })
  const refuseBeyond = (reply: Reply, limit: RefusingLimit, message: string) => {
    onRefusal?.(limit)
    sendError(reply, { status: 429, code: 'RATE_LIMITED', message })
  }
  /** The stream that a request names. One of another client is none. */
  const find = (request: IncomingMessage, key: ClientKey) => {
    const entry = entries.get(tokenOf(request) ?? '')
    return entry?.stream.key === key ? entry : undefined
  }

  const reserve = (reply: Reply, key: ClientKey) => {
    if (isOver) {
      const message = 'The gateway is about to close.'
      return sendError(reply, { status: 503, code: 'RATE_LIMITED', message })
    }
    const release = quota.acquire(key)
    if (!release) {
      return refuseBeyond(reply, 'streams_per_client', 'Too many open streams for this client.')
    }
    const token = randomUUID()
    const stream = createSharedStream(key, waiting)
    const entry: Entry = {
      stream,
      isOpen: false,
      cancel: () => {},
      drop() {
        if (!entries.delete(token)) return
        entry.cancel()
        stream.close()
        release()
      },
    }
    entry.cancel = clock.after(reservedMs, entry.drop)
    entries.set(token, entry)
    writeHead(reply, 201, { 'content-type': 'text/plain; charset=utf-8' }).end(token)
  }

  const open = (reply: Reply, entry: Entry) => {
    if (entry.isOpen) return refuse(reply, 409, 'The stream is open already.')
    entry.isOpen = true
    const ping = () => {
      entry.stream.ping()
      entry.cancel = clock.after(pingMs, ping)
    }
    entry.cancel()
    entry.cancel = clock.after(pingMs, ping)
    const response = writeHead(reply, 200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'content-encoding': 'none',
    })
    response.once('close', entry.drop)
    return streams.send(response, entry.stream.parts)
  }

  return {
    isFor: (request) =>
      ['PUT', 'DELETE'].includes(request.method ?? '') || tokenOf(request) !== undefined,

    handle(request, reply, key) {
      if (request.method === 'PUT') return reserve(reply, key)
      const entry = find(request, key)
      if (!entry) return refuse(reply, 404, noStream)
      if (request.method === 'GET') return open(reply, entry)
      const id = parametersOf(request).get('operationId')
      if (!id) return refuse(reply, 400, 'The parameter `operationId` is missing.')
      entry.stream.stop(id)
      writeHead(reply, 200, {}).end()
    },

    async execute(exchange, key) {
      const { request, reply, body, client } = exchange
      const entry = find(request, key)
      if (!entry) return refuse(reply, 404, noStream)
      const { stream } = entry
      const parameters = parseRequest(body)
      const id = parameters?.extensions?.operationId
      if (!parameters || typeof id !== 'string' || !id || id.length > maxIdLength) {
        const message = `The body must be an operation, with an id of at most ${maxIdLength} characters as \`extensions.operationId\`.`
        return refuse(reply, 400, message)
      }
      if (stream.has(id)) return refuse(reply, 409, 'The stream has an operation of this id.')
      if (stream.size >= maxSubscriptions) {
        const message = `Too many operations on one event stream. The limit is ${maxSubscriptions}.`
        return refuseBeyond(reply, 'subscriptions_per_socket', message)
      }
      const signal = stream.begin(id)
      const { arrivedAt, requestId, headers } = client
      const operation = pipeline.prepare(parameters, {
        ...{ key, signal, requestId },
        ...(arrivedAt !== undefined && { arrivedAt }),
        ...(headers && { headers }),
      })
      const result = 'errors' in operation ? operation : await operation.run(true)
      if ('errors' in result && !('data' in result)) {
        stream.stop(id)
        return options.sendErrors(exchange, result.errors ?? [])
      }
      writeHead(reply, 202, {}).end()
      await stream.send(id, result)
    },

    terminate() {
      isOver = true
      for (const { isOpen, drop } of [...entries.values()]) if (!isOpen) drop()
    },
  }
}

const noStream = 'The event stream is not known. It has ended, or another gateway has it.'

const parametersOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URL(url, 'http://localhost').searchParams

/** The token of a stream, which an `EventSource` can only send in the URL. */
function tokenOf(request: IncomingMessage): string | undefined {
  const header = request.headers['x-graphql-event-stream-token']
  if (typeof header === 'string') return header
  return request.url?.includes('token=')
    ? (parametersOf(request).get('token') ?? undefined)
    : undefined
}
