import type { Context } from '../../graphql/builder.ts'
import type { CacheRegion } from '../../kit/cache/cache.ts'
import type { Upstream } from '../../upstream/client.ts'

/** Milliseconds after which what was not found is looked for again: the chain may have begun since. */
const notFoundMs = 60_000

/**
 * The value that the responses of an indexer show, as `find` has found it. What was found is kept. What was not is
 * looked for again after a minute, and the answer is not kept for longer either.
 */
export function shownBy<T>(
  { scope }: Pick<Context, 'scope'>,
  { source }: Pick<Upstream, 'source'>,
  shown: {
    /** The values by the sources of the responses. */
    readonly region: CacheRegion<T>
    readonly find: () => Promise<T>
    readonly isFound: (value: T) => boolean
  },
): T | Promise<T> {
  const values = scope.cachedValues(shown.region)
  const known = values.get(source)
  if (known !== undefined) return known
  return shown.find().then((value) => {
    values.set(source, value, shown.isFound(value) ? undefined : notFoundMs)
    return value
  })
}
