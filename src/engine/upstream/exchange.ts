import { Agent, type Dispatcher } from 'undici'
import type { Limits } from '../limits/limits.ts'

type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>

/** A complete response of an upstream. */
export interface UpstreamResponse {
  readonly status: number
  /** Values by names in lower case. A header that was sent more than once has a list. */
  readonly headers: ResponseHeaders
  /** The body as text, without a byte order mark. */
  readonly text: string
  /** Bytes of the body. */
  readonly bytes: number
}

/** Receives the end of an exchange. One of its functions is called, once, and none after an abort. */
export interface ExchangeHandler {
  onResponse(response: UpstreamResponse): void
  /** `hasStatus` is whether the response had begun. */
  onFault(error: Error, hasStatus: boolean): void
}

/** A request under way. */
export interface HttpCall {
  /** Whether the response has begun. */
  hasStatus(): boolean
  /** Ends the request and closes its connection. The handler is not called afterwards. */
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
): HttpCall {
  const chunks: Buffer[] = []
  let controller: Dispatcher.DispatchController | undefined
  let status = 0
  let bytes = 0
  let headers: ResponseHeaders = {}
  let hasEnded = false
  let abortReason: Error | undefined
  dispatcher.dispatch(options, {
    // Called again when undici moves a request that it has not sent to another connection.
    onRequestStart(current) {
      controller = current
      if (abortReason) current.abort(abortReason)
    },
    onResponseStart(_controller, statusCode, received) {
      // Informational responses come before the response.
      if (statusCode < 200) return
      status = statusCode
      headers = received
    },
    onResponseData(_controller, chunk) {
      chunks.push(chunk)
      bytes += chunk.length
    },
    onResponseEnd() {
      if (hasEnded) return
      hasEnded = true
      handler.onResponse({ status, headers, text: bodyText(chunks), bytes })
    },
    onResponseError(_controller, error) {
      if (hasEnded) return
      hasEnded = true
      handler.onFault(error, status > 0)
    },
  })
  return {
    hasStatus: () => status > 0,
    abort(reason) {
      if (hasEnded) return
      hasEnded = true
      abortReason = reason
      controller?.abort(reason)
    },
  }
}

/** The value of a header that a response has once. The name must be in lower case. */
export function headerOf({ headers }: UpstreamResponse, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

function bodyText(chunks: readonly Buffer[]): string {
  const [first] = chunks
  const text = chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks).toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/** The largest response that is read. Pages of 10 MB can be asked for, and have to be read. */
const maxResponseBytes = 16 * 1024 * 1024

/**
 * Opens the connections to all upstreams: a pool of kept-alive connections per origin. It does not
 * follow redirects, and reads no compressed bodies, since none are requested.
 */
export const createDispatcher = (limits: Pick<Limits, 'upstreamTimeoutMs'>): Dispatcher =>
  new Agent({
    // Each upstream has its own bound. Upstreams of one origin must not wait for each other here.
    connections: null,
    connect: { timeout: Math.min(2_000, limits.upstreamTimeoutMs) },
    // The client gives each attempt one deadline for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    maxResponseSize: maxResponseBytes,
  })
