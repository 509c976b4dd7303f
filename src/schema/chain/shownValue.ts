import type { CacheRegion } from '../../cache/cache.ts'
import type { Context } from '../../graphql/builder.ts'
import type { Upstream } from '../../upstream/client.ts'

/** A value that the responses of an indexer have shown, until a time of the clock. */
interface Shown<T> {
  readonly value: T
  readonly until: number
}

/** Values that responses of indexers show, by the sources that these are from. */
export type ShownRegion<T> = CacheRegion<Shown<T>>

/** Milliseconds after which what was not found is looked for again: the chain may have begun since. */
const notFoundMs = 60_000

/**
 * The value that the responses of an indexer show, as `find` has found it. What was found is kept. What was not is
 * looked for again after a minute, and the answer is not kept for longer either.
 */
export function shownBy<T>(
  { cache, clock, scope }: Pick<Context, 'cache' | 'clock' | 'scope'>,
  { source }: Pick<Upstream, 'source'>,
  shown: {
    readonly region: ShownRegion<T>
    readonly find: () => Promise<T>
    readonly isFound: (value: T) => boolean
  },
): T | Promise<T> {
  const values = cache.open(shown.region)
  const known = values.get(source)
  if (known) {
    scope.limitFreshness(known.until)
    return known.value
  }
  return shown.find().then((value) => {
    const ttlMs = shown.isFound(value) ? Number.POSITIVE_INFINITY : notFoundMs
    const until = clock.now() + ttlMs
    scope.limitFreshness(until)
    values.set(source, { value, until }, 1, Number.isFinite(ttlMs) ? ttlMs : undefined)
    return value
  })
}
