import type { IncomingMessage } from 'node:http'
import { sendBodyTooLarge } from './httpError.ts'
import type { TransportServices } from './transportServices.ts'
import type { ClientExchange, RequestStep, WholeExchange } from './way.ts'

/** Bytes of an HTTP body or a WebSocket message at most. Documents of screens have less than two KiB. */
export const maxRequestBytes = 256 * 1024

/** The bytes of a body. Undefined as soon as there are more than the limit. Rejects if the client leaves. */
export function readBody(
  request: Pick<IncomingMessage, 'headers' | 'on' | 'off' | 'pause'>,
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined)
  const body = collectBytes()
  // Events take less time than the iterator of the stream.
  return new Promise((resolve, reject) => {
    const onData = (part: Buffer) => {
      if (body.add(part) <= maxBytes) return
      request.off('data', onData)
      request.pause()
      resolve(undefined)
    }
    request.on('data', onData)
    request.on('end', () => resolve(body.bytes()))
    request.on('error', reject)
  })
}

/** Reads the body of a POST. Refuses one that is too large. */
export const readWholeBody =
  ({ clock, onRefusal }: Pick<TransportServices, 'clock' | 'onRefusal'>): RequestStep<ClientExchange, WholeExchange> =>
  ({ request, reply, client }, next) => {
    if (request.method !== 'POST') return next({ request, reply, client, body: undefined })
    return readBody(request, maxRequestBytes).then((bytes) => {
      if (bytes) return next({ request, reply, client, body: textOf(bytes) })
      onRefusal('body_size')
      return sendBodyTooLarge(request, reply, maxRequestBytes, clock)
    })
  }

/** The text of a body of JSON. Editors and libraries of Windows write a byte order mark before it, which is dropped. */
export const textOf = (bytes: Buffer): string => bytes.toString('utf8', startsWithMark(bytes) ? 3 : 0)

const startsWithMark = (bytes: Buffer): boolean => bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/**
 * Collects parts in one buffer, which doubles when it is full. A list of the parts would take a hundred bytes for a
 * part of one byte.
 */
function collectBytes() {
  let buffer: Buffer = Buffer.alloc(0)
  let size = 0
  return {
    /** Adds a part. Returns how many bytes there are. */
    add(part: Buffer): number {
      // Most bodies are one part, which is not copied.
      if (size === 0) buffer = part
      else {
        if (size + part.length > buffer.length) {
          const larger = Buffer.allocUnsafe(2 * (size + part.length))
          buffer.copy(larger, 0, 0, size)
          buffer = larger
        }
        part.copy(buffer, size)
      }
      size += part.length
      return size
    },
    bytes: () => buffer.subarray(0, size),
  }
}
