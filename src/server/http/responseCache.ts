import type { SharedContext } from '../../engine/graphql/builder.ts'
import { createAdmission } from '../../kit/cache/admission.ts'
import type { CacheableResult } from '../operation/operation.ts'

/** Whole answers, which are sent again to a request with the same body. */
export interface ResponseCache {
  /** The answer to a body, if it is cached, still fresh, and of this epoch of the settings. */
  get(body: string): CachedAnswer | undefined
  /** Caches the answer to a body for as long as its result is fresh. */
  keep(body: string, answer: CachedAnswer): void
}

/** An answer as it is sent. */
export interface CachedAnswer {
  /** Node sends a text together with the headers, which takes less time than to send bytes after them. */
  readonly text: string
  /** Bytes of the text in UTF-8. */
  readonly length: number
  readonly result: CacheableResult
}

/** Bytes of an entry besides its body and its answer, roughly. */
const entryBytes = 512

/**
 * Opens the cache of whole answers. An answer depends only on the body and the epoch: every client gets the same
 * data, and the media type only changes a header. It caches none where one of its limits is 0.
 */
export function createResponseCache({
  cache,
  clock,
  network,
  limits: { answerCacheBytes: maxBytes, cacheTtlMs },
}: Pick<SharedContext, 'cache' | 'clock' | 'network' | 'limits'>): ResponseCache {
  if (maxBytes === 0 || cacheTtlMs === 0) return { get: () => undefined, keep() {} }
  const answers = cache.open<CachedAnswer>({ name: 'answers', maxBytes })
  const mayKeep = createAdmission(answers, maxBytes)
  return {
    get(body) {
      const answer = answers.get(body)
      return answer?.result.epoch === network.epoch ? answer : undefined
    },
    keep(body, answer) {
      if (!mayKeep(body)) return
      const ttlMs = Math.min(cacheTtlMs, answer.result.freshUntil - clock.now())
      // A character of an ASCII text takes up one byte, and of others two.
      const width = answer.length === answer.text.length ? 1 : 2
      const bytes = width * answer.text.length + 2 * body.length + entryBytes
      answers.set(body, answer, bytes, ttlMs)
    },
  }
}
