import { asError } from '#kit/errors'
import { Memo, typedKey } from '../../kit/cache/typedKey.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import { type DeadlineOptions, withDeadline } from '../../kit/clock/deadline.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { unpaced, type Work } from '../../kit/clock/work.ts'
import { Page } from '../wire/decode.ts'
import { type CachedReader, OperationCache, type ScopeSources } from './cachedReads.ts'
import { type Upstream, upstreamKey } from './client.ts'
import { Freshness } from './freshness.ts'
import { OperationMemory } from './operationMemory.ts'
import { ReadPages } from './readPages.ts'
import { requestKey, type UpstreamRequest } from './request.ts'
import { RequestBudget, type RequestBudgetOptions, type Requester } from './requester.ts'

/** The client of an operation, and its bounds. */
export interface ScopeOptions extends Partial<Pick<Requester, 'client' | 'requestId' | 'trace'>> {
  /** Left out, there is no bound. */
  readonly budget?: RequestBudgetOptions
  /** Left out, the operation never pauses. */
  readonly work?: Work
}

const unbounded: RequestBudgetOptions = {
  maxRequests: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
}

/**
 * The requests of one operation, or of one event of a subscription: equal ones are sent once, and all end with its
 * signal. Resolvers read through it whatever can change, so that it knows for how long the answer stays the same.
 */
export class RequestScope {
  /** Aborts when the client leaves or the operation's deadline passes. */
  readonly signal: Signal
  /** Stands for the operation in the queues of upstreams. */
  readonly requester: Requester
  /** The pace of its work here: a long record is read in turns with other clients. */
  readonly work: Work
  /** The requests and bytes of the operation so far. */
  readonly budget: RequestBudget
  /** For how long its answer stays the same. */
  readonly freshness = new Freshness()
  /** What it has made and loaded so far. */
  readonly memory = new OperationMemory()
  /** What operations share. */
  readonly cache: OperationCache
  readonly #clock: Clock
  readonly #responses = new Memo()
  readonly #pages = new ReadPages()
  #heavy: Requester | undefined

  constructor(
    signal: Signal,
    { clock, cache }: ScopeSources,
    { client = '', requestId, trace, budget = unbounded, work = unpaced }: ScopeOptions = {},
  ) {
    this.signal = signal
    this.work = work
    this.budget = new RequestBudget(budget)
    this.requester = { client, requestId, budget: this.budget, trace }
    this.#clock = clock
    this.cache = new OperationCache(cache, { requester: this.requester, signal, freshness: this.freshness })
  }

  /**
   * Null when the upstream answers 404. Equal requests of one operation share one response, and a record that a page of
   * the operation has is not looked up. Rejects with
   * `QUERY_TOO_COMPLEX` once the operation has sent too many requests, or received too many bytes. A heavy request makes
   * much work for its upstream and here, so that others go first, and its response is not kept for others.
   */
  fetch<T>(upstream: Upstream, request: UpstreamRequest<T>, isHeavy = false): Promise<T | null> {
    if (isHeavy) return this.#send(upstream, request, isHeavy)
    const { listed } = request
    const read = listed && this.#pages.find(upstreamKey(upstream), listed)
    if (read !== undefined) return Promise.resolve(read)
    const key = typedKey<Promise<T | null>>(`${upstreamKey(upstream)} ${requestKey(request)}`)
    return this.#responses.get(key, () => this.#send(upstream, request, isHeavy))
  }

  #send<T>(upstream: Upstream, request: UpstreamRequest<T>, isHeavy: boolean): Promise<T | null> {
    if (isHeavy) this.#heavy ??= { ...this.requester, isHeavy }
    const requester = (isHeavy && this.#heavy) || this.requester
    const sent = this.freshness.read((onFresh) => upstream.send(request, this.signal, requester, onFresh))
    return sent.then(
      (value) => {
        this.budget.check()
        if (isHeavy || !(value instanceof Page)) return value
        if (request.reader !== undefined) this.#pages.add(upstreamKey(upstream), request.reader, value)
        return this.memory.releaseAtEnd(value)
      },
      (error) => {
        throw asError(error)
      },
    )
  }

  /** Releases the data of an operation that has ended. */
  close(): void {
    this.memory.close()
    this.#responses.clear()
    this.#pages.clear()
  }

  /**
   * Reads from a source besides upstreams and the cache, which says until when the value is true. By default it may
   * change at any time.
   */
  read<T>(from: (reader: CachedReader) => T): T {
    const { requester, signal } = this
    return this.freshness.read((onFresh) => from({ requester, signal, onFresh }))
  }

  /** The date, in milliseconds since 1970. It is true for this moment only. */
  date(): number {
    this.freshness.limit(0)
    return this.#clock.date()
  }

  /** Runs work under a deadline. If it is late or fails, the answer may change at any time. */
  within<T>(options: DeadlineOptions, work: () => Promise<T>): Promise<T> {
    return withDeadline(this.#clock, options, work).catch((error: unknown) => {
      this.freshness.limit(0)
      throw error
    })
  }
}
