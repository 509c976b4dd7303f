import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline as pipe } from 'node:stream/promises'
import type { Clock } from '../../kit/clock/clock.ts'

/** The event streams that are open. */
export interface OpenStreams {
  /** Sends a body until it ends, or its reader leaves or is dropped. */
  send(response: ServerResponse, body: AsyncIterable<Uint8Array>): Promise<void>
  /** Cuts all streams. Their readers can tell this from a stream that is complete. */
  terminate(): void
}

/** Milliseconds between two looks at a stream. The same as between the pings of a WebSocket. */
const lookMs = 12_000

/** Sends event streams. A reader that takes nothing from one look to the next, while events wait, is dropped. */
export function createOpenStreams(clock: Pick<Clock, 'after'>): OpenStreams {
  const streams = new Set<ServerResponse>()

  /** Looks at a stream until it is closed. */
  const watch = (response: ServerResponse) => {
    let isStalled = false
    const look = () => {
      if (isStalled) return void response.destroy()
      isStalled = response.writableNeedDrain
      cancel = clock.after(lookMs, look)
    }
    let cancel = clock.after(lookMs, look)
    response.on('drain', () => {
      isStalled = false
    })
    return () => cancel()
  }

  return {
    async send(response, body) {
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
