import type { Awaitable } from '../../kit/awaitable.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import { Memo, typedKey } from '../../kit/cache/typedKey.ts'
import { type DeadlineOptions, withDeadline } from '../../kit/clock/deadline.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { unpaced, type Work } from '../../kit/clock/work.ts'
import { Page } from '../wire/decode.ts'
import {
  type CachedReader,
  type CachedValues,
  readCached,
  type ScopeSources,
  type SharedLoad,
  type UpstreamFacts,
} from './cachedReads.ts'
import { type Upstream, upstreamKey } from './client.ts'
import { requestKey, type UpstreamRequest } from './request.ts'
import { RequestBudget, type RequestBudgetOptions, type Requester, type Trace } from './requester.ts'

/** A list in the memory of an operation. It has no items, and so throws when it is read, after the end. */
interface ReleasableList {
  readonly items: readonly unknown[]
}

/** The client of an operation, and its bounds. */
export interface ScopeOptions {
  /** The key of the client. Operations without one count as one client's. */
  readonly client?: string
  readonly requestId?: string | undefined
  readonly trace?: Trace | undefined
  /** Left out, there is no bound. */
  readonly budget?: RequestBudgetOptions
  /** Left out, the operation never pauses. */
  readonly work?: Work
}

/** How a response is kept. */
export interface FetchOptions {
  /** Whether equal requests of the operation share the response, until it ends. Default: true. */
  readonly isKept?: boolean
  /** Whether it makes much work for its upstream and here, so that others go first. Default: false. */
  readonly isHeavy?: boolean
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
  readonly #sources: ScopeSources
  readonly #memo = new Memo()
  readonly #responses = new Memo()
  #heavy: Requester | undefined
  #releasable: { items: unknown }[] = []
  #readsUnderWay = 0
  #shortestFreshness = Number.POSITIVE_INFINITY

  constructor(
    signal: Signal,
    sources: ScopeSources,
    { client = '', requestId, trace, budget = unbounded, work = unpaced }: ScopeOptions = {},
  ) {
    this.signal = signal
    this.work = work
    this.budget = new RequestBudget(budget)
    this.requester = { client, requestId, budget: this.budget, trace }
    this.#sources = sources
  }

  /**
   * The answer stays the same until this time of the clock, by the reads so far. Infinity before the first read.
   * 0 while a read is under way, and once one may change at any time, was a 404 or has failed.
   */
  get freshUntil(): number {
    return this.#readsUnderWay === 0 ? this.#shortestFreshness : 0
  }

  /** Knowledge of how upstreams are read. No answer may depend on it. */
  get hints(): UpstreamFacts {
    return this.#sources.cache
  }

  /**
   * Null when the upstream answers 404. Equal requests of one operation share one response. Rejects with
   * `QUERY_TOO_COMPLEX` once the operation has sent too many requests, or received too many bytes.
   */
  fetch<T>(upstream: Upstream, request: UpstreamRequest<T>, options: FetchOptions = keptByDefault): Promise<T | null> {
    if (options.isKept === false) return this.#send(upstream, request, options)
    const key = typedKey<Promise<T | null>>(`${upstreamKey(upstream)} ${requestKey(request)}`)
    return this.#responses.get(key, () => this.#send(upstream, request, options))
  }

