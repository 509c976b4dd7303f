import type { Signal } from '../../kit/clock/signal.ts'
import type { Upstream } from '../upstream/client.ts'
import type { UpstreamRequest } from '../upstream/request.ts'

/**
 * Sends the requests of polls. All watching ends in requests that are repeated. A single gateway sends each of
 * them itself. Gateways of a fleet share them: a response that one of them has read serves all.
 */
export interface Peers {
  /** Whether other processes take part. Few who listen here can be many in all. */
  readonly isShared: boolean
  /**
   * Sends a GET, or returns the value that another gateway has read lately. Null for a 404, as `Upstream.send`. It must be harmless to
   * repeat a POST.
   * Rejects with a `GatewayError`, or with the signal's reason.
   */
  send<T>(upstream: Upstream, request: UpstreamRequest<T>, signal: Signal, options?: PollOptions): Promise<T | null>
  /**
   * An upstream whose GETs gateways share. It is for requests that follow from a poll, such as those for the
   * transactions of a new block: all gateways send them at about the same time.
   */
  over(upstream: Upstream): Upstream
  /**
   * Calls the listener with what other gateways read, if no `send` of this gateway waits for it. The function it
   * returns ends that. No call is certain: a listener has to poll by itself too.
   */
  follow<T>(
    upstream: Upstream,
    request: UpstreamRequest<T>,
    listener: (observation: PeerObservation<T>) => void,
  ): () => void
}

/** Bounds of the response to a poll. Times are in milliseconds. */
export interface PollOptions {
  /** How old the response may be, if another gateway has read it. By default half a second. */
  readonly maxAgeMs?: number
  /** Time for the request, once it is sent. Default: the timeout of the upstream. */
  readonly timeoutMs?: number
  /**
   * Called before the promise settles, if the request was sent for another gateway: with the time since
   * then.
   */
  readonly onShared?: (ageMs: number) => void
  /** Called before the promise settles, with the milliseconds since the gateways began to read it. */
  readonly onSeries?: (seriesMs: number) => void
}

/** A response that another gateway has read. */
export type PeerObservation<T> = {
  /** Milliseconds since it was read. */
  readonly ageMs: number
  /** Milliseconds since the gateways began to read it. */
  readonly seriesMs?: number | undefined
} & ({ readonly value: T | null } | { readonly error: unknown })

/** The peers of a gateway that is alone. It costs nothing. */
export const noPeers: Peers = {
  isShared: false,
  send: (upstream, request, signal) => upstream.send(request, signal),
  over: (upstream) => upstream,
  follow: () => () => {},
}
