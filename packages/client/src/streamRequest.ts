import { errorOf, type ResponseError, statusError } from './portolanError.ts'
import type { Http } from './query.ts'
import type { Ending } from './transport.ts'

/** A request for an event stream. */
interface StreamRequest {
  readonly method: string
  /** The token of a shared stream. */
  readonly token?: string | undefined
  /** The operation that a request ends. */
  readonly id?: string
  readonly body?: object
  readonly signal: AbortSignal
  /** Called if no answer comes. */
  readonly lose: () => void
}

/** Sends a request for an event stream. */
export async function sendFor(
  http: Http,
  { method, token, id, body, signal, lose }: StreamRequest,
): Promise<Response> {
  const timer = setTimeout(lose, http.timeout)
  try {
    const url = new URL(http.url)
    if (id) url.searchParams.set('operationId', id)
    const headers = {
      ...(await http.headers()),
      ...(token && { 'x-graphql-event-stream-token': token }),
      // What is not a stream is answered as JSON.
      accept: token && method !== 'GET' ? '*/*' : 'text/event-stream',
    }
    const own = body && { body: JSON.stringify(body) }
    return await http.fetch(url.href, { method, headers, signal, ...own })
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

/** The events of a stream, as in https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export async function* partsOf({ body }: Response, silenceMs: number) {
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
