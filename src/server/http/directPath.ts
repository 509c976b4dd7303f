import { type FetchAPI, processRegularResult } from 'graphql-yoga'
import { parseJson } from '../../engine/wire/exactJson.ts'
import { isPromise } from '../../kit/awaitable.ts'
import { documentIdOf, namesDocument } from '../operation/documents/documentTexts.ts'
import type { CacheableResult, OperationRequest, OperationResult } from '../operation/operation.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import { resultText } from '../operation/result.ts'
import type { Sender } from '../operation/sender.ts'
import type { Services } from '../services.ts'
import type { CodedAnswer } from './compression.ts'
import { mediaTypeFor } from './mediaType.ts'
import type { Reply } from './reply.ts'
import type { CachedAnswer } from './responseCache.ts'
import type { Exchange, RequestStep, SentExchange } from './way.ts'

/** A POST request whose body has been read, and the reply to it. */
interface PostRequest extends Exchange {
  readonly body: string
  readonly sender: Sender
}

/**
 * A path from the HTTP server to the pipeline that skips yoga's `Request` and `Response`, which take most
 * of the time of a small operation. It takes queries and mutations that yoga would run with the same
 * result, in the turn of their client. Nothing is refused here: yoga refuses what is not plain, and encodes all results
 * with errors.
 */
export function createDirectPath(
  { answers, backpressure, compression }: Services,
  pipeline: Pipeline,
  fetchApi: FetchAPI,
): RequestStep<SentExchange> {
  const sendText = (
    { request, reply, sender }: PostRequest,
    mediaType: string,
    answer: Pick<CachedAnswer, 'text' | 'length'>,
  ): true | Promise<true> => {
    const { text, length } = answer
    const end = (coded?: CodedAnswer): true => {
      if (coded) sendCoded(reply, mediaType, coded)
      else send(reply, mediaType, answer)
      backpressure.track(reply.response, sender.client, coded?.bytes.length ?? length)
      return true
    }
    const coded = compression.compress(request, text, length)
    return coded ? coded.then(end) : end()
  }

  const sendResult = (
    exchange: PostRequest,
    mediaType: string,
    result: OperationResult,
    cacheable?: CacheableResult,
  ): boolean | Promise<boolean> => {
    const { request, reply, body, sender } = exchange
    if ('errors' in result) {
      const formatted = processRegularResult({ ...result, stringify: resultText }, fetchApi, mediaType)
      const compress = (text: string) => compression.compress(request, text, Buffer.byteLength(text))
      return backpressure.sendResponse(reply, sender.client, formatted, compress).then(() => true)
    }
    const text = resultText(result)
    const length = Buffer.byteLength(text)
    if (cacheable) answers.keep(body, { text, length, result: cacheable })
    return sendText(exchange, mediaType, { text, length })
  }

  /** Sends the result of a plain request. Gives false for any other one, which is left to yoga. */
  const respond = (exchange: PostRequest): boolean | Promise<boolean> => {
    const { request, body, sender } = exchange
    const mediaType = mediaTypeFor(request.headers.accept)
    if (!mediaType) return false
    const kept = answers.get(body)
    if (kept && pipeline.serveCached(kept.result, sender)) {
      return sendText(exchange, mediaType, kept)
    }
    const operationRequest = parseRequest(body)
    if (!operationRequest) return false
    const operation = pipeline.prepare(operationRequest, sender)
    if ('errors' in operation) return sendResult(exchange, mediaType, operation)
    if (operation.type === 'subscription') return false
    const end = (result: OperationResult) => sendResult(exchange, mediaType, result, operation.cacheable)
    const result = operation.run(true)
    return isPromise(result) ? result.then(end) : end(result)
  }

  return (exchange, next) => {
    const { request, reply, body, sender } = exchange
    if (body === undefined) return next(exchange)
    const end = (isSent: boolean) => (isSent ? undefined : next(exchange))
    const isSent = sender.client.turn(() => respond({ request, reply, body, sender }))
    return isPromise(isSent) ? isSent.then(end) : end(isSent)
  }
}

function send(
  { response, headers }: Reply,
  mediaType: string,
  { text, length }: Pick<CachedAnswer, 'text' | 'length'>,
): void {
  const contentType = `${mediaType}; charset=utf-8`
  response.writeHead(200, [...headers, 'content-type', contentType, 'content-length', length])
  // Latin-1 is written faster than UTF-8, and is the same for ASCII text.
  response.write(text, length === text.length ? 'latin1' : 'utf8')
  // Head and text leave in one piece. By `end` alone an empty piece would follow, and two take longer.
  response.socket?.uncork()
  response.end()
}

function sendCoded({ response, headers }: Reply, mediaType: string, { bytes, coding }: CodedAnswer): void {
  const own = ['content-encoding', coding, 'vary', 'Accept-Encoding']
  const contentType = `${mediaType}; charset=utf-8`
  response.writeHead(200, [...[...headers, ...own], ...['content-type', contentType, 'content-length', bytes.length]])
  response.end(bytes)
}

/** The operation in a body, or undefined for a body that yoga may refuse. Other parameters are ignored. */
function parseRequest(body: string): OperationRequest | undefined {
  const parameters = parseObject(body)
  if (!parameters) return undefined
  const { operationName, variables, extensions } = parameters
  const documentId = documentIdOf(parameters)
  const query = parameters.query ?? (namesDocument(documentId, extensions) ? '' : undefined)
  if (typeof query !== 'string') return undefined
  if (documentId !== undefined && typeof documentId !== 'string') return undefined
  if (operationName != null && typeof operationName !== 'string') return undefined
  if (variables != null && !isRecord(variables)) return undefined
  if (extensions != null && !isRecord(extensions)) return undefined
  return { query, documentId, operationName, variables, extensions }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
