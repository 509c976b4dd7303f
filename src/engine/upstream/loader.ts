import DataLoader from 'dataloader'
import { asError } from '#kit/errors'
import { Memo, typedKey } from '../../kit/cache/typedKey.ts'
import { type Upstream, upstreamKey } from './client.ts'
import type { RequestScope } from './requestScope.ts'

const makeMemo = () => new Memo()

/**
 * The value made for an upstream earlier in the operation, or now. `kind` says what it is. The two are not
 * joined to one key, since a page of records asks for a value once for each of them.
 */
export const memoByUpstream = <T>(
  scope: Pick<RequestScope, 'memory'>,
  kind: string,
  upstream: Pick<Upstream, 'source' | 'consistencyToken'>,
  make: () => T,
): T => scope.memory.get(kind, makeMemo).get(typedKey<T>(upstreamKey(upstream)), make)

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
  const loadOne = async (key: K) => await options.one(key)
  const loader = new DataLoader<K, V | null, string>(
    async (keys) => {
      const records = await options.many(keys).catch((): ReadonlyMap<string, V> => new Map())
      return Promise.all(
        keys.map(async (key) => records.get(options.keyOf(key)) ?? (await loadOne(key).catch(asError))),
      )
    },
    { cacheKeyFn: options.keyOf },
  )
  return (key) => loader.load(key)
}
