import type { IncomingMessage } from 'node:http'
import { isPromise } from '../../kit/awaitable.ts'
import type { Client } from '../clients/client.ts'
import { type Graphiql, wantsPage } from '../graphiql/page.ts'
import type { Liveness } from '../liveness.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { ServerInternals, Services } from '../services.ts'
import type { StaticRoutes } from '../static/staticRoutes.ts'
import { createBackpressure } from './backpressure.ts'
import { createCompression } from './compression.ts'
import { createDirectPath, type DirectPath } from './directPath.ts'
import { sendBodyTooLarge, sendError } from './httpError.ts'
import { createOpenStreams, type OpenStreams, streamEndId } from './openStreams.ts'
import { readBody, textOf } from './readBody.ts'
import { addHeaders, type Reply, writeHead } from './reply.ts'
import { corsHeaders, preflightHeaders, validateGraphqlRequest } from './requestGuards.ts'
import { createSender } from './requestSender.ts'
import type { ResponseCache } from './responseCache.ts'
import { createYogaPath, type YogaPath } from './yogaPath.ts'

/** What the graph over HTTP needs besides the services. */
export interface GraphqlHandlerParts {
  readonly pipeline: Pipeline
  /** Left out, browsers get no page. */
  readonly graphiql?: Graphiql | undefined
  readonly files: Pick<StaticRoutes, 'send'>
  /** Answers that may be sent again. */
  readonly answers: ResponseCache
  readonly liveness: Liveness
  readonly internals: Pick<ServerInternals, 'directPath'>
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
}

function openPaths(services: Services, parts: GraphqlHandlerParts): Paths {
  const { pipeline, answers, liveness, internals } = parts
  const { directPath = true } = internals
  const backpressure = createBackpressure(services.unread)
  const streams = createOpenStreams(liveness)
  const compression = createCompression(services.limits.maxCompressions)
  const yoga = createYogaPath(services, { pipeline, streams, backpressure, compression })
  const { fetchApi } = yoga
  const direct = createDirectPath({ pipeline, answers, backpressure, compression, fetchApi })
  return {
    streams,
    yoga,
    direct: directPath ? direct : undefined,
  }
}

/**
 * Handles origins, GraphiQL, the method and the body. Plain requests then go to the pipeline directly,
 * and all others through yoga.
 */
export function createGraphqlHandler(services: Services, parts: GraphqlHandlerParts): GraphqlHandler {
  const { allowedOrigins, identify, limits } = services
  const { graphiql, files } = parts
  const paths = openPaths(services, parts)

  const sendPage = async (page: Graphiql, request: IncomingMessage, reply: Reply) => {
    const hasAccess = !('status' in identify.ofRequest(request))
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
      const invalid = validateGraphqlRequest(request)
      if (invalid) return sendError(reply, invalid)
      const client = identify.ofRequest(request)
      if ('status' in client) return sendError(reply, client)
      if (request.method === 'POST') {
        return readBody(request, limits.maxRequestBytes).then((bytes) =>
          respondToPost({ request, reply, client, bytes }, paths, services),
        )
      }
      return respondToGet({ request, reply, client }, paths, services)
    },

    terminateStreams: paths.streams.terminate,
  }
}

/** A request of a known client, and its reply. */
interface Asked {
  readonly request: IncomingMessage
  readonly reply: Reply
  readonly client: Client
}

function respondToGet(
  { request, reply, client }: Asked,
  { yoga }: Paths,
  { quota, clock }: Services,
): Promise<void> | undefined {
  // A browser that lost an event stream asks for it again, also after its last event.
  if (request.headers['last-event-id'] === streamEndId) {
    writeHead(reply, 204, {}).end()
    return undefined
  }
  const sender = createSender(request, reply, { client, quota, arrivedAt: clock.now() })
  return yoga.respond({ request, reply, sender })
}

/** Responds to a request whose body has been read, or was too large. */
function respondToPost(
  { request, reply, client, bytes }: Asked & { readonly bytes: Buffer | undefined },
  { yoga, direct }: Paths,
  { quota, clock, limits, onRefusal }: Services,
): Promise<void> | void {
  if (bytes === undefined) {
    onRefusal('body_size')
    return sendBodyTooLarge(request, reply, limits.maxRequestBytes, clock)
  }
  const sender = createSender(request, reply, { client, quota, arrivedAt: clock.now() })
  const exchange = { request, reply, body: textOf(bytes), sender }
  if (!direct) return yoga.respond(exchange)
  const end = (isSent: boolean) => (isSent ? undefined : yoga.respond(exchange))
  const isSent = client.turn(() => direct.respond(exchange))
  return isPromise(isSent) ? isSent.then(end) : end(isSent)
}
