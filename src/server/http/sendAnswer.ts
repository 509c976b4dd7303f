import type { CacheableResult } from '../operation/operation.ts'
import { etagOf, hasTag } from './etag.ts'
import type { GraphResponse } from './fetchClasses.ts'
import { cachedHead } from './httpCaching.ts'
import type { TransportServices } from './transportServices.ts'
import type { SentExchange } from './way.ts'

/** The headers of an answer in a content coding, without those of its body. */
type HeadOf = (coding?: string) => readonly string[]

type AnswerServices = Pick<TransportServices, 'backpressure' | 'caching' | 'compression'>

/**
 * Returns a function that sends a whole answer: compressed if its reader accepts that, and with 304 if the reader has it
 * already. What caches in front may keep is marked here alone.
 */
export function createAnswerSender({ backpressure, caching, compression }: AnswerServices) {
  const send = (
    { request, reply: { response }, sender }: SentExchange,
    { status, headers, text, length }: GraphResponse,
    headOf: HeadOf,
  ) => {
    const end = (body: string | Buffer, size: number, own: readonly string[], coding?: string) => {
      response.writeHead(status, [...headOf(coding), ...own, 'content-length', size])
      response.end(body)
      backpressure.track(response, sender.client, size)
    }
    const coded = compression.compress(request, text, length)
    if (!coded) return end(text, length, headers)
    return coded.then(({ bytes, coding }) => end(bytes, bytes.length, [...headers, 'content-encoding', coding], coding))
  }

  /** `cacheable` is set for an answer that may be sent again. */
  return (
    exchange: SentExchange,
    answer: GraphResponse,
    cacheable: CacheableResult | undefined,
  ): Promise<void> | void => {
    const { request, reply, sender } = exchange
    const isGet = request.method === 'GET'
    const isMarked = cacheable !== undefined && (isGet || caching.marksPosts)
    const control = isMarked ? caching.controlOf(request, sender.client, cacheable) : undefined
    if (control === undefined) {
      return send(exchange, answer, (coding) =>
        coding === undefined ? reply.headers : [...reply.headers, 'vary', 'Accept-Encoding'],
      )
    }
    if (!isGet) return send(exchange, answer, () => cachedHead(reply, control))
    const [, contentType = ''] = answer.headers
    const mediaType = contentType.replace(/;.*/, '')
    const tagOf = (coding?: string) => etagOf(answer.text, mediaType, coding)
    const planned = compression.codingOf(request, answer.length)
    const tag = tagOf(planned)
    if (hasTag(request.headers['if-none-match'], tag)) {
      reply.response.writeHead(304, cachedHead(reply, control, tag)).end()
      return undefined
    }
    return send(exchange, answer, (coding) => cachedHead(reply, control, coding === planned ? tag : tagOf(coding)))
  }
}
