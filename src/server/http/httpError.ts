import type { IncomingMessage } from 'node:http'
import type { GraphQLError } from 'graphql'
import type { ErrorCode, InputReason } from '../../engine/upstream/error.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import { type Reply, sendJson, writeHead } from './reply.ts'

/** An error response to a request that does not reach the graph. Its body has the shape of a GraphQL result. */
export interface HttpError {
  readonly status: number
  readonly message: string
  /** Default: `BAD_USER_INPUT`. */
  readonly code?: ErrorCode
  /** The value of `extensions.reason`. Default: `INVALID_REQUEST` for `BAD_USER_INPUT`, else none. */
  readonly reason?: string
  readonly headers?: Record<string, string>
}

/** The body of an error response, which clients read as they read the result of an operation. */
export const errorBody = (
  { message, code = 'BAD_USER_INPUT', reason = reasonOf(code) }: Omit<HttpError, 'status' | 'headers'>,
  requestId: string,
) => ({ errors: [{ message, extensions: { code, reason, requestId } }] })

const reasonOf = (code: ErrorCode): InputReason | undefined =>
  code === 'BAD_USER_INPUT' ? 'INVALID_REQUEST' : undefined

/** Sends an error. */
export const sendError = (reply: Reply, error: HttpError): void =>
  sendJson(reply, error.status, errorBody(error, reply.requestId), error.headers)

/** The error response for an operation, or a file, that a limit refuses for some seconds. */
export const toHttpError = ({ message, extensions }: GraphQLError, status: 429 | 503): HttpError => ({
  ...{ status, code: 'RATE_LIMITED', message },
  headers: { 'retry-after': String(extensions.retryAfter) },
})

/** The rest of a refused body is read for this many milliseconds, and up to this many bytes. */
const lingerMs = 1_000
const lingerBytes = 4 * 2 ** 20

/**
 * Refuses a body of more than `maxBytes` while it still arrives. The connection is closed once the rest of the body was
 * read and dropped, or after some time. With unread bytes it would be reset, and a client or a proxy that still sends
 * would lose the answer.
 */
export function sendBodyTooLarge(
  request: IncomingMessage,
  reply: Reply,
  maxBytes: number,
  clock: Pick<Clock, 'after'>,
): void {
  const { response } = reply
  const error = { message: `The request body is larger than ${maxBytes} bytes.` }
  const text = JSON.stringify(errorBody(error, reply.requestId))
  writeHead(reply, 413, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  })
  response.write(text)
  let left = lingerBytes
  const close = () => {
    cancel()
    response.end()
  }
  const cancel = clock.after(lingerMs, close)
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) close()
  })
  request.once('close', close)
  request.resume()
}
