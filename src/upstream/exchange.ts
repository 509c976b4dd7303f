import type { Dispatcher } from 'undici'

/** A complete response of an upstream. */
export interface UpstreamResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as text, without a byte order mark. */
  readonly text: string
}

/** What becomes of an exchange. One of its functions is called, once, and none after an abort. */
export interface ExchangeHandler {
  onResponse(response: UpstreamResponse): void
  /** `hasStatus` is whether the response had begun. */
  onFault(error: Error, hasStatus: boolean): void
}

/** A request under way. */
export interface Exchange {
  /** Whether the response has begun. */
  readonly hasStatus: boolean
  /** Ends the request and closes its connection. No function of the handler is called from then on. */
  abort(reason: Error): void
}

/**
 * Sends one request and collects its response. `dispatch` is the lowest level of undici: its `request`
 * adds a stream, a promise and signal handling to each request.
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  handler: ExchangeHandler,
): Exchange {
  const chunks: Buffer[] = []
  let controller: Dispatcher.DispatchController | undefined
  let status = 0
  let headers: UpstreamResponse['headers'] = {}
  let hasEnded = false
  let abortReason: Error | undefined
  dispatcher.dispatch(options, {
    // Called again when undici moves a request that it has not sent to another connection.
    onRequestStart(current) {
      controller = current
      if (abortReason) current.abort(abortReason)
    },
    onResponseStart(_, statusCode, received) {
      // Informational responses come before the response.
      if (statusCode < 200) return
      status = statusCode
      headers = received
    },
    onResponseData(_, chunk) {
      chunks.push(chunk)
    },
    onResponseEnd() {
      if (hasEnded) return
      hasEnded = true
      handler.onResponse({ status, headers, text: textOf(chunks) })
    },
    onResponseError(_, error) {
      if (hasEnded) return
      hasEnded = true
      handler.onFault(error, status > 0)
    },
  })
  return {
    get hasStatus() {
      return status > 0
    },
    abort(reason) {
      if (hasEnded) return
      hasEnded = true
      abortReason = reason
      controller?.abort(reason)
    },
  }
}

function textOf(chunks: readonly Buffer[]): string {
  const [first] = chunks
  const text = chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks).toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
