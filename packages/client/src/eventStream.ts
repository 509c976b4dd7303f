import type { Http } from './query.ts'
import { endOfSilence, partsOf, refusal, requestStream } from './streamRequest.ts'
import type { Ending, Subscribe } from './transport.ts'

/**
 * Subscriptions as server-sent events, for networks that block WebSockets: each has a stream of its own. A stream that is
 * silent for `silenceMs` is lost: the gateway sends a comment every 12 seconds. `onWorks` is called with the first event
 * of each. Called earlier, streams that end at once would reconnect each other in a loop.
 */
export function createEventStreams(http: Http, silenceMs: number, onWorks: () => void): Subscribe {
  return (operation, sink) => {
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
    let works = false
    const read = async () => {
      const response = await requestStream(http, operation, { signal, lose: onHeld })
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
        return end(await refusal(response))
      }
      for await (const { event, data } of partsOf(response, silenceMs, onHeld)) {
        if (signal.aborted) return
        if (!isOpened) sink.opened()
        isOpened = true
        if (event === 'complete') return end({ kind: 'complete' })
        if (event !== 'next') continue
        if (!works) onWorks()
        works = true
        sink.next(JSON.parse(data))
      }
      lose()
    }
    read().catch(lose)
    return () => request.abort()
  }
}
