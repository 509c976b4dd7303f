import type { ServerResponse } from 'node:http'
import type { Client } from '../clients/client.ts'
import type { UnreadAnswers } from '../operation/unreadAnswers.ts'

/** Counts answers whose readers are slow, and drops readers that stand still. */
export interface Backpressure {
  /** Counts an answer of this many bytes, which has been sent, until its client has read it. */
  track(response: ServerResponse, client: Pick<Client, 'key'>, bytes: number): void
  /** The parts of an event stream. Each part counts until its reader asks for the next one. */
  countParts(parts: AsyncIterable<Uint8Array>, client: Pick<Client, 'key'>): AsyncIterable<Uint8Array>
}

/** Milliseconds until a reader that reads nothing is dropped. Node allows one more such period. */
const stalledMs = 10_000

/** Opens the count of slow readers over HTTP. */
export function createBackpressure(unread: UnreadAnswers): Backpressure {
  return {
    track(response, { key }, bytes) {
      const { socket } = response
      // Most answers are with the operating system by now. An answer behind others on a connection has no socket yet.
      if (response.destroyed || socket?.writableLength === 0) return
      const release = unread.hold(key, bytes)
      // It starts anew whenever the reader takes a part. After the answer, Node sets that of idle connections.
      socket?.setTimeout(stalledMs)
      response.once('close', release)
    },
    async *countParts(parts, { key }) {
      for await (const part of parts) {
        const release = unread.hold(key, part.length)
        try {
          yield part
        } finally {
          release()
        }
      }
    },
  }
}
