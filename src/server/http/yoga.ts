import type { ExecutionResult } from 'graphql'
import {
  createYoga,
  getSSEProcessor,
  isAsyncIterable,
  type Plugin,
  processRegularResult,
  type YogaServerInstance,
} from 'graphql-yoga'
import { jsonText } from '../../engine/wire/exactJson.ts'
import { documentIdNames, documentIdOf, namesDocument } from '../operation/documents/documentTexts.ts'
import { type FormatError, requestError, withRequestId } from '../operation/formatError.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import type { Sender } from '../operation/sender.ts'
import { eventIdOf } from '../operation/subscriptions.ts'

/** The context that yoga gets with each request. */
export interface YogaContext {
  readonly sender: Sender
}

/** GraphQL Yoga, as `createYogaAdapter` sets it up. */
export type Yoga = YogaServerInstance<YogaContext, object>

/** The path of the graph. */
export const endpoint = '/graphql'

/**
 * GraphQL over HTTP: reads parameters of GET and POST, negotiates the media type, encodes results and
 * server-sent events. Operations run in the pipeline.
 */
export function createYogaAdapter(pipeline: Pipeline, formatError: FormatError): Yoga {
  return createYoga<YogaContext, object>({
    graphqlEndpoint: endpoint,
    plugins: [useSafeParams(), usePipeline(pipeline), useRequestId(), useResultMediaType()],
    maskedErrors: { maskError: (error) => formatError(error), errorMessage: 'Unexpected error.' },
    // Yoga treats any URL that ends with this as a health check, query string included. No URL ends so.
    healthCheckEndpoint: '\n',
    // The pipeline and the HTTP server do these.
    parserAndValidationCache: false,
    graphiql: false,
    landingPage: false,
    cors: false,
    maxRequestBodySize: false,
    logging: false,
    multipart: false,
    batching: false,
    extraParamNames: ['documentId'],
  })
}

/** Refuses parameters that are not JSON, without repeating them, and names that are not strings. */
const useSafeParams = (): Plugin => ({
  onParams({ params: { operationName } }) {
    if (operationName != null && typeof operationName !== 'string') {
      throw requestError('`operationName` must be a string.', 'BAD_USER_INPUT')
    }
  },

  onRequestParse({ requestParser, setRequestParser }) {
    if (!requestParser) return
    setRequestParser(async (request) => {
      try {
        return operationParams(await requestParser(request), new URL(request.url).searchParams)
      } catch (error) {
        throw error instanceof SyntaxError ? requestError(notJson, 'BAD_USER_INPUT') : error
      }
    })
  },
})

/**
 * The parameters of an operation. It ignores others, as GraphQL over HTTP asks, and names the document in one way,
 * whichever way the client does.
 */
function operationParams<Params>(given: Params, search: URLSearchParams): Params {
  // Yoga refuses it.
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const inUrl = documentIdNames.map((name) => [name, search.get(name) ?? undefined])
  const documentId = documentIdOf({ ...Object.fromEntries(inUrl), ...given })
  if (documentId !== undefined && typeof documentId !== 'string') {
    throw requestError('The id of a document must be a string.', 'BAD_USER_INPUT')
  }
  const params = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)))
  const isNamed = params.query == null && namesDocument(documentId, params.extensions)
  return { ...params, documentId, ...(isNamed && { query: '' }) } as Params
}

const names: ReadonlySet<string> = new Set(['query', 'operationName', 'variables', 'extensions'])

const notJson = 'The variables or extensions are not valid JSON.'

/** Runs operations in the pipeline instead of yoga's own. */
const usePipeline = (pipeline: Pipeline): Plugin<object, YogaContext> => ({
  onParams({ setParamsHandler }) {
    setParamsHandler(async ({ params: { query = '', ...params }, context }) => {
      const { sender } = context
      const result = await sender.client.turn(() => pipeline.run({ query, ...params }, sender))
      return isAsyncIterable(result) ? withEventIds(withFinalError(result)) : withJsonText(result)
    })
  },
})

/** Adds the id of the request to the errors of yoga itself. Those of the pipeline have it. */
const useRequestId = (): Plugin<object, YogaContext> => ({
  onResultProcess({ result, setResult, serverContext }) {
    const { requestId } = serverContext.sender
    if (isAsyncIterable(result) || Array.isArray(result) || !result.errors || !requestId) return
    const errors = result.errors.map((error) =>
      error.extensions.requestId === requestId ? error : withRequestId(error, requestId),
    )
    setResult({ ...result, errors })
  },
})

/** Sends the error that a stream fails with as its last event. Server-sent events have no other form for it. */
const withFinalError = (results: AsyncIterableIterator<ExecutionResult>): AsyncIterableIterator<ExecutionResult> => ({
  ...results,
  next: () => results.next().catch((error) => ({ value: { errors: [error] }, done: false })),
  [Symbol.asyncIterator]() {
    return this
  },
})

/** A result that yoga writes with all digits of its numbers. It lets a result write itself. */
const withJsonText = (result: ExecutionResult) => ({ ...result, stringify: jsonText })

/**
 * Sends the id of each event that has one. Yoga writes no ids, but what a result writes itself comes after
 * `data: `.
 */
const withEventIds = (results: AsyncIterableIterator<ExecutionResult>): AsyncIterableIterator<ExecutionResult> => ({
  ...results,
  async next() {
    const step = await results.next()
    const id = step.done ? undefined : eventIdOf(step.value)
    if (step.done) return step
    if (id === undefined) return { done: false, value: withJsonText(step.value) }
    const stringify = (result: ExecutionResult) => `${jsonText(result)}\nid: ${id}`
    return { done: false, value: Object.assign({}, step.value, { stringify }) }
  },
  [Symbol.asyncIterator]() {
    return this
  },
})

/** Streams subscriptions as server-sent events, which yoga does only after it ran the operation itself. */
const useResultMediaType = (): Plugin => ({
  onResultProcess({ result, setResultProcessor }) {
    if (isAsyncIterable(result)) setResultProcessor(getSSEProcessor(), 'text/event-stream')
    // No stream is opened to report that there are too many.
    else if (!Array.isArray(result) && isRateLimited(result)) {
      setResultProcessor(processRegularResult, 'application/json')
    }
  },
})

const isRateLimited = ({ data, errors }: ExecutionResult): boolean =>
  data === undefined && errors?.[0]?.extensions.code === 'RATE_LIMITED'
