import { Counter, Gauge, type Registry } from 'prom-client'
import type { Cache, CacheStore } from '../../kit/cache/cache.ts'

/** Adds hits, misses and bytes of caches that are bounded by bytes, and the entries of all. They are read with the metrics. */
export function addCacheMetrics(registry: Registry, { regions }: CacheStore): void {
  const add = (
    Metric: typeof Counter | typeof Gauge,
    name: string,
    help: string,
    read: (cache: Cache<unknown>) => number,
    isForAll = false,
  ) => {
    new Metric({
      name,
      help,
      labelNames: ['cache'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [cache, region] of regions) {
          if (isForAll || region.isBoundedByBytes) this.inc({ cache }, read(region))
        }
      },
    })
  }
  add(Counter, 'portolan_cache_hits_total', 'Values found in a cache.', ({ hits }) => hits)
  add(
    Counter,
    'portolan_cache_misses_total',
    'Values not found in a cache.',
    ({ misses }) => misses,
  )
  add(Gauge, 'portolan_cache_bytes', 'Bytes that a cache takes up, roughly.', ({ bytes }) => bytes)
  add(Gauge, 'portolan_cache_entries', 'Values in a cache.', ({ size }) => size, true)
}
