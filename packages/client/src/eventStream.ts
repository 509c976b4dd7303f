import { errorOf, type ResponseError, statusError } from './portolanError.ts'
import type { Http } from './query.ts'
import type { Ending, Subscribe } from './transport.ts'

/**
 * Subscriptions as server-sent events, each over a request of its own, for networks that block WebSockets.
 * A stream that is silent for `silenceMs` is lost: the gateway sends a comment every 12 seconds.
 */
export function createEventStreams(http: Http, silenceMs: number): Subscribe {
  return (operation, sink) => {
    const request = new AbortController()
    const end = (ending: Ending) => {
      if (request.signal.aborted) return
      request.abort()
      sink.end(ending)
    }
    const lose = () => end({ kind: 'lost' })
    const read = async () => {
      const timer = setTimeout(lose, http.timeout)
      const response = await http
        .fetch(http.url, {
          method: 'POST',
          headers: { ...(await http.headers()), accept: 'text/event-stream' },
          body: JSON.stringify(operation),
          signal: request.signal,
        })
        .finally(() => clearTimeout(timer))
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
        return end(await refusal(response))
      }
      sink.opened()
      for await (const { event, data } of parts(response, silenceMs)) {
        if (request.signal.aborted) return
        if (event === 'complete') return end({ kind: 'complete' })
        if (event === 'next') sink.next(JSON.parse(data))
      }
      lose()
    }
    read().catch(lose)
    return () => request.abort()
  }
}

/** The end of a subscription that was answered without a stream. */
async function refusal(response: Response): Promise<Ending> {
  const { errors = [] } = (await response.json().catch(() => ({}))) as {
    errors?: ResponseError[]
  }
  const error = statusError(response, { errors })
  const { status, retryAfter } = error
  if (status === 401 || status === 403) return { kind: 'refused', error }
  if (status === 429 || Number(status) >= 500 || errors.length === 0) {
    return { kind: 'lost', retryAfter }
  }
  return { kind: 'failed', error: errorOf(errors) }
}

/** The events of a stream, as in https://html.spec.whatwg.org/multipage/server-sent-events.html. */
async function* parts({ body }: Response, silenceMs: number) {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (reader) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = new Promise<{ done: true; value?: undefined }>((resolve) => {
      timer = setTimeout(() => resolve({ done: true }), silenceMs)
    })
    const { done, value } = await Promise.race([reader.read(), silence])
    clearTimeout(timer)
    if (done) return
    text += decoder.decode(value, { stream: true })
    const blocks = text.split(/\r?\n\r?\n/)
    text = blocks.pop() ?? ''
    for (const block of blocks) yield fieldsOf(block)
  }
}

function fieldsOf(block: string) {
  const fields = { event: '', data: '' }
  for (const line of block.split(/\r?\n/)) {
    const [, name, value = ''] = /^(event|data): ?(.*)$/.exec(line) ?? []
    if (name === 'event') fields.event = value
    if (name === 'data') fields.data += value
  }
  return fields
}
