import type { Operation } from './document.ts'
import { errorOf, type ResponseError, statusError } from './portolanError.ts'
import type { Http } from './query.ts'
import { type Ending, held } from './transport.ts'

/** Milliseconds in which something comes over a new stream: the gateway sends a comment at once. */
const firstMs = 15_000
/** Milliseconds in which a gateway answers that can be reached. */
const answerMs = 5_000

/** Asks for the event stream of a subscription. `lose` is called if no answer comes. */
export async function requestStream(
  http: Http,
  operation: Operation,
  { signal, lose }: { readonly signal: AbortSignal; readonly lose: () => void },
): Promise<Response> {
  const timer = setTimeout(lose, Math.min(firstMs, http.timeout))
  try {
    const headers = { ...(await http.headers()), accept: 'text/event-stream' }
    const body = JSON.stringify(operation)
    return await http.fetch(http.url, { method: 'POST', headers, body, signal })
  } finally {
    clearTimeout(timer)
  }
}

/** The end of a subscription that was answered without a stream. */
export async function refusal(response: Response): Promise<Ending> {
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

/** The end of a stream that is silent. A gateway that answers other requests meanwhile is behind a proxy that buffers. */
export async function endOfSilence(http: Http): Promise<Ending> {
  const question = new AbortController()
  const timer = setTimeout(() => question.abort(), answerMs)
  try {
    const headers = { ...(await http.headers()), accept: 'application/json' }
    const body = '{"query":"{__typename}"}'
    const { signal } = question
    const { status } = await http.fetch(http.url, { method: 'POST', headers, body, signal })
    return status < 500 ? held() : { kind: 'lost' }
  } catch {
    return { kind: 'lost' }
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The events of a stream, as in https://html.spec.whatwg.org/multipage/server-sent-events.html, and its comments. A
 * stream that is silent for `silenceMs` is over. `onHeld` is called, and awaited, if at most its beginning has come.
 */
export async function* partsOf({ body }: Response, silenceMs: number, onHeld: () => Promise<void>) {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (let reads = 0; reader; reads++) {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = new Promise<'silence'>((resolve) => {
      timer = setTimeout(() => resolve('silence'), reads > 0 ? silenceMs : firstMs)
    })
    // Where the reader has left, the read fails, and a timer would keep the process alive.
    const next = await Promise.race([reader.read(), silence]).finally(() => clearTimeout(timer))
    if (next === 'silence') return reads > 1 ? undefined : onHeld()
    const { done, value } = next
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
