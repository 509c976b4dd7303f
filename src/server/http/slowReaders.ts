import type { ServerResponse } from 'node:http'
import type { Client } from '../execution/client.ts'
import type { WaitingAnswers } from '../execution/pipeline/waitingAnswers.ts'
import { type Reply, writeHead } from './reply.ts'

/** Counts answers whose readers are slow, and drops readers that stand still. */
export interface SlowReaders {
  /** Counts an answer of so many bytes, which has been sent, until its client has read it. */
  watch(response: ServerResponse, client: Pick<Client, 'key'>, bytes: number): void
  /** Sends a response of yoga, with its body as text. */
  sendResponse(reply: Reply, client: Pick<Client, 'key'>, result: Response): Promise<void>
  /** The parts of an event stream. Each part counts until its reader asks for the next one. */
  countParts(
    parts: AsyncIterable<Uint8Array>,
    client: Pick<Client, 'key'>,
  ): AsyncIterable<Uint8Array>
}

/** Milliseconds until a reader that reads nothing is dropped. Node allows one more such period. */
const stalledMs = 10_000

/** Opens the count of slow readers over HTTP. */
export function createSlowReaders(waiting: WaitingAnswers): SlowReaders {
  const watch: SlowReaders['watch'] = (response, { key }, bytes) => {
    const { socket } = response
    // Most answers are with the operating system by now. An answer behind others on a connection has no socket yet.
    if (response.destroyed || socket?.writableLength === 0) return
    const release = waiting.hold(key, bytes)
    // It starts anew whenever the reader takes a part. After the answer, Node sets that of idle connections.
    socket?.setTimeout(stalledMs)
    response.once('close', release)
  }
  return {
    watch,
    async sendResponse(reply, client, result) {
      const text = await result.text()
      const response = writeHead(reply, result.status, Object.fromEntries(result.headers))
      response.end(text)
      watch(response, client, text.length)
    },
    async *countParts(parts, { key }) {
      for await (const part of parts) {
        const release = waiting.hold(key, part.length)
        try {
          yield part
        } finally {
          release()
        }
      }
    },
  }
}
