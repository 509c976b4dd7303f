import { type Graphiql, wantsPage } from '../graphiql/page.ts'
import type { Liveness } from '../liveness.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { Services } from '../services.ts'
import type { StaticRoutes } from '../static/staticRoutes.ts'
import { createBackpressure } from './backpressure.ts'
import { createCompression } from './compression.ts'
import { createDirectPath } from './directPath.ts'
import { createOpenStreams, endStream } from './openStreams.ts'
import { readWholeBody } from './readBody.ts'
import type { Handler } from './reply.ts'
import { allowOrigins, answerPreflight, onlyGraphql } from './requestGuards.ts'
import { identifyClient, nameSender } from './requestSender.ts'
import type { ResponseCache } from './responseCache.ts'
import { type Exchange, type SentExchange, type Step, way } from './way.ts'
import { createYogaPath } from './yogaPath.ts'

/** What the graph over HTTP needs besides the services. */
export interface GraphqlHandlerParts {
  readonly pipeline: Pipeline
  /** Left out, browsers get no page. */
  readonly graphiql?: Graphiql | undefined
  readonly files: Pick<StaticRoutes, 'send'>
  /** Answers that may be sent again. */
  readonly answers: ResponseCache
  readonly liveness: Liveness
}

/** The graph over HTTP and server-sent events. */
export interface GraphqlHandler {
  readonly handle: Handler
  /** Cuts all event streams, without the event that completes them. */
  terminateStreams(): void
}

/**
 * Leads each request to the graph along one way. Plain requests end at the pipeline, and all others go through yoga.
 */
export function createGraphqlHandler(services: Services, parts: GraphqlHandlerParts): GraphqlHandler {
  const { pipeline, answers, liveness } = parts
  const backpressure = createBackpressure(services.unread)
  const streams = createOpenStreams(liveness)
  const compression = createCompression(services.limits.maxCompressions)
  const yoga = createYogaPath(services, { pipeline, streams, backpressure, compression })
  const direct = createDirectPath({ pipeline, answers, backpressure, compression, fetchApi: yoga.fetchApi })
  const { directPath: isDirect = true } = services.internals
  const handle = way()
    .step(allowOrigins(services.allowedOrigins))
    .step(answerPreflight)
    .step(sendGraphiql(services, parts))
    .step(onlyGraphql)
    .step(identifyClient(services.identify))
    .step(endStream)
    .step(readWholeBody(services))
    .step(nameSender(services))
    .step(isDirect ? direct : skip)
    .end(yoga.respond)
  return { handle, terminateStreams: streams.terminate }
}

const skip: Step<SentExchange> = (exchange, next) => next(exchange)

/** Sends GraphiQL to a browser that opens the address of the graph. */
function sendGraphiql(
  { identify }: Pick<Services, 'identify'>,
  { graphiql, files }: Pick<GraphqlHandlerParts, 'graphiql' | 'files'>,
): Step<Exchange> {
  const sendPage = async (page: Graphiql, { request, reply }: Exchange) => {
    const hasAccess = !('status' in identify.ofRequest(request))
    files.send(await page.page(hasAccess), request, reply)
  }
  return (exchange, next) => (graphiql && wantsPage(exchange.request) ? sendPage(graphiql, exchange) : next(exchange))
}
