import type { IncomingMessage } from 'node:http'
import { processRegularResult } from 'graphql-yoga'
import type { Clock } from '../../kit/clock/clock.ts'
import type { Turns } from '../../kit/clock/turns.ts'
import type { RefusingLimit } from '../../upstream/error.ts'
import type { ClientKey, Identify } from '../clients/identify.ts'
import type { FormatError } from '../execution/formatError.ts'
import { isPromise } from '../execution/isPromise.ts'
import { resultText } from '../execution/pipeline/jsonResult.ts'
import type { Pipeline } from '../execution/pipeline/pipeline.ts'
import type { WaitingAnswers } from '../execution/pipeline/waitingAnswers.ts'
import { type Graphiql, wantsPage } from '../graphiql/page.ts'
import type { StaticRoutes } from '../static/staticRoutes.ts'
import type { ConnectionQuota } from './connectionQuota.ts'
import { type AllowedOrigins, corsHeaders, preflightHeaders } from './cors.ts'
import { createDirectPath, type Exchange } from './directPath.ts'
import { sendEarlyError } from './earlyError.ts'
import { mediaTypeFor } from './mediaType.ts'
import { createOpenStreams } from './openStreams.ts'
import { addHeaders, type Reply, writeHead } from './reply.ts'
import { createRequestClient } from './requestClient.ts'
import { readBody, sendError, validateGraphqlRequest } from './requestGuards.ts'
import type { ResponseCache } from './responseCache.ts'
import { createSharedStreams } from './sharedStreams.ts'
import { createSlowReaders } from './slowReaders.ts'
import { nameEnd, streamEndId } from './streamEnd.ts'
import { createYogaAdapter, endpoint } from './yoga.ts'

/** How the graph is served over HTTP. */
export interface GraphqlHandlerOptions {
  readonly pipeline: Pipeline
  readonly formatError: FormatError
  readonly clock: Clock
  readonly maxRequestBytes: number
  readonly allowedOrigins: AllowedOrigins
  /** Left out, browsers get no page. */
  readonly graphiql?: Graphiql | undefined
  /** Sends the page. */
  readonly files: Pick<StaticRoutes, 'send'>
  /** Counts the event streams of each client together with its WebSockets. */
  readonly quota: ConnectionQuota
  readonly identify: Identify
  /** Clients take turns, however many requests each of them sends. */
  readonly turns: Turns
  /** Whether plain requests skip yoga. Default: true. Tests turn it off to compare both paths. */
  readonly directPath?: boolean | undefined
  /** Called for a request whose body is too large. */
  readonly onRefusal?: ((limit: RefusingLimit) => void) | undefined
  /** The answers that clients have not read yet. */
  readonly waiting: WaitingAnswers
  /** Answers that may be sent again. */
  readonly answers: ResponseCache
  /** Whether all requests of a client reach this process, so that they can share an event stream. Default: true. */
  readonly sharesStreams?: boolean | undefined
  /** Operations open at once on one event stream. */
  readonly maxSubscriptions: number
}

/** The graph over HTTP and server-sent events. */
export interface GraphqlHandler {
  handle(request: IncomingMessage, reply: Reply): Promise<void> | void
  /** Cuts all event streams. Their clients can tell this from a stream that is complete. */
  terminateStreams(): void
}

