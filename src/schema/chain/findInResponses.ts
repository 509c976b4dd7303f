import type { Context } from '../../engine/graphql/builder.ts'
import type { Upstream } from '../../engine/upstream/client.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'

/** Milliseconds until a missing value is searched again, since the chain may have begun meanwhile. */
const notFoundMs = 60_000

/**
 * The value that `find` finds in the responses of an indexer. A found value is kept. A missing one is kept for
 * a minute, and so is the answer that depends on it.
 */
export function findInResponses<T>(
  { scope }: Pick<Context, 'scope'>,
  { source }: Pick<Upstream, 'source'>,
  shown: {
    /** The values by the sources of the responses. */
    readonly region: CacheRegion<T>
    readonly find: () => Promise<T>
    readonly isFound: (value: T) => boolean
  },
): T | Promise<T> {
  const values = scope.cache.values(shown.region)
  const known = values.get(source)
  if (known !== undefined) return known
  return shown.find().then((value) => {
    values.set(source, value, shown.isFound(value) ? undefined : notFoundMs)
    return value
  })
}
