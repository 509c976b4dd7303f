import type { Dispatcher } from 'undici'
import type { CacheStore } from '../../kit/cache/cache.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import { createFairScheduler, type FairScheduler } from '../../kit/clock/fairScheduler.ts'

/** How to reach an upstream, and how long it may take. Times are in milliseconds. */
export interface UpstreamOptions {
  readonly service: string
  /** Base URL. Its path is a prefix of every request's. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly clock: Clock
  /** Holds responses that stay the same, in a region of this upstream. */
  readonly cache: CacheStore
  /** Total time for one attempt, from its turn in the queue to the last byte. 5 s by default. */
  readonly timeout?: number
  /** The most requests under way at once. 32 by default. `reserved` of them are for urgent requests only, by default 0. */
  readonly concurrency?: number
  readonly reserved?: number
  /** The most requests that wait for their turn. 25,000 by default, to bound the memory: none waits beyond its operation. */
  readonly maxWaiting?: number
  /** The most bytes of memory that the cached responses of all upstreams take up, roughly. 64 MiB by default. */
  readonly cacheBytes?: number
  /** How long final responses are cached. They expire only because a chain can be reset. 0 caches none. 1 h by default. */
  readonly finalTtl?: number
  /** Wait before a retry of a GET, by its number from 1. By default about 100 ms, then 200 ms. */
  readonly backoff?: (attempt: number) => number
  /** Responses to heavy requests are read in turns. Upstreams can share them. */
  readonly scheduler?: FairScheduler
  /** Other long bodies are read in turns, beside the other work of the clients. */
  readonly bodyScheduler?: FairScheduler
  readonly events?: Partial<UpstreamEvents>
}

/** Milliseconds for one attempt of a slow request, or `timeout` if that is longer. A router asks several services for a quote. */
export const slowTimeoutMs = 15_000

const defaults = {
  timeout: 5_000,
  concurrency: 32,
  reserved: 0,
  maxWaiting: 25_000,
  cacheBytes: 64 * 1024 * 1024,
  headers: {},
  finalTtl: 60 * 60 * 1000,
  backoff: (attempt: number) => 50 * 2 ** attempt * (0.5 + Math.random()),
  events: {} as Partial<UpstreamEvents>,
}

/** The options of an upstream, each with its value. */
export const withDefaults = (options: UpstreamOptions): Required<UpstreamOptions> => ({
  ...defaults,
  scheduler: createFairScheduler(options.clock),
  bodyScheduler: createFairScheduler(options.clock),
  ...options,
})

/** The outcome of one attempt. */
export interface Observation {
  readonly service: string
  /** The HTTP status, or an error code if there was no complete response. */
  readonly outcome: string
  readonly seconds: number
  /** The code or message of a network error, such as `ECONNREFUSED`. Undefined for a complete response. */
  readonly cause?: string | undefined
}

/** The load of one upstream at the moment it is read. */
export interface UpstreamLoad {
  /** Attempts under way. */
  readonly inFlight: number
  /** Requests that wait for their turn. */
  readonly waiting: number
  /** Circuits that refuse attempts: one for each route, and one for the upstream itself. */
  readonly openCircuits: number
}

/** Receives what happens to the requests of upstreams, for metrics and the log. */
export interface UpstreamEvents {
  /** Called once for each upstream, before its first request. */
  onOpen(service: string, load: UpstreamLoad): void
  /** Called when an attempt ends, unless it is cancelled. */
  onAttempt(observation: Observation): void
  /** Called when the turn of an attempt comes, with the seconds that it waited. */
  onQueued(service: string, seconds: number): void
  /** Called when a request joins an equal one under way. */
  onCoalesced(service: string): void
  /** Called before an attempt is repeated. */
  onRetry(service: string): void
}
