import type { ExecutionResult } from 'graphql'
import { createYoga, getSSEProcessor, isAsyncIterable, type Plugin, processRegularResult } from 'graphql-yoga'
import { parseJson } from '../../engine/wire/exactJson.ts'
import { withValue } from '../../kit/awaitable.ts'
import { documentIdNames, documentIdOf, namesDocument } from '../operation/documents/documentTexts.ts'
import { requestError, withRequestId } from '../operation/formatError.ts'
import type { OperationResult } from '../operation/operation.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import { resultText } from '../operation/result.ts'
import { eventIdOf } from '../operation/subscriptions.ts'
import { asRequest, asResponse, endpoint, fetchApi, GraphRequest } from './fetchClasses.ts'
import type { ResponseCache } from './responseCache.ts'
import type { TransportServices } from './transportServices.ts'

/**
 * GraphQL over HTTP: reads parameters of GET and POST, negotiates the media type, encodes results and
 * server-sent events. Operations run in the pipeline.
 */
export function createYogaAdapter(
  { formatError, answers }: Pick<TransportServices, 'formatError' | 'answers'>,
  pipeline: Pipeline,
) {
  const yoga = createYoga({
    graphqlEndpoint: endpoint,
    plugins: [
      useAnswers(answers, pipeline),
      useSafeParams(),
      usePipeline(pipeline),
      useRequestId(),
      useResultMediaType(),
    ],
    fetchAPI: fetchApi,
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
  /** Answers a request: at once, if its answer is here. */
  return (request: GraphRequest): Response | Promise<Response> => yoga.fetch(asRequest(request))
}

/** The request that a hook of yoga gets. */
function graphRequest(request: Request): GraphRequest {
  if (!(request instanceof GraphRequest)) throw new TypeError('Yoga was given another request.')
  return request
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
    setRequestParser((request) => {
      try {
        return withValue(requestParser(request), (given) => operationParams(given, request))
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
function operationParams<Params>(given: Params, { method, url }: Request): Params {
  // Yoga refuses it.
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  const search = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  const idsInUrl = documentIdNames.map((name) => [name, search.get(name) ?? undefined])
  const documentId = documentIdOf({ ...Object.fromEntries(idsInUrl), ...given })
  if (documentId !== undefined && typeof documentId !== 'string') {
    throw requestError('The id of a document must be a string.', 'BAD_USER_INPUT')
  }
  const params = Object.fromEntries(Object.entries(given).filter(([name]) => names.has(name)))
  // Yoga would round long numbers.
  if (method === 'GET') for (const name of jsonNames) params[name] = parseJson(search.get(name) || 'null')
  const isNamed = params.query == null && namesDocument(documentId, params.extensions)
  return { ...params, documentId, ...(isNamed && { query: '' }) } as Params
}

const jsonNames = ['variables', 'extensions'] as const
const names: ReadonlySet<string> = new Set(['query', 'operationName', ...jsonNames])

const notJson = 'The variables or extensions are not valid JSON.'

/** Sends an answer again that is still fresh, before anything of its request is read. */
const useAnswers = (answers: ResponseCache, pipeline: Pipeline): Plugin => ({
  onRequest({ request, endResponse }) {
    const own = graphRequest(request)
    const kept = answers.get(own.key)
    if (!kept || !pipeline.serveCached(kept.result, own.sender)) return
    own.cacheable = kept.result
    own.isRepeated = true
    endResponse(asResponse(kept.response))
  },
})

/** Runs operations in the pipeline instead of yoga's own. */
const usePipeline = (pipeline: Pipeline): Plugin => ({
  onParams({ request, setParamsHandler }) {
    const own = graphRequest(request)
    setParamsHandler(({ params: { query = '', ...params } }) => {
      const operation = pipeline.prepare({ query, ...params }, own.sender)
      if ('errors' in operation) return withText(operation)
      const end = (result: OperationResult) => {
        own.cacheable = operation.cacheable
        return isAsyncIterable(result) ? withEventIds(withFinalError(result)) : withText(result)
      }
      return withValue(operation.run(true), end)
    })
  },
})

/** Adds the id of the request to the errors of yoga itself. Those of the pipeline have it. */
const useRequestId = (): Plugin => ({
  onResultProcess({ request, result, setResult }) {
    const { requestId } = graphRequest(request).sender
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

/** A result whose text yoga does not write: the pipeline has, with all digits of its numbers. */
const withText = (result: ExecutionResult) => ({ ...result, stringify: resultText })

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
    if (id === undefined) return { done: false, value: withText(step.value) }
    const stringify = (result: ExecutionResult) => `${resultText(result)}\nid: ${id}`
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
