import type { SharedContext } from '../../engine/graphql/builder.ts'
import { shareOfAnswers } from '../../engine/limits/limits.ts'
import type { CacheableResult } from '../operation/operation.ts'
import type { GraphResponse } from './fetchClasses.ts'

/** Whole answers, which are sent again to requests with the same key: see `GraphRequest`. */
export interface ResponseCache {
  /** The answer to a request, if it is cached, still fresh, and of this epoch of the settings. */
  get(key: string): CachedAnswer | undefined
  /** Caches the answer to a request for as long as its result is fresh. */
  keep(key: string, answer: CachedAnswer): void
}

/** An answer as it is sent. */
export interface CachedAnswer {
  readonly response: GraphResponse
  readonly result: CacheableResult
}

/** Bytes of an entry besides its key and its text, roughly. */
const entryBytes = 512

/**
 * Opens the cache of whole answers. An answer depends only on its request and the epoch: every client gets the same data.
 */
export function createResponseCache({
  cache,
  clock,
  network,
  limits: { cacheBytes, cacheTtlMs },
}: Pick<SharedContext, 'cache' | 'clock' | 'network' | 'limits'>): ResponseCache {
  if (cacheTtlMs === 0) return { get: () => undefined, keep() {} }
  const maxBytes = cacheBytes * shareOfAnswers
  const answers = cache.open<CachedAnswer>({ name: 'answers', maxBytes, isContested: true })
  return {
    get(key) {
      const answer = answers.get(key)
      return answer?.result.epoch === network.epoch ? answer : undefined
    },
    keep(key, answer) {
      const { text, length } = answer.response
      const ttlMs = Math.min(cacheTtlMs, answer.result.freshUntil - clock.now())
      // A character of an ASCII text takes up one byte, and of others two.
      const width = length === text.length ? 1 : 2
      answers.set(key, answer, width * text.length + 2 * key.length + entryBytes, ttlMs)
    },
  }
}
