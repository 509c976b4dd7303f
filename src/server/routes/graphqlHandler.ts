import { identifyClient } from '../clients/identify.ts'
import { type Graphiql, wantsPage } from '../graphiql/page.ts'
import { createDirectPath } from '../http/directPath.ts'
import { createOpenStreams, endStream } from '../http/openStreams.ts'
import { readWholeBody } from '../http/readBody.ts'
import type { Handler } from '../http/reply.ts'
import { allowOrigins, answerPreflight, onlyGraphql } from '../http/requestGuards.ts'
import { nameSender } from '../http/requestSender.ts'
import { type Exchange, type RequestStep, way } from '../http/way.ts'
import { createYogaPath } from '../http/yogaPath.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { Services } from '../services.ts'
import type { StaticRoutes } from '../static/staticRoutes.ts'

/** The graph over HTTP and server-sent events. */
export interface GraphqlHandler {
  readonly handle: Handler
  /** Cuts all event streams, without the event that completes them. */
  terminateStreams(): void
}

/**
 * Leads each request to the graph along one way. Plain requests end at the pipeline, and all others go through yoga.
 * Without GraphiQL, browsers get no page.
 */
export function createGraphqlHandler(
  services: Services,
  pipeline: Pipeline,
  files: Pick<StaticRoutes, 'send'>,
  graphiql?: Graphiql,
): GraphqlHandler {
  const streams = createOpenStreams(services.liveness)
  const yoga = createYogaPath(services, pipeline, streams)
  const direct = createDirectPath(services, pipeline, yoga.fetchApi)
  const { directPath: isDirect = true } = services.internals
  const handle = way()
    .step(allowOrigins(services.allowedOrigins))
    .step(answerPreflight)
    .step(graphiql ? sendGraphiql(services, files, graphiql) : pass)
    .step(onlyGraphql)
    .step(identifyClient(services.identify))
    .step(endStream)
    .step(readWholeBody(services))
    .step(nameSender(services))
    .step(isDirect ? direct : pass)
    .end(yoga.respond)
  return { handle, terminateStreams: streams.terminate }
}

/** Leads on, as a step that is left out. */
const pass = <E extends Exchange>(exchange: E, next: (exchange: E) => Promise<void> | void) => next(exchange)

/** Sends GraphiQL to a browser that opens the address of the graph. */
function sendGraphiql(
  { identify }: Pick<Services, 'identify'>,
  files: Pick<StaticRoutes, 'send'>,
  graphiql: Graphiql,
): RequestStep<Exchange> {
  const sendPage = async ({ request, reply }: Exchange) => {
    const hasAccess = !('status' in identify.ofRequest(request))
    files.send(await graphiql.page(hasAccess), request, reply)
  }
  return (exchange, next) => (wantsPage(exchange.request) ? sendPage(exchange) : next(exchange))
}
