import type { Socket } from 'node:net'
import { Duplex, Transform } from 'node:stream'

const lineEnd = 0x0d
const escapeMark = 0x5e // ^

/**
 * The connection, with the bytes that Node's parser refuses in a GET target written as `^XX`.
 * Servers that never percent-decode can be sent non-ASCII text only as such raw bytes.
 */
export function withEscapedTargets(socket: Socket): Duplex {
  const escaping = new Transform({
    transform(chunk: Buffer, _, done) {
      done(null, chunk.subarray(0, 4).equals(getMethod) ? escapeFirstLine(chunk) : chunk)
    },
  })
  return Duplex.from({ readable: socket.pipe(escaping), writable: socket })
}

/** The target as the client sent it, its raw bytes read as UTF-8. */
export function unescapeTarget(target: string): string {
  return target.replace(/(?:\^[0-9A-F]{2})+/g, (escaped) =>
    Buffer.from(escaped.replaceAll('^', ''), 'hex').toString('utf8'),
  )
}

const getMethod = Buffer.from('GET ')

function escapeFirstLine(chunk: Buffer): Buffer {
  const end = chunk.indexOf(lineEnd)
  const line = end < 0 ? chunk : chunk.subarray(0, end)
  if (line.every((byte) => byte < 0x80 && byte !== escapeMark)) return chunk
  const escaped = [...line].map((byte) =>
    byte < 0x80 && byte !== escapeMark
      ? String.fromCharCode(byte)
      : `^${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  )
  return Buffer.concat([Buffer.from(escaped.join('')), chunk.subarray(line.length)])
}
