import type { IncomingMessage } from 'node:http'
import type { GraphQLError } from 'graphql'
import type { ClientKey } from '../clients/identify.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { Services } from '../services.ts'
import { type PostRequest, parseRequest } from './directPath.ts'
import type { OpenStreams } from './openStreams.ts'
import { type Reply, writeHead } from './reply.ts'
import { type HttpError, sendError } from './requestGuards.ts'
import type { SharedStream } from './sharedStream.ts'
import { createReservations, type Reservation, type Reservations } from './streamReservations.ts'

/** What shared streams need of the other ways of the graph over HTTP. */
export interface SharedStreamsParts {
  readonly pipeline: Pipeline
  readonly streams: OpenStreams
  /** Sends the errors of an operation that is not run. */
  readonly sendErrors: (exchange: PostRequest, errors: readonly GraphQLError[]) => Promise<void>
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
  execute(exchange: PostRequest, key: ClientKey): Promise<void> | void
  /** Ends all reservations, and refuses new ones. Streams end with their responses. */
  terminate(): void
}

/** The most characters of the id of an operation. It is sent with each event. */
const maxIdLength = 100

/** Opens the shared streams of a server. Only the process that has a reservation knows its token. */
export function createSharedStreams(services: Services, parts: SharedStreamsParts): SharedStreams {
  const reservations = createReservations(services)
  /** The stream that a request names. The streams of other clients are not found. */
  const find = (request: IncomingMessage, key: ClientKey) =>
    reservations.find(tokenOf(request) ?? '', key)

  return {
    isFor: (request) =>
      ['PUT', 'DELETE'].includes(request.method ?? '') || tokenOf(request) !== undefined,

    handle(request, reply, key) {
      if (request.method === 'PUT') return reserve(reply, key, reservations, services)
      const reserved = find(request, key)
      if (!reserved) return sendError(reply, noStream)
      if (request.method === 'GET') return open(reply, reserved, parts)
      const id = parametersOf(request).get('operationId')
      if (!id) return sendError(reply, noOperationId)
      reserved.stream.stop(id)
      writeHead(reply, 200, {}).end()
    },

    execute(exchange, key) {
      const reserved = find(exchange.request, key)
      if (!reserved) return sendError(exchange.reply, noStream)
      return execute(exchange, reserved.stream, services, parts)
    },

    terminate: reservations.end,
  }
}

function reserve(
  reply: Reply,
  key: ClientKey,
  reservations: Reservations,
  { onRefusal }: Services,
): void {
  const token = reservations.reserve(key)
  if (token !== undefined) {
    writeHead(reply, 201, { 'content-type': 'text/plain; charset=utf-8' }).end(token)
  } else if (reservations.isOver) sendError(reply, closing)
  else {
    onRefusal('streams_per_client')
    sendError(reply, tooMany('Too many open streams for this client.'))
  }
}

function open(
  reply: Reply,
  reserved: Reservation,
  { streams }: SharedStreamsParts,
): Promise<void> | void {
  if (!reserved.open()) return sendError(reply, alreadyOpen)
  reply.response.once('close', reserved.drop)
  return streams.send(reply, reserved.stream.parts)
}

async function execute(
  exchange: PostRequest,
  stream: SharedStream,
  { limits: { maxSubscriptions }, onRefusal }: Services,
  { pipeline, sendErrors }: SharedStreamsParts,
): Promise<void> {
  const { reply, body, client } = exchange
  const parameters = parseRequest(body)
  const id = parameters?.extensions?.operationId
  if (!parameters || typeof id !== 'string' || !id || id.length > maxIdLength) {
    return sendError(reply, noOperation)
  }
  if (stream.has(id)) return sendError(reply, sameId)
  if (stream.size >= maxSubscriptions) {
    onRefusal('subscriptions_per_socket')
    const message = `Too many operations on one event stream. The limit is ${maxSubscriptions}.`
    return sendError(reply, tooMany(message))
  }
  const signal = stream.begin(id)
  const { arrivedAt, requestId, headers } = client
  const operation = pipeline.prepare(parameters, {
    key: stream.key,
    signal,
    requestId,
    ...(arrivedAt !== undefined && { arrivedAt }),
    ...(headers && { headers }),
  })
  const result = 'errors' in operation ? operation : await operation.run(true)
  if ('errors' in result && !('data' in result)) {
    stream.stop(id)
    return sendErrors(exchange, result.errors ?? [])
  }
  writeHead(reply, 202, {}).end()
  await stream.send(id, result)
}

const tooMany = (message: string): HttpError => ({ status: 429, code: 'RATE_LIMITED', message })

const closing: HttpError = {
  status: 503,
  code: 'RATE_LIMITED',
  message: 'The gateway is about to close.',
}
const noStream: HttpError = {
  status: 404,
  message: 'The event stream is not known. It has ended, or another gateway has it.',
}
const noOperationId: HttpError = { status: 400, message: 'The parameter `operationId` is missing.' }
const noOperation: HttpError = {
  status: 400,
  message: `The body must be an operation, with an id of at most ${maxIdLength} characters as \`extensions.operationId\`.`,
}
const alreadyOpen: HttpError = { status: 409, message: 'The stream is open already.' }
const sameId: HttpError = { status: 409, message: 'The stream has an operation of this id.' }

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
