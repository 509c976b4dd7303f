import { hash } from 'node:crypto'

/** The bytes that SHA-256 takes at once, and those of its result. */
const [blockBytes, hashBytes] = [64, 32]

/**
 * HMAC-SHA-256 with one key (RFC 2104), of two parts in a row. It is the same as that of `createHmac`, by two hashes: to make
 * the object of `createHmac` takes longer than both.
 */
export function createHmacSha256(key: Uint8Array): (head: string, data: string | Uint8Array) => Buffer {
  const block = Buffer.alloc(blockBytes)
  block.set(key.length > blockBytes ? hash('sha256', key, 'buffer') : key)
  const inner = block.map((byte) => byte ^ 0x36)
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(hashBytes)])
  return (head, data) => {
    const length = Buffer.byteLength(head) + Buffer.byteLength(data)
    const message = Buffer.allocUnsafe(blockBytes + length)
    message.set(inner)
    const start = blockBytes + message.write(head, blockBytes)
    if (typeof data === 'string') message.write(data, start)
    else message.set(data, start)
    // The buffer is used again and again: nothing else runs before the second hash.
    outer.set(hash('sha256', message, 'buffer'), blockBytes)
    return hash('sha256', outer, 'buffer')
  }
}
