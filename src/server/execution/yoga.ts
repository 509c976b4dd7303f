import type { DocumentNode, GraphQLSchema } from 'graphql'
import { createYoga, type Plugin, type YogaServerInstance } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import type { Log } from '../observability/log.ts'
import { type Telemetry, useTelemetry } from '../observability/useTelemetry.ts'
import { createErrorFormatter, type FormatError, requestError } from './formatError.ts'
import { useCostLimit, useNoIntrospection, useTokenLimit } from './useLimits.ts'
import { type Client, type Shared, useScopes } from './useRequestScope.ts'

/** What the graph is served with. */
export interface PipelineOptions extends Shared {
  readonly schema: GraphQLSchema
  readonly introspection: boolean
  readonly log: Log
  readonly observer: Telemetry
}

/** The way every operation takes, whatever brought it. */
export interface Pipeline {
  readonly yoga: YogaServerInstance<Client, Shared>
  readonly formatError: FormatError
}

/** Where the graph is served. */
export const endpoint = '/graphql'

/** Bytes of parsed documents kept, about. */
const documentBytes = 8 * 1024 * 1024

/** Builds the pipeline. What guards HTTP alone stands in front of it; what is in here guards sockets too. */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { schema, network, cache, poller, limits, introspection, log, observer } = options
  const formatError = createErrorFormatter(log)
  const yoga = createYoga<Client, Shared>({
    schema,
    graphqlEndpoint: endpoint,
    context: { network, cache, poller, limits },
    plugins: [
      useTelemetry(observer, formatError),
      useReadableParams(),
      useTokenLimit(limits),
      ...(introspection ? [] : [useNoIntrospection()]),
      useCostLimit(limits, formatError),
      useScopes(limits, observer),
    ],
    maskedErrors: { maskError: formatError, errorMessage: 'Unexpected error.' },
    parserAndValidationCache: {
      documentCache: new LRUCache<string, DocumentNode>({
        maxSize: documentBytes,
        sizeCalculation: (document, source) => source.length * 2 + (document.tokenCount ?? 0) * 600,
      }),
      // A kept error would lose the code and status it got on its first way out.
      errorCache: { get: () => undefined, set: () => {} },
    },
    // Yoga takes any URL that ends in this for a health check, its query included; no URL ends so.
    healthCheckEndpoint: '\n',
    // Each is done in front: the page, the origins, the size of bodies, the log.
    graphiql: false,
    landingPage: false,
    cors: false,
    maxRequestBodySize: false,
    logging: false,
    multipart: false,
    batching: false,
  })
  return { yoga, formatError }
}

/** Refuses parameters that are no JSON, without repeating them, and a name that is no text. */
const useReadableParams = (): Plugin => ({
  onParams({ params: { operationName } }) {
    if (operationName != null && typeof operationName !== 'string') {
      throw requestError('The name of an operation is a string.', 'BAD_USER_INPUT')
    }
  },

  onRequestParse({ requestParser, setRequestParser }) {
    if (!requestParser) return
    setRequestParser(async (request) => {
      try {
        return await requestParser(request)
      } catch (error) {
        throw error instanceof SyntaxError ? requestError(notJson, 'BAD_USER_INPUT') : error
      }
    })
  },
})

const notJson = 'The variables or extensions of the request are not valid JSON.'
