import { setMaxListeners } from 'node:events'
import DataLoader from 'dataloader'
import type { Upstream } from './client.ts'
import { requestKey, type UpstreamRequest } from './request.ts'

/** What one operation shares: equal requests are sent once, and all end with its signal. */
export interface RequestScope {
  /** Aborts when the client leaves or the operation's deadline passes. */
  readonly signal: AbortSignal
  /** Null when the upstream answered 404; equal calls of one operation share one answer. */
  fetch<T>(upstream: Upstream, call: UpstreamRequest<T>): Promise<T | null>
  /** The value made for this key earlier in the operation, or now. */
  memo<T>(key: string, make: () => T): T
}

interface Request {
  readonly upstream: Upstream
  readonly call: UpstreamRequest<unknown>
}

/** Opens the scope of one operation, or of one event of a subscription. */
export function createRequestScope(signal: AbortSignal): RequestScope {
  // Every request under way listens, and Node takes more than ten listeners for a leak.
  setMaxListeners(0, signal)
  const values = new Map<string, unknown>()
  const requests = new DataLoader<Request, unknown, string>(
    (batch) =>
      Promise.all(
        batch.map(({ upstream, call }) =>
          // An Error as a value rejects its own key only.
          upstream.send(call, signal).catch(asError),
        ),
      ),
    { cacheKeyFn: ({ upstream, call }) => `${upstream.service} ${requestKey(call)}` },
  )
  return {
    signal,
    fetch: (upstream, call) => requests.load({ upstream, call }) as Promise<never>,
    memo<T>(key: string, make: () => T): T {
      if (!values.has(key)) values.set(key, make())
      return values.get(key) as T
    },
  }
}

/**
 * Loads records one by one or several at once, within one operation. `many` answers what it can of a
 * tick's keys, by key; what it leaves out, or fails at, is asked of `one`.
 */
export function createLoader<K, V>(options: {
  keyOf: (key: K) => string
  many: (keys: readonly K[]) => Promise<ReadonlyMap<string, V>>
  one: (key: K) => Promise<V | null>
}): (key: K) => Promise<V | null> {
  const loader = new DataLoader<K, V | null, string>(
    async (keys) => {
      const found = await options.many(keys).catch((): ReadonlyMap<string, V> => new Map())
      return Promise.all(
        keys.map(
          async (key) => found.get(options.keyOf(key)) ?? (await options.one(key).catch(asError)),
        ),
      )
    },
    { cacheKeyFn: options.keyOf },
  )
  return (key) => loader.load(key)
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))