/**
 * Handles origins, GraphiQL, the method and the body. Plain requests then go to the pipeline directly,
 * and all others through yoga.
 */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { pipeline, answers, maxRequestBytes, allowedOrigins, graphiql } = options
  const { files, clock, quota, identify, turns } = options
  const slowReaders = createSlowReaders(options.waiting)
  const yoga = createYogaAdapter(pipeline, options.formatError, turns)
  const direct =
    options.directPath === false
      ? undefined
      : createDirectPath({ pipeline, answers, slowReaders, fetchApi: yoga.fetchAPI })
  const streams = createOpenStreams(clock)
  const shared =
    options.sharesStreams === false
      ? undefined
      : createSharedStreams({
          ...{ pipeline, quota, clock, streams, waiting: options.waiting },
          ...{ maxSubscriptions: options.maxSubscriptions, onRefusal: options.onRefusal },
          sendErrors({ request, reply, client }, errors) {
            const mediaType = mediaTypeFor(request.headers.accept) ?? 'application/json'
            const result = { errors: [...errors], stringify: resultText }
            const response = processRegularResult(result, yoga.fetchAPI, mediaType)
            return slowReaders.sendResponse(reply, client, response)
          },
        })

  const respondThroughYoga = async (exchange: Omit<Exchange, 'body'> & { body?: string }) => {
    const { request, reply, body, client } = exchange
    const result = await yoga.fetch(
      `http://localhost${endpoint}${queryStringOf(request)}`,
      {
        method: request.method ?? 'GET',
        headers: headersOf(request),
        ...(body !== undefined && { body }),
      },
      { client },
    )
    const isStream = result.headers.get('content-type')?.startsWith('text/event-stream')
    if (!result.body || !isStream) return slowReaders.sendResponse(reply, client, result)
    // Yoga always keeps the connection, but Node knows whether the client or the server wants it closed.
    result.headers.delete('connection')
    const response = writeHead(reply, result.status, Object.fromEntries(result.headers))
    await streams.send(response, slowReaders.countParts(nameEnd(result.body), client))
  }

  const respondToPost = (
    request: IncomingMessage,
    reply: Reply,
    key: ClientKey,
    bytes: Buffer | undefined,
  ): Promise<void> | void => {
    if (bytes === undefined) {
      options.onRefusal?.('body_size')
      const message = `The request body is larger than ${maxRequestBytes} bytes.`
      return sendEarlyError(request, reply, { status: 413, message }, clock)
    }
    const client = createRequestClient(request, reply, { key, quota, arrivedAt: clock.now() })
    const exchange = { request, reply, body: bytes.toString(), client }
    if (shared?.isFor(request)) return turns.run(key, () => shared.execute(exchange, key))
    if (!direct) return respondThroughYoga(exchange)
    const end = (isSent: boolean) => (isSent ? undefined : respondThroughYoga(exchange))
    const isSent = turns.run(key, () => direct.respond(exchange))
    return isPromise(isSent) ? isSent.then(end) : end(isSent)
  }

  const sendPage = async (page: Graphiql, request: IncomingMessage, reply: Reply) => {
    const hasAccess = typeof identify.ofRequest(request) === 'string'
    files.send(await page.page(hasAccess), request, reply)
  }

  return {
    handle(request, reply) {
      addHeaders(reply, corsHeaders(allowedOrigins, request.headers.origin))
      if (request.method === 'OPTIONS') {
        writeHead(reply, 204, preflightHeaders).end()
        return undefined
      }
      if (graphiql && wantsPage(request)) return sendPage(graphiql, request, reply)

      const invalid = validateGraphqlRequest(request, shared !== undefined)
      if (invalid) return sendError(reply, invalid)
      const key = identify.ofRequest(request)
      if (typeof key !== 'string') return sendError(reply, key)
      if (request.method === 'POST') {
        return readBody(request, maxRequestBytes).then((bytes) =>
          respondToPost(request, reply, key, bytes),
        )
      }
      if (shared?.isFor(request)) return shared.handle(request, reply, key)
      // A browser that lost an event stream asks for it again, also after its last event.
      if (request.headers['last-event-id'] === streamEndId) {
        writeHead(reply, 204, {}).end()
        return undefined
      }
      const client = createRequestClient(request, reply, { key, quota, arrivedAt: clock.now() })
      return respondThroughYoga({ request, reply, client })
    },

    terminateStreams() {
      shared?.terminate()
      streams.terminate()
    },
  }
}

const queryStringOf = ({ url = '' }: IncomingMessage): string =>
  url.includes('?') ? url.slice(url.indexOf('?')) : ''

// Yoga reads no other headers, so no others are passed on.
const headersOf = ({ headers }: IncomingMessage): Record<string, string> => ({
  accept: headers.accept ?? '*/*',
  'content-type': 'application/json',
})
