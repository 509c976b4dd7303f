import { withValue } from '../../kit/awaitable.ts'
import { type Graphiql, wantsPage } from '../graphiql/page.ts'
import { GraphRequest, GraphResponse } from '../http/fetchClasses.ts'
import { createOpenStreams, endStream, nameEnd, type OpenStreams } from '../http/openStreams.ts'
import { readWholeBody } from '../http/readBody.ts'
import type { Handler } from '../http/reply.ts'
import { allowOrigins, answerPreflight, identifyClient, onlyGraphql } from '../http/requestGuards.ts'
import { nameSender } from '../http/requestSender.ts'
import { createAnswerSender } from '../http/sendAnswer.ts'
import type { TransportServices } from '../http/transportServices.ts'
import { type Exchange, type RequestStep, type SentExchange, way } from '../http/way.ts'
import { createYogaAdapter } from '../http/yoga.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { StaticRoutes } from '../static/staticRoutes.ts'

/** The graph over HTTP and server-sent events. */
export interface GraphqlHandler {
  readonly handle: Handler
  /** Cuts all event streams, without the event that completes them. */
  terminateStreams(): void
}

/**
 * Leads each request to the graph along one way, which ends at yoga. Without GraphiQL, browsers get no page.
 */
export function createGraphqlHandler(
  services: TransportServices,
  pipeline: Pipeline,
  files: Pick<StaticRoutes, 'send'>,
  graphiql?: Graphiql,
): GraphqlHandler {
  const streams = createOpenStreams(services.liveness)
  const handle = way()
    .step(allowOrigins(services.allowedOrigins))
    .step(answerPreflight)
    .step(graphiql ? sendGraphiql(services, files, graphiql) : pass)
    .step(onlyGraphql)
    .step(identifyClient(services.identify))
    .step(endStream)
    .step(readWholeBody(services))
    .step(nameSender(services))
    .end(createAnswering(services, pipeline, streams))
  return { handle, terminateStreams: streams.terminate }
}

/** Returns a function that answers requests to the graph through yoga, each in the turn of its client. */
function createAnswering(services: TransportServices, pipeline: Pipeline, streams: Pick<OpenStreams, 'send'>) {
  const { answers, backpressure } = services
  const askYoga = createYogaAdapter(services, pipeline)
  const sendAnswer = createAnswerSender(services)
  const answer = (exchange: SentExchange): Promise<void> | void => {
    const { reply, sender } = exchange
    const request = new GraphRequest(exchange)
    return withValue(askYoga(request), (response) => {
      if (!(response instanceof GraphResponse)) throw new TypeError('Yoga gave another response.')
      if (response.stream) return streams.send(reply, backpressure.countParts(nameEnd(response.stream), sender.client))
      // The client may accept none of the media types of a result.
      const cacheable = response.status === 200 ? request.cacheable : undefined
      if (cacheable && !request.isRepeated) answers.keep(request.key, { response, result: cacheable })
      return sendAnswer(exchange, response, cacheable)
    })
  }
  // An answer is sent in the same turn, so that the next one counts it as unread.
  return (exchange: SentExchange) => exchange.sender.client.turn(() => answer(exchange))
}

/** Leads on, as a step that is left out. */
const pass = <E extends Exchange>(exchange: E, next: (exchange: E) => Promise<void> | void) => next(exchange)

/** Sends GraphiQL to a browser that opens the address of the graph. */
function sendGraphiql(
  { identify }: Pick<TransportServices, 'identify'>,
  files: Pick<StaticRoutes, 'send'>,
  graphiql: Graphiql,
): RequestStep<Exchange> {
  const sendPage = async ({ request, reply }: Exchange) => {
    const hasAccess = !('status' in identify.ofRequest(request))
    files.send(await graphiql.page(hasAccess), request, reply)
  }
  return (exchange, next) => (wantsPage(exchange.request) ? sendPage(exchange) : next(exchange))
}
