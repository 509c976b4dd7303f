import DataLoader from 'dataloader'
import type { Awaitable } from '../kit/awaitable.ts'
import { createMemo, typedKey } from '../kit/cache/typedKey.ts'
import { unpaced, type Work } from '../kit/clock/pace.ts'
import type { Signal } from '../kit/clock/signal.ts'
import { Page } from '../wire/decode.ts'
import { createScopeReads, type ScopeReads, type ScopeSources } from './cachedReads.ts'
import type { Upstream } from './client.ts'
import { requestKey, type UpstreamRequest } from './request.ts'
import {
  createRequestBudget,
  type RequestBudget,
  type RequestBudgetOptions,
  type Requester,
  type Trace,
} from './requester.ts'

/**
 * The requests of one operation: equal ones are sent once, and all end with its signal. Resolvers read through it
 * whatever can change, so that it knows for how long the answer stays the same.
 */
export interface RequestScope extends ScopeReads {
  /** Aborts when the client leaves or the operation's deadline passes. */
  readonly signal: Signal
  /** Stands for the operation in the queues of upstreams. */
  readonly requester: Requester
  /** The pace of its work here: a long record is read in turns with other clients. */
  readonly work: Work
  /**
   * The answer stays the same until this time of the clock, by the reads so far. Infinity before the first read.
   * 0 while a read is under way, and once one may change at any time, was a 404 or has failed.
   */
  readonly freshUntil: number
  /** The requests and bytes of the operation so far. */
  readonly budget: Pick<RequestBudget, 'requests' | 'bytes'>
  /**
   * Null when the upstream answers 404. Equal requests of one operation share one response. Rejects with
   * `QUERY_TOO_COMPLEX` once the operation has sent too many requests, or received too many bytes.
   */
  fetch<T>(
    upstream: Upstream,
    request: UpstreamRequest<T>,
    options?: FetchOptions,
  ): Promise<T | null>
  /** The value made for this key earlier in the operation, or now. One key stands for one type. */
  memo<T>(key: string, make: () => T): T
  /** The value loaded for this key earlier in the operation, or now. It is a promise until it is here. */
  loaded<T>(key: string, load: () => Promise<T>): Awaitable<T>
  /** Takes its items from a list that only this operation has, when the operation has ended. Returns the list. */
  releaseAtEnd<T extends ReleasableList>(list: T): T
  /**
   * Releases the data of an operation that has ended. V8 keeps every object that an old object refers to until a
   * full collection. An object is old after two collections of young objects, such as a promise that waited for an
   * upstream. It would keep the list that it resolved to.
   */
  close(): void
}

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
 * Records how long the reads of an operation stay true. `set` receives the time of the clock until which all of them
 * do, or 0 while one is under way.
 */
function createReadTimes(set: (until: number) => void) {
  let underWay = 0
  let shortest = Number.POSITIVE_INFINITY
  const limit = (until: number) => {
    shortest = Math.min(shortest, until)
    set(underWay === 0 ? shortest : 0)
  }
  return {
    begin() {
      underWay += 1
      set(0)
    },
    limit,
    end(until: number) {
      underWay -= 1
      limit(until)
    },
  }
}

/** Opens the scope of one operation, or of one event of a subscription. */
export function createRequestScope(
  signal: Signal,
  sources: ScopeSources,
  { client = '', requestId, trace, budget: bounds = unbounded, work = unpaced }: ScopeOptions = {},
): RequestScope {
  const budget = createRequestBudget(bounds)
  const requester: Requester = { client, requestId, budget, trace }
  let heavy: Requester | undefined
  const memo = createMemo()
  const responses = createMemo()
  let releasable: { items: unknown }[] = []
  const { begin, limit, end } = createReadTimes((until) => {
    scope.freshUntil = until
  })

  const send = <T>(
    upstream: Upstream,
    request: UpstreamRequest<T>,
    { isKept = true, isHeavy = false }: FetchOptions,
  ): Promise<T | null> => {
    if (isHeavy) heavy ??= { ...requester, isHeavy }
    let until = 0
    begin()
    const onFresh = (time: number) => {
      until = time
    }
    return upstream.send(request, signal, (isHeavy && heavy) || requester, onFresh).then(
      (value) => {
        end(until)
        budget.check()
        return isKept && value instanceof Page ? scope.releaseAtEnd(value) : value
      },
      (error) => {
        end(0)
        throw asError(error)
      },
    )
  }

  const reads = createScopeReads(sources, { requester, signal, begin, limit, end })

  // A plain property: an object literal with a getter takes V8 over a microsecond to make.
  const scope = {
    signal,
    requester,
    work,
    freshUntil: Number.POSITIVE_INFINITY,
    budget,
    // Named one by one: V8 copies properties by a spread far more slowly.
    read: reads.read,
    cached: reads.cached,
    cachedValues: reads.cachedValues,
    note: reads.note,
    noted: reads.noted,
    hints: reads.hints,
    date: reads.date,
    within: reads.within,
    fetch<T>(
      upstream: Upstream,
      request: UpstreamRequest<T>,
      options: FetchOptions = keptByDefault,
    ) {
      if (options.isKept === false) return send(upstream, request, options)
      const key = typedKey<Promise<T | null>>(`${upstreamKey(upstream)} ${requestKey(request)}`)
      return responses.get(key, () => send(upstream, request, options))
    },
    memo: <T>(key: string, make: () => T) => memo.get(typedKey<T>(key), make),
    loaded<T>(key: string, load: () => Promise<T>) {
      const found = memo.get(typedKey<{ value: Awaitable<T> }>(key), () => {
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
    },
    releaseAtEnd<T extends ReleasableList>(list: T) {
      releasable.push(list)
      return list
    },
    close() {
      memo.clear()
      responses.clear()
      for (const list of releasable) list.items = undefined
      releasable = []
    },
  }
  return scope
}

/** A key of an operation for what it reads from an upstream. */
export const upstreamKey = ({
  source,
  consistencyToken,
}: Pick<Upstream, 'source' | 'consistencyToken'>): string =>
  consistencyToken === undefined ? source : `${source} ${consistencyToken}`

/**
 * The value made for an upstream earlier in the operation, or now. `kind` says what it is. The two are not
 * joined to one key, since a page of records asks for a value once for each of them.
 */
export const memoByUpstream = <T>(
  scope: Pick<RequestScope, 'memo'>,
  kind: string,
  upstream: Pick<Upstream, 'source' | 'consistencyToken'>,
  make: () => T,
): T => scope.memo(kind, createMemo).get(typedKey<T>(upstreamKey(upstream)), make)

const keptByDefault: FetchOptions = {}

/**
 * Loads records one by one or several at once, within one operation. `many` gets the keys of one tick
 * and resolves to the records it can load, by key. `one` loads each record that `many` leaves out, and
 * all of them if `many` rejects.
 */
export function createLoader<K, V>(options: {
  keyOf: (key: K) => string
  many: (keys: readonly K[]) => Promise<ReadonlyMap<string, V>>
  one: (key: K) => Promise<V | null>
}): (key: K) => Promise<V | null> {
  // A path that cannot be sent throws at once.
  const oneOf = async (key: K) => await options.one(key)
  const loader = new DataLoader<K, V | null, string>(
    async (keys) => {
      const records = await options.many(keys).catch((): ReadonlyMap<string, V> => new Map())
      return Promise.all(
        keys.map(
          async (key) => records.get(options.keyOf(key)) ?? (await oneOf(key).catch(asError)),
        ),
      )
    },
    { cacheKeyFn: options.keyOf },
  )
  return (key) => loader.load(key)
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))