  #send<T>(
    upstream: Upstream,
    request: UpstreamRequest<T>,
    { isKept = true, isHeavy = false }: FetchOptions,
  ): Promise<T | null> {
    if (isHeavy) this.#heavy ??= { ...this.requester, isHeavy }
    const requester = (isHeavy && this.#heavy) || this.requester
    let until = 0
    this.#readsUnderWay += 1
    const onFresh = (time: number) => {
      until = time
    }
    return upstream.send(request, this.signal, requester, onFresh).then(
      (value) => {
        this.#endRead(until)
        this.budget.check()
        return isKept && value instanceof Page ? this.releaseAtEnd(value) : value
      },
      (error) => {
        this.#endRead(0)
        throw error instanceof Error ? error : new Error(String(error))
      },
    )
  }

  /** The value made for this key earlier in the operation, or now. One key stands for one type. */
  memo<T>(key: string, make: () => T): T {
    return this.#memo.get(typedKey<T>(key), make)
  }

  /** The value loaded for this key earlier in the operation, or now. It is a promise until it is here. */
  loaded<T>(key: string, load: () => Promise<T>): Awaitable<T> {
    const found = this.#memo.get(typedKey<{ value: Awaitable<T> }>(key), () => {
      const loading = load()
      const entry: { value: Awaitable<T> } = { value: loading }
      loading.then(
        (value) => {
          entry.value = value
        },
        () => {},
      )
      return entry
    })
    return found.value
  }

  /** Takes its items from a list that only this operation has, when the operation has ended. Returns the list. */
  releaseAtEnd<T extends ReleasableList>(list: T): T {
    this.#releasable.push(list)
    return list
  }

  /**
   * Releases the data of an operation that has ended. V8 keeps every object that an old object refers to until a
   * full collection. An object is old after two collections of young objects, such as a promise that waited for an
   * upstream. It would keep the list that it resolved to.
   */
  close(): void {
    this.#memo.clear()
    this.#responses.clear()
    for (const list of this.#releasable) list.items = undefined
    this.#releasable = []
  }

  /** The value just read is true until this time of the clock. */
  #limit(until: number): void {
    if (until < this.#shortestFreshness) this.#shortestFreshness = until
  }

  #endRead(until: number): void {
    this.#readsUnderWay -= 1
    this.#limit(until)
  }

  /**
   * Reads from a source besides upstreams and the cache, which says until when the value is true. By default it may
   * change at any time.
   */
  read<T>(from: (reader: CachedReader) => T): T {
    const { requester, signal } = this
    let until = 0
    const onFresh = (time: number) => {
      until = time
    }
    this.#readsUnderWay += 1
    let value: T
    try {
      value = from({ requester, signal, onFresh })
    } catch (error) {
      this.#endRead(0)
      throw error
    }
    if (value instanceof Promise) {
      value.then(
        () => this.#endRead(until),
        () => this.#endRead(0),
      )
    } else {
      this.#endRead(until)
    }
    return value
  }

  /** A value that operations share: from the cache, or as it is loaded. True until its entry expires. */
  cached<T>(region: CacheRegion<T>, key: string, load: SharedLoad<T>): Promise<T> {
    return this.read((reader) => readCached(this.#sources.cache, reader, region, key, load))
  }

  /** The values of a region of the cache. Reading or writing one makes the answer true until its entry expires. */
  cachedValues<T>(region: CacheRegion<T>): CachedValues<T> {
    const values = this.#sources.cache.open(region)
    return {
      get: (key) => {
        const value = values.get(key)
        if (value !== undefined) this.#limit(values.freshUntil(key))
        return value
      },
      set: (key, value, ttlMs) => {
        values.set(key, value, 1, ttlMs)
        this.#limit(values.freshUntil(key))
      },
    }
  }

  /** Notes a value that any later operation may replace. */
  note<T>(region: CacheRegion<T>, key: string, value: T): void {
    const values = this.#sources.cache.open(region)
    if (values.get(key) !== value) values.set(key, value)
  }

  /** The value noted last, if there is one. It is true for this moment only. */
  noted<T>(region: CacheRegion<T>, key: string): T | undefined {
    this.#limit(0)
    return this.#sources.cache.open(region).get(key)
  }

  /** The date, in milliseconds since 1970. It is true for this moment only. */
  date(): number {
    this.#limit(0)
    return this.#sources.clock.date()
  }

  /** Runs work under a deadline. If it is late or fails, the answer may change at any time. */
  within<T>(options: DeadlineOptions, work: () => Promise<T>): Promise<T> {
    return withDeadline(this.#sources.clock, options, work).catch((error: unknown) => {
      this.#limit(0)
      throw error
    })
  }
}

const keptByDefault: FetchOptions = {}
