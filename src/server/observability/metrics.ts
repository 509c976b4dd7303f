import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CacheStore } from '../../cache/cache.ts'
import type { Observation } from '../../upstream/client.ts'
import { addCacheMetrics } from './cacheMetrics.ts'
import type { OperationEvent } from './telemetry.ts'

/** Metrics in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string
  onUpstream(observation: Observation): void
  onOperation(event: OperationEvent): void
  /** Counts an operation that graphql-js runs, because it is not compiled. */
  onFallback(reason: string): void
  /** Adds a gauge. `read` is called whenever the metrics are read. */
  gauge(name: string, help: string, read: () => number): void
  /** Adds hits, misses and bytes of the caches of a store. */
  caches(store: CacheStore): void
  text(): Promise<string>
}

/** Metrics of the process, the upstream requests and the operations. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const upstream = new Histogram({
    name: 'portolan_upstream_request_seconds',
    help: 'Duration of upstream requests, by service and by HTTP status or error code.',
    labelNames: ['service', 'outcome'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  const operation = new Histogram({
    name: 'portolan_operation_seconds',
    help: 'Duration of operations, by type and by the code of the first error. A subscription counts until it starts.',
    labelNames: ['type', 'outcome'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  })
  const fallback = new Counter({
    name: 'portolan_executor_fallbacks_total',
    help: 'Operations that are not compiled but run by graphql-js, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  })
  return {
    contentType: registry.contentType,
    onUpstream: ({ service, outcome, seconds }) => upstream.observe({ service, outcome }, seconds),
    onOperation: ({ type, outcome, seconds }) => operation.observe({ type, outcome }, seconds),
    onFallback: (reason) => fallback.inc({ reason }),
    gauge(name, help, read) {
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    caches: (store) => addCacheMetrics(registry, store),
    text: () => registry.metrics(),
  }
}
