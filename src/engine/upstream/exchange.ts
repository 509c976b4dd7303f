import { Agent, type Dispatcher } from 'undici'
import type { Limits } from '../limits/limits.ts'

/** A complete response of an upstream. */
export interface UpstreamResponse {
  readonly status: number
  /** Names and values in turn, as sent. */
  readonly headers: readonly Buffer[]
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
 * adds a stream, a promise and signal handling to each request. undici itself calls the functions below.
 * It wraps a handler with the newer ones, and parses all headers for it.
 */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  handler: ExchangeHandler,
): HttpCall {
  const chunks: Buffer[] = []
  let abort: ((error: Error) => void) | undefined
  let status = 0
  let bytes = 0
  let headers: readonly Buffer[] = []
  let hasEnded = false
  let abortReason: Error | undefined
  dispatcher.dispatch(options, {
    // Called again when undici moves a request that it has not sent to another connection.
    onConnect(current) {
      abort = current
      if (abortReason) current(abortReason)
    },
    onHeaders(statusCode, received) {
      // Informational responses come before the response.
      if (statusCode < 200) return true
      status = statusCode
      headers = received
      return true
    },
    onData(chunk) {
      chunks.push(chunk)
      bytes += chunk.length
      return true
    },
    onComplete() {
      if (hasEnded) return
      hasEnded = true
      handler.onResponse({ status, headers, text: bodyText(chunks), bytes })
    },
    onError(error) {
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
      abort?.(reason)
    },
  }
}

/** The value of a header that a response has once. The name must be in lower case. */
export function headerOf({ headers }: UpstreamResponse, name: string): string | undefined {
  const names = headers.filter((_, i) => i % 2 === 0).map((header) => String(header).toLowerCase())
  const at = names.indexOf(name)
  return at < 0 || at !== names.lastIndexOf(name) ? undefined : String(headers[at * 2 + 1])
}

function bodyText(chunks: readonly Buffer[]): string {
  const [first] = chunks
  const text = chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks).toString()
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/**
 * Opens the connections to all upstreams: a pool of kept-alive connections per origin. It does not
 * follow redirects, and reads no compressed bodies, since none are requested.
 */
export const createDispatcher = (limits: Pick<Limits, 'upstreamTimeoutMs' | 'maxResponseBytes'>): Dispatcher =>
  new Agent({
    // Each upstream has its own bound. Upstreams of one origin must not wait for each other here.
    connections: null,
    connect: { timeout: Math.min(2_000, limits.upstreamTimeoutMs) },
    // The client gives each attempt one deadline for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 10_000,
    maxResponseSize: limits.maxResponseBytes,
  })
