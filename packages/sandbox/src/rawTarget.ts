import type { Socket } from 'node:net'
import { Duplex, Transform } from 'node:stream'

const lineFeed = 0x0a
const escapeMark = 0x5e // ^

/**
 * The connection, with every byte of a request line that Node's parser rejects written as `^XX`.
 *
 * The indexers never percent-decode a path, so non-ASCII text reaches them only as raw bytes. Node's
 * parser answers such a target with 400 before any handler runs, even with `insecureHTTPParser`. So
 * the bytes are escaped before the parser sees them, and `unescapeTarget` restores them afterwards.
 */
export function withEscapedTargets(socket: Socket): Duplex {
  const escapeChunk = createTargetEscaper()
  const escaping = new Transform({
    transform(chunk: Buffer, _, done) {
      done(null, escapeChunk(chunk))
    },
  })
  return Duplex.from({ readable: socket.pipe(escaping), writable: socket })
}

/** The target as the client sent it, with its raw bytes read as UTF-8. */
export function unescapeTarget(target: string): string {
  return target.replace(/(?:\^[0-9A-F]{2})+/g, (escaped) =>
    Buffer.from(escaped.replaceAll('^', ''), 'hex').toString('utf8'),
  )
}

/**
 * Escapes the request lines of one connection, chunk by chunk. A chunk may end anywhere, hold several
 * requests, or start within a body, so the escaper follows the messages: it reads each line up to the
 * line feed, and skips as many bytes of body as `content-length` or the size of a chunk announces.
 * Hence every byte outside a request line passes unchanged.
 */
function createTargetEscaper(): (chunk: Buffer) => Buffer {
  let part: 'requestLine' | 'headers' | 'chunkSize' | 'trailers' = 'requestLine'
  let line = ''
  let bodyBytes = 0
  let contentLength = 0
  let isChunked = false

  function endLine(text: string): void {
    switch (part) {
      case 'requestLine':
        // Empty lines before a request are allowed.
        if (text === '') return
        part = 'headers'
        contentLength = 0
        isChunked = false
        return
      case 'headers':
        if (text === '') {
          part = isChunked ? 'chunkSize' : 'requestLine'
          if (!isChunked) bodyBytes = contentLength
          return
        }
        contentLength = Number(/^content-length:\s*(\d+)/i.exec(text)?.[1] ?? contentLength)
        isChunked ||= /^transfer-encoding:.*\bchunked\b/i.test(text)
        return
      case 'chunkSize': {
        const size = Number.parseInt(text, 16)
        if (size > 0) bodyBytes = size + '\r\n'.length
        else part = 'trailers'
        return
      }
      case 'trailers':
        if (text === '') part = 'requestLine'
    }
  }

  return (chunk) => {
    const pieces: Buffer[] = []
    for (let start = 0, end = 0; start < chunk.length; start = end) {
      if (bodyBytes > 0) {
        end = Math.min(start + bodyBytes, chunk.length)
        bodyBytes -= end - start
        pieces.push(chunk.subarray(start, end))
        continue
      }
      const lineEnd = chunk.indexOf(lineFeed, start)
      end = lineEnd < 0 ? chunk.length : lineEnd + 1
      const piece = chunk.subarray(start, end)
      pieces.push(part === 'requestLine' ? escapeBytes(piece) : piece)
      line += piece.toString('latin1')
      if (lineEnd < 0) continue
      endLine(line.trim())
      line = ''
    }
    return Buffer.concat(pieces)
  }
}

function escapeBytes(bytes: Buffer): Buffer {
  const isPlain = (byte: number) => byte < 0x80 && byte !== escapeMark
  if (bytes.every(isPlain)) return bytes
  const escaped = [...bytes].map((byte) =>
    isPlain(byte) ? String.fromCharCode(byte) : `^${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  )
  return Buffer.from(escaped.join(''), 'latin1')
}
