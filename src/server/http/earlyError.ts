import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../kit/clock/clock.ts'
import { type Reply, writeHead } from './reply.ts'
import { errorBody, type HttpError } from './requestGuards.ts'

/** The rest of a refused body is read for so many milliseconds, and up to so many bytes. */
const lingerMs = 1_000
const lingerBytes = 4 * 2 ** 20

/**
 * Sends an error while the body of the request still arrives. The connection is closed once the rest of the body
 * was read and dropped, or after some time. With unread bytes it would be reset, and a client or a proxy that still
 * sends would lose the answer.
 */
export function sendEarlyError(
  request: IncomingMessage,
  reply: Reply,
  error: HttpError,
  clock: Pick<Clock, 'after'>,
): void {
  const { response } = reply
  const text = errorBody(reply, error)
  writeHead(reply, error.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
    ...error.headers,
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
