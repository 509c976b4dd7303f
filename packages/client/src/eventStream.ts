import type { Http } from './query.ts'
import { openSharedStream } from './sharedStream.ts'
import { endOfSilence, partsOf, refusal, sendFor } from './streamRequest.ts'
import type { Ending, Subscribe } from './transport.ts'

/**
 * Subscriptions as server-sent events, for networks that block WebSockets: over one stream, or each over a request of
 * its own if the gateway shares none. A stream that is silent for `silenceMs` is lost: the gateway sends a comment
 * every 12 seconds. `onOpened` is called when a shared stream opens.
 */
export function createEventStreams(http: Http, silenceMs: number, onOpened: () => void): Subscribe {
  const alone = ownStreams(http, silenceMs)
  let open: ReturnType<typeof openSharedStream> | undefined
  let isRefused = false
  const onRefused = () => {
    isRefused = true
  }
  return (operation, sink) => {
    if (isRefused) return alone(operation, sink)
    if (!open || open.isOver())
      open = openSharedStream({ http, silenceMs, alone, onOpened, onRefused })
    return open.add(operation, sink)
  }
}

const ownStreams =
  (http: Http, silenceMs: number): Subscribe =>
  (operation, sink) => {
    const request = new AbortController()
    const { signal } = request
    const end = (ending: Ending) => {
      if (signal.aborted) return
      request.abort()
      sink.end(ending)
    }
    const lose = () => end({ kind: 'lost' })
    const onHeld = async () => end(await endOfSilence(http))
    let isOpened = false
    const read = async () => {
      // It is answered when the subscription has begun, which can take its time.
      const response = await sendFor(http, {
        method: 'POST',
        body: operation,
        signal,
        lose: onHeld,
      })
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
        return end(await refusal(response))
      }
      for await (const { event, data } of partsOf(response, silenceMs, onHeld)) {
        if (signal.aborted) return
        if (!isOpened) sink.opened()
        isOpened = true
        if (event === 'complete') return end({ kind: 'complete' })
        if (event === 'next') sink.next(JSON.parse(data))
      }
      lose()
    }
    read().catch(lose)
    return () => request.abort()
  }
