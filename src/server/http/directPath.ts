import { type FetchAPI, processRegularResult } from 'graphql-yoga'
import { parseJson } from '../../engine/wire/exactJson.ts'
import { isPromise } from '../../kit/awaitable.ts'
import { documentIdNames, documentIdOf, namesDocument } from '../operation/documents/documentTexts.ts'
import type { CacheableResult, OperationRequest, OperationResult } from '../operation/operation.ts'
import type { Pipeline } from '../operation/pipeline.ts'
import { resultText } from '../operation/result.ts'
import type { Sender } from '../operation/sender.ts'
import type { Services } from '../services.ts'
import type { CodedAnswer } from './compression.ts'
import { etagOf, hasTag } from './etag.ts'
import { cachedHead } from './httpCaching.ts'
import { mediaTypeFor } from './mediaType.ts'
import type { Reply } from './reply.ts'
import type { CachedAnswer } from './responseCache.ts'
import type { Exchange, RequestStep, SentExchange } from './way.ts'
import { searchOf } from './yogaPath.ts'

/** A request that has arrived completely, and the reply to it. */
interface PlainRequest extends Exchange {
  /** The parameters: the body of a POST, or the query string of a GET with its question mark, which begins no JSON. */
  readonly text: string
  readonly sender: Sender
}

/** The parts of an answer that are sent. */
type SentAnswer = Pick<CachedAnswer, 'text' | 'length'>

/** The headers of an answer in a content coding, without those of its body. */
type HeadOf = (coding?: string) => readonly string[]

/**
 * A path from the HTTP server to the pipeline that skips yoga's `Request` and `Response`, which take most
 * of the time of a small operation. It takes queries and mutations that yoga would run with the same
 * result, in the turn of their client. Nothing is refused here: yoga refuses what is not plain, and encodes all results
 * with errors. What caches in front may keep is marked here alone.
 */
export function createDirectPath(
  { answers, backpressure, caching, compression }: Services,
  pipeline: Pipeline,
  fetchApi: FetchAPI,
): RequestStep<SentExchange> {
  const sendText = (
    { request, reply, sender }: PlainRequest,
    mediaType: string,
    { text, length }: SentAnswer,
    headOf: HeadOf = (coding) => (coding === undefined ? reply.headers : [...reply.headers, 'vary', 'Accept-Encoding']),
  ): true | Promise<true> => {
    const end = (coded?: CodedAnswer): true => {
      const head = headOf(coded?.coding)
      if (coded) sendCoded(reply, head, mediaType, coded)
      else send(reply, head, mediaType, { text, length })
      backpressure.track(reply.response, sender.client, coded?.bytes.length ?? length)
      return true
    }
    const coded = compression.compress(request, text, length)
    return coded ? coded.then(end) : end()
  }

  /** Sends an answer that stays the same for some time. A reader that has it already gets 304. */
  const sendLasting = (
    plain: PlainRequest,
    mediaType: string,
    answer: SentAnswer,
    result: CacheableResult,
  ): true | Promise<true> => {
    const { request, reply, sender } = plain
    const isGet = request.method === 'GET'
    const control = isGet || caching.marksPosts ? caching.controlOf(request, sender.client, result) : undefined
    if (control === undefined) return sendText(plain, mediaType, answer)
    if (!isGet) return sendText(plain, mediaType, answer, () => cachedHead(reply, control))
    const planned = compression.codingOf(request, answer.length)
    const tag = etagOf(answer.text, mediaType, planned)
    if (hasTag(request.headers['if-none-match'], tag)) {
      reply.response.writeHead(304, cachedHead(reply, control, tag)).end()
      return true
    }
    const tagOf = (coding?: string) => (coding === planned ? tag : etagOf(answer.text, mediaType, coding))
    return sendText(plain, mediaType, answer, (coding) => cachedHead(reply, control, tagOf(coding)))
  }

  const sendResult = (
    exchange: PlainRequest,
    mediaType: string,
    result: OperationResult,
    cacheable?: CacheableResult,
  ): boolean | Promise<boolean> => {
    const { request, reply, sender } = exchange
    if ('errors' in result) {
      const formatted = processRegularResult({ ...result, stringify: resultText }, fetchApi, mediaType)
      const compress = (text: string) => compression.compress(request, text, Buffer.byteLength(text))
      return backpressure.sendResponse(reply, sender.client, formatted, compress).then(() => true)
    }
    const text = resultText(result)
    const answer = { text, length: Buffer.byteLength(text) }
    if (!cacheable) return sendText(exchange, mediaType, answer)
    answers.keep(exchange.text, { ...answer, result: cacheable })
    return sendLasting(exchange, mediaType, answer, cacheable)
  }

  /** Sends the result of a plain request. Gives false for any other one, which is left to yoga. */
  const respond = (exchange: PlainRequest): boolean | Promise<boolean> => {
    const { request, text, sender } = exchange
    const mediaType = mediaTypeFor(request.headers.accept)
    if (!mediaType) return false
    const kept = answers.get(text)
    if (kept && pipeline.serveCached(kept.result, sender)) {
      return sendLasting(exchange, mediaType, kept, kept.result)
    }
    const operationRequest = parseRequest(text)
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
    // An `EventSource` subscribes.
    if (request.headers.accept === 'text/event-stream') return next(exchange)
    const text = body ?? searchOf(request)
    const end = (isSent: boolean) => (isSent ? undefined : next(exchange))
    const isSent = sender.client.turn(() => respond({ request, reply, text, sender }))
    return isPromise(isSent) ? isSent.then(end) : end(isSent)
  }
}

function send({ response }: Reply, head: readonly string[], mediaType: string, { text, length }: SentAnswer): void {
  const contentType = `${mediaType}; charset=utf-8`
  response.writeHead(200, [...head, 'content-type', contentType, 'content-length', length])
  // Latin-1 is written faster than UTF-8, and is the same for ASCII text.
  response.write(text, length === text.length ? 'latin1' : 'utf8')
  // Head and text leave in one piece. By `end` alone an empty piece would follow, and two take longer.
  response.socket?.uncork()
  response.end()
}

function sendCoded(
  { response }: Reply,
  head: readonly string[],
  mediaType: string,
  { bytes, coding }: CodedAnswer,
): void {
  const own = ['content-encoding', coding, 'content-type', `${mediaType}; charset=utf-8`]
  response.writeHead(200, [...head, ...own, 'content-length', bytes.length])
  response.end(bytes)
}

/** The operation in a request, or undefined for one that yoga may refuse. Other parameters are ignored. */
function parseRequest(text: string): OperationRequest | undefined {
  const parameters = text.startsWith('?') ? parseSearch(text) : parseObject(text)
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

/** The parameters in a query string, as yoga reads them: an empty one counts as left out. */
function parseSearch(search: string): Record<string, unknown> | undefined {
  const given = new URLSearchParams(search.replace(/#.*/, ''))
  const textOf = (name: string) => given.get(name) || undefined
  const names = [...documentIdNames, 'query', 'operationName'].map((name) => [name, textOf(name)])
  try {
    const values = ['variables', 'extensions'].map((name) => [name, parseJson(textOf(name) ?? 'null')])
    return Object.fromEntries([...names, ...values])
  } catch {
    return undefined
  }
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
