import type { IncomingMessage } from 'node:http'
import { isPromise } from '../../kit/awaitable.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { Turns } from '../../kit/clock/turns.ts'
import type { RefusingLimit } from '../../upstream/error.ts'
import type { ClientKey, Identify } from '../clients/identify.ts'
import type { FormatError } from '../execution/formatError.ts'
import { type Graphiql, wantsPage } from '../graphiql/page.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { WaitingAnswers } from '../operation/waitingAnswers.ts'
import type { StaticRoutes } from '../static/staticRoutes.ts'
import { createCompression } from './compression.ts'
import type { ConnectionQuota } from './connections.ts'
import { createDirectPath, type DirectPath } from './directPath.ts'
import { createOpenStreams, type OpenStreams, streamEndId } from './openStreams.ts'
import { readBody } from './readBody.ts'
import { addHeaders, type Reply, writeHead } from './reply.ts'
import { createRequestClient } from './requestClient.ts'
import {
  type AllowedOrigins,
  corsHeaders,
  preflightHeaders,
  sendEarlyError,
  sendError,
  validateGraphqlRequest,
} from './requestGuards.ts'
import type { ResponseCache } from './responseCache.ts'
import { createSharedStreams, type SharedStreams } from './sharedStreams.ts'
import { createSlowReaders } from './slowReaders.ts'
import { createYogaPath, type YogaPath } from './yogaPath.ts'

/** How the graph is served over HTTP. */
export interface GraphqlHandlerOptions {
  readonly pipeline: Pipeline
  readonly formatError: FormatError
  readonly clock: Clock
  readonly maxRequestBytes: number
  /** How many answers are compressed at once. */
  readonly maxCompressions: number
  readonly allowedOrigins: AllowedOrigins
  /** Left out, browsers get no page. */
  readonly graphiql?: Graphiql | undefined
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
  /** Cuts all event streams, without the event that completes them. */
  terminateStreams(): void
}

/** The ways that a request can take. */
interface Paths {
  readonly streams: OpenStreams
  readonly yoga: YogaPath
  /** Left out, all requests go through yoga. */
  readonly direct: DirectPath | undefined
  /** Left out, no streams are shared. */
  readonly shared: SharedStreams | undefined
}

function openPaths(options: GraphqlHandlerOptions): Paths {
  const { pipeline, answers, clock, quota, waiting, maxSubscriptions, onRefusal } = options
  const slowReaders = createSlowReaders(waiting)
  const streams = createOpenStreams(clock)
  const compression = createCompression(options.maxCompressions)
  const yoga = createYogaPath({ ...options, streams, slowReaders, compression })
  const direct =
    options.directPath === false
      ? undefined
      : createDirectPath({ pipeline, answers, slowReaders, compression, fetchApi: yoga.fetchApi })
  const shared =
    options.sharesStreams === false
      ? undefined
      : createSharedStreams({
          ...{ pipeline, quota, clock, streams, waiting, maxSubscriptions, onRefusal },
          sendErrors: yoga.sendErrors,
        })
  return { streams, yoga, direct, shared }
}

/**
 * Handles origins, GraphiQL, the method and the body. Plain requests then go to the pipeline directly,
 * and all others through yoga.
 */
export function createGraphqlHandler(options: GraphqlHandlerOptions): GraphqlHandler {
  const { allowedOrigins, graphiql, identify, maxRequestBytes } = options
  const paths = openPaths(options)
  const { shared, streams } = paths

  const sendPage = async (page: Graphiql, request: IncomingMessage, reply: Reply) => {
    const hasAccess = typeof identify.ofRequest(request) === 'string'
    options.files.send(await page.page(hasAccess), request, reply)
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
          respondToPost({ request, reply, key, bytes }, paths, options),
        )
      }
      if (shared?.isFor(request)) return shared.handle(request, reply, key)
      return respondToGet({ request, reply, key }, paths, options)
    },

    terminateStreams() {
      shared?.terminate()
      streams.terminate()
    },
  }
}

/** A request of a known client, and its reply. */
interface Asked {
  readonly request: IncomingMessage
  readonly reply: Reply
  readonly key: ClientKey
}

function respondToGet(
  { request, reply, key }: Asked,
  { yoga }: Paths,
  { quota, clock }: GraphqlHandlerOptions,
): Promise<void> | undefined {
  // A browser that lost an event stream asks for it again, also after its last event.
  if (request.headers['last-event-id'] === streamEndId) {
    writeHead(reply, 204, {}).end()
    return undefined
  }
  const client = createRequestClient(request, reply, { key, quota, arrivedAt: clock.now() })
  return yoga.respond({ request, reply, client })
}

/** Responds to a request whose body has been read, or was too large. */
function respondToPost(
  { request, reply, key, bytes }: Asked & { readonly bytes: Buffer | undefined },
  { yoga, direct, shared }: Paths,
  { quota, clock, turns, maxRequestBytes, onRefusal }: GraphqlHandlerOptions,
): Promise<void> | void {
  if (bytes === undefined) {
    onRefusal?.('body_size')
    const message = `The request body is larger than ${maxRequestBytes} bytes.`
    return sendEarlyError(request, reply, { status: 413, message }, clock)
  }
  const client = createRequestClient(request, reply, { key, quota, arrivedAt: clock.now() })
  const exchange = { request, reply, body: bytes.toString(), client }
  if (shared?.isFor(request)) return turns.run(key, () => shared.execute(exchange, key))
  if (!direct) return yoga.respond(exchange)
  const end = (isSent: boolean) => (isSent ? undefined : yoga.respond(exchange))
  const isSent = turns.run(key, () => direct.respond(exchange))
  return isPromise(isSent) ? isSent.then(end) : end(isSent)
}
