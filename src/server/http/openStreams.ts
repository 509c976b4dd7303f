import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline as pipe } from 'node:stream/promises'
import type { Liveness } from './liveness.ts'
import { type Reply, writeHead } from './reply.ts'
import type { ClientExchange, RequestStep } from './way.ts'

export interface OpenStreams {
  /** Sends an event stream until it ends, or its reader leaves or is dropped. */
  send(reply: Reply, body: AsyncIterable<Uint8Array>): Promise<void>
  /** Cuts all streams, without the event that completes them. */
  terminate(): void
}

/** The head of an event stream. Proxies must not hold events back, neither in a buffer nor to compress them. */
const streamHeaders = {
  ...{ 'content-type': 'text/event-stream', 'cache-control': 'no-store, no-transform' },
  // nginx does not know `no-transform`, and compresses what has no coding.
  ...{ 'content-encoding': 'none', 'x-accel-buffering': 'no' },
}

/** Sends event streams. A reader is dropped if events wait and it reads nothing between two checks. */
export function createOpenStreams(liveness: Liveness): OpenStreams {
  const streams = new Set<ServerResponse>()

  const watch = (response: ServerResponse) => {
    let isStalled = false
    response.on('drain', () => {
      isStalled = false
    })
    return liveness.watch(() => {
      if (isStalled) response.destroy()
      else isStalled = response.writableNeedDrain
    })
  }

  return {
    async send(reply, body) {
      const response = writeHead(reply, 200, streamHeaders)
      streams.add(response)
      const stopWatching = watch(response)
      try {
        await pipe(Readable.from(body), response)
      } finally {
        stopWatching()
        streams.delete(response)
      }
    },
    terminate() {
      for (const response of streams) response.destroy()
    },
  }
}

/** The id of the event that ends a stream. A request that names it as the last event has nothing to resume. */
const streamEndId = 'complete'

const end = 'event: complete\n'

/**
 * The parts of an event stream, with an id for the event that ends it. An `EventSource` does not know that event: it
 * reconnects every three seconds, with the id of the last event, until it gets 204.
 */
export async function* nameEnd(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) yield withId(Buffer.from(part.buffer, part.byteOffset, part.length))
}

/** Data is JSON on one line, so this line is never a part of it. */
function withId(part: Buffer): Buffer {
  const at = part.lastIndexOf(end)
  if (at < 0 || (at > 0 && part[at - 1] !== newline)) return part
  const after = at + end.length
  const id = Buffer.from(`id: ${streamEndId}\n`)
  return Buffer.concat([part.subarray(0, after), id, part.subarray(after)])
}

const newline = 10

/** Answers a browser that lost an event stream and asks for it again after its last event. */
export const endStream: RequestStep<ClientExchange> = (exchange, next) => {
  const { method, headers } = exchange.request
  if (method !== 'GET' || headers['last-event-id'] !== streamEndId) return next(exchange)
  writeHead(exchange.reply, 204, {}).end()
}
