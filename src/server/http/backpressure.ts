import type { ServerResponse } from 'node:http'
import type { Client } from '../clients/client.ts'
import type { UnreadAnswers } from '../operation/unreadAnswers.ts'
import type { CodedAnswer } from './compression.ts'
import { type Reply, varyOf, writeHead } from './reply.ts'

/** Counts answers whose readers are slow, and drops readers that stand still. */
export interface Backpressure {
  /** Counts an answer of this many bytes, which has been sent, until its client has read it. */
  track(response: ServerResponse, client: Pick<Client, 'key'>, bytes: number): void
  /** Sends a response of yoga, with its body as text, or compressed. */
  sendResponse(
    reply: Reply,
    client: Pick<Client, 'key'>,
    result: Response,
    compress?: (text: string) => Promise<CodedAnswer> | undefined,
  ): Promise<void>
  /** The parts of an event stream. Each part counts until its reader asks for the next one. */
  countParts(parts: AsyncIterable<Uint8Array>, client: Pick<Client, 'key'>): AsyncIterable<Uint8Array>
}

/** Milliseconds until a reader that reads nothing is dropped. Node allows one more such period. */
const stalledMs = 10_000

/** Opens the count of slow readers over HTTP. */
export function createBackpressure(unread: UnreadAnswers): Backpressure {
  const track: Backpressure['track'] = (response, { key }, bytes) => {
    const { socket } = response
    // Most answers are with the operating system by now. An answer behind others on a connection has no socket yet.
    if (response.destroyed || socket?.writableLength === 0) return
    const release = unread.hold(key, bytes)
    // It starts anew whenever the reader takes a part. After the answer, Node sets that of idle connections.
    socket?.setTimeout(stalledMs)
    response.once('close', release)
  }
  return {
    track,
    async sendResponse(reply, client, result, compress) {
      const text = await result.text()
      const coded = await compress?.(text)
      const headers = Object.fromEntries(result.headers)
      if (!coded) {
        const response = writeHead(reply, result.status, headers)
        response.end(text)
        return track(response, client, text.length)
      }
      const { bytes, coding } = coded
      const { 'content-length': _, ...own } = headers
      const length = { 'content-encoding': coding, 'content-length': bytes.length }
      const vary = [varyOf(reply), 'Accept-Encoding'].filter(Boolean).join(', ')
      const response = writeHead(reply, result.status, { ...own, ...length, vary })
      response.end(bytes)
      track(response, client, bytes.length)
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
