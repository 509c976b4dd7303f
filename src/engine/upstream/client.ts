import { createHash } from 'node:crypto'
import { typedKey } from '../../kit/cache/typedKey.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { FairQueue } from '../../kit/queue/fairQueue.ts'
import { Page } from '../wire/decode.ts'
import { breaker, type Circuits, createCircuits } from './circuits.ts'
import { createRedactor } from './redact.ts'
import { requestKey, type UpstreamRequest } from './request.ts'
import type { Requester } from './requester.ts'
import { type CallerRequest, inOrder, type Result } from './stages/call.ts'
import { decodeAfter } from './stages/decode.ts'
import { createMemoryCache } from './stages/memoryCache.ts'
import { createQueue } from './stages/queue.ts'
import { createRetry } from './stages/retry.ts'
import { createSend } from './stages/send.ts'
import { createSharedCalls } from './stages/sharedCalls.ts'
import { type UpstreamLoad, type UpstreamOptions, withDefaults } from './upstreamOptions.ts'

/** A client for one REST service: the indexer of a chain, or a service of the table in `services.ts`. */
export interface Upstream {
  /** A chain id, or the name of another service such as `router`. */
  readonly service: string
  /** The source of its responses: see `sourceOf`. Cached responses belong to it. */
  readonly source: string
  /** The state that its responses must have reached: see `atLeast`. */
  readonly consistencyToken?: string
  /**
   * Sends a request, or joins an equal GET already under way. Null when the upstream answers 404.
   * Rejects with a `GatewayError`, or with the signal's reason once it aborts. Requesters take turns, and all
   * requests without one count as one requester's. `onFresh` is called before the promise resolves, with the time
   * of the clock when the response may change: 0 if it may change at any time. A page is an object of its own for
   * each caller.
   */
  send<T>(
    request: UpstreamRequest<T>,
    signal: Signal,
    requester?: Requester,
    onFresh?: (until: number) => void,
  ): Promise<T | null>
}

/**
 * The same upstream for a reader with a consistency token. Responses are at least as new as the token: only records that
 * never change come from a cache, and only requests with the same token share a response.
 */
export const atLeast = (upstream: Upstream, consistencyToken: string): Upstream => ({
  service: upstream.service,
  source: upstream.source,
  consistencyToken,
  send: (request, ...rest) => upstream.send({ ...request, consistencyToken }, ...rest),
})

/**
 * A name for a service at a URL, the same in all processes: a chain whose indexer moves has another source. It has
 * no part of the URL in it.
 */
const sourceOf = (service: string, url: string): string =>
  `${service}@${createHash('sha256').update(url).digest('base64url').slice(0, 16)}`

/** A key of an operation for what it reads from an upstream. */
export const upstreamKey = ({ source, consistencyToken }: Pick<Upstream, 'source' | 'consistencyToken'>): string =>
  consistencyToken === undefined ? source : `${source} ${consistencyToken}`

/**
 * Opens a client for one upstream. It sends nothing before the first request. Each request goes through the stages
 * below in their order: the first two run for each caller, and the others once for all callers of equal requests.
 */
export function createUpstream(options: UpstreamOptions): Upstream {
  const given = withDefaults(options)
  const { service, url, clock, events, headers } = given
  const source = sourceOf(service, url)
  const slots = new FairQueue({
    slots: given.concurrency,
    reservedSlots: given.reserved,
    maxWaiting: given.maxWaiting,
  })
  const circuits = createCircuits(clock)
  events.onOpen?.(service, loadOf(slots, circuits))

  const reader = { service, clock, redact: createRedactor(headers), hasAnswered: false }
  const cache = createMemoryCache(source, given)
  const share = createSharedCalls(given, cache.keep)
  const run = inOrder(
    [createRetry(given), createQueue(given, slots), breaker(service, circuits)],
    decodeAfter(createSend(given), reader, given),
  )
  const join = <T>(missed: CallerRequest<T>) => share(missed, run)
  const background: Requester = { client: '', isUrgent: true }

  return {
    service,
    source,
    send: <T>(request: UpstreamRequest<T>, signal: Signal, requester = background, onFresh?: (until: number) => void) =>
      new Promise<T | null>((settle, reject) => {
        const resolve = ({ value, freshUntil }: Result<T>) => {
          onFresh?.(freshUntil)
          // The cache and the other callers keep their own page.
          settle(value instanceof Page ? (new Page(value) as T) : value)
        }
        const key = typedKey<Result<T>>(requestKey(request))
        const cacheKey = cache.keyOf(request, key)
        const asked = { request, key, cacheKey, member: requester, signal, resolve, reject }
        cache.find(asked, join)
      }),
  }
}

const loadOf = (slots: FairQueue, circuits: Circuits): UpstreamLoad => ({
  get inFlight() {
    return slots.active
  },
  get waiting() {
    return slots.waiting
  },
  get openCircuits() {
    return circuits.openCircuits
  },
})
