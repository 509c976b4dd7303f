import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { CacheStore } from '../../kit/cache/cache.ts'
import type { RefusingLimit } from '../../upstream/error.ts'
import type { UpstreamEvents } from '../../upstream/events.ts'
import type { OperationEvent } from '../telemetry.ts'
import { addCacheMetrics } from './cacheMetrics.ts'
import { createFamilies } from './families.ts'
import { createNameLabel } from './operationNames.ts'

/** A metric whose values are read when the metrics are read. */
export interface Collected {
  readonly name: string
  readonly help: string
  readonly kind: 'gauge' | 'counter'
  /** The label of the values. */
  readonly label: string
  /** How the values of several processes are joined. Default: they are added. */
  readonly joined?: 'sum' | 'min'
  /** Each value with the value of the label. Those of a counter never decrease. */
  readonly read: () => Iterable<readonly [string, number]>
}

/** A metric of one process, in the form of prom-client's `getMetricsAsJSON`. */
export interface MetricValues {
  readonly name: string
  readonly help: string
  readonly type: string
  /** How prom-client joins the values of several processes. */
  readonly aggregator: string
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Partial<Record<string, string | number>>>
    /** The name of the series, where it is not that of the metric. */
    readonly metricName?: string
  }[]
}

/** Metrics in the text format of Prometheus. */
export interface Metrics extends Omit<UpstreamEvents, 'onOpen'> {
  readonly contentType: string
  onOperation(event: OperationEvent): void
  /** Counts what a limit refuses: an operation, a field, a request or a connection. */
  onRefusal(limit: RefusingLimit): void
  /**
   * Adds a gauge. `read` is called whenever the metrics are read. The values of several processes are added,
   * unless `joined` says otherwise.
   */
  gauge(name: string, help: string, read: () => number, joined?: Collected['joined']): void
  /** Adds hits, misses and bytes of the caches of a store. */
  caches(store: CacheStore): void
  /** Adds a metric with a value for each of several things. */
  collect(metric: Collected): void
  text(): Promise<string>
  /** The values of this process, to be joined with those of others. */
  values(): Promise<readonly MetricValues[]>
  /** Drops all metrics, and what they read. Node holds some of them until the process ends. */
  close(): void
}

/** Metrics of the process, the upstream requests and the operations. `version` is that of the program. */
export function createMetrics({ version = 'unknown' }: { version?: string } = {}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'portolan_build_info',
    help: 'Always 1. The labels are the versions of Portolan and Node.',
    labelNames: ['version', 'node'],
    registers: [registry],
    aggregator: 'first',
  }).set({ version, node: process.version }, 1)

  const families = createFamilies(registry)
  const nameLabel = createNameLabel()

  return {
    contentType: registry.contentType,
    onAttempt: ({ service, outcome, seconds }) =>
      families.upstream.observe({ service, outcome }, seconds),
    onQueued: (service, seconds) => families.queueWait.observe({ service }, seconds),
    onCoalesced: (service) => families.coalesced.inc({ service }),
    onRetry: (service) => families.retries.inc({ service }),
    onOperation({ type, name, outcome, seconds, cost: points }) {
      families.operation.observe({ type, outcome }, seconds)
      families.operations.inc({ name: nameLabel(name), type, outcome })
      if (points !== undefined) families.cost.observe(points)
    },
    onRefusal: (limit) => families.refusals.inc({ limit }),
    gauge(name, help, read, aggregator = 'sum') {
      new Gauge({
        ...{ name, help, aggregator, registers: [registry] },
        collect() {
          this.set(read())
        },
      })
    },
    collect({ kind, label, read, joined: aggregator = 'sum', ...names }) {
      const Metric = kind === 'gauge' ? Gauge : Counter
      new Metric({
        ...{ ...names, labelNames: [label], registers: [registry], aggregator },
        collect() {
          this.reset()
          for (const [value, number] of read()) this.inc({ [label]: value }, number)
        },
      })
    },
    caches: (store) => addCacheMetrics(registry, store),
    text: () => registry.metrics(),
    async values() {
      const metrics = await registry.getMetricsAsJSON()
      // The type is a text, whatever the types of prom-client say.
      return metrics.map((metric) => ({ ...metric, type: String(metric.type) }))
    },
    // The observer of garbage collections, which nothing can end, leads to this registry.
    close: () => registry.clear(),
  }
}
