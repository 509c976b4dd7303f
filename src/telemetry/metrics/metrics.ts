import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { CacheStore } from '../../kit/cache/cache.ts'
import { type RefusingLimit, refusingLimits } from '../../upstream/error.ts'
import type { UpstreamEvents } from '../../upstream/events.ts'
import type { OperationEvent } from '../telemetry.ts'
import { addCacheMetrics } from './cacheMetrics.ts'
import { createNameLabel } from './operationNames.ts'
import { createCounterFamily, createHistogramFamily, type MetricValues } from './series.ts'

/** A metric whose values are read when the metrics are read. */
export interface Collected {
  readonly name: string
  readonly help: string
  readonly kind: 'gauge' | 'counter'
  /** The label that tells the values apart. */
  readonly label: string
  /** How the values of several processes are joined. Default: they are added. */
  readonly joined?: 'sum' | 'min'
  /** Each value with the value of the label. Those of a counter never decrease. */
  readonly read: () => Iterable<readonly [string, number]>
}

/** Metrics in the text format of Prometheus. */
export interface Metrics extends Omit<UpstreamEvents, 'onOpen'> {
  readonly contentType: string
  onOperation(event: OperationEvent): void
  /** Counts an operation that graphql-js runs, because it is not compiled. */
  onFallback(reason: string): void
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

const seconds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const points = [1, 10, 50, 100, 500, 1_000, 5_000, 10_000, 20_000]

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

  const upstream = createHistogramFamily({
    name: 'portolan_upstream_request_duration_seconds',
    help: 'Duration of upstream requests, by service and by HTTP status or error code.',
    labels: ['service', 'outcome'],
    buckets: seconds,
  })
  const queueWait = createHistogramFamily({
    name: 'portolan_upstream_queue_wait_seconds',
    help: 'Time that upstream requests waited for their turn, by service.',
    labels: ['service'],
    buckets: seconds,
  })
  const operation = createHistogramFamily({
    name: 'portolan_operation_duration_seconds',
    help: 'Duration of operations, by type and by the code of the first error. A subscription counts until it starts.',
    labels: ['type', 'outcome'],
    buckets: seconds,
  })
  const cost = createHistogramFamily({
    name: 'portolan_operation_cost_points',
    help: 'Cost of valid operations, in points.',
    buckets: points,
  })
  const histograms = [upstream, queueWait, operation, cost]

  const counter = (name: string, help: string, ...labels: string[]) =>
    createCounterFamily(registry, { name, help, labels })
  const operations = counter(
    'portolan_operations_total',
    'Operations by name, type and outcome. After the first 200 names, others are counted as "other".',
    ...['name', 'type', 'outcome'],
  )
  const refusals = counter(
    'portolan_refusals_total',
    'What was refused because of a limit, by the limit.',
    'limit',
  )
  // A rate over time shows the first refusal only if the series was there before.
  for (const limit of refusingLimits) refusals.add(0, limit)
  const fallback = counter(
    'portolan_executor_fallbacks_total',
    'Operations that are not compiled but run by graphql-js, by reason.',
    'reason',
  )
  const coalesced = counter(
    'portolan_upstream_coalesced_requests_total',
    'Requests that joined an equal upstream request under way, by service.',
    'service',
  )
  const retries = counter(
    'portolan_upstream_retries_total',
    'Repeated attempts of upstream requests, by service.',
    'service',
  )
  const nameLabel = createNameLabel()

  return {
    contentType: registry.contentType,
    onAttempt: ({ service, outcome, seconds }) => upstream.observe(seconds, service, outcome),
    onQueued: (service, seconds) => queueWait.observe(seconds, service),
    onCoalesced: (service) => coalesced.inc(service),
    onRetry: (service) => retries.inc(service),
    onOperation({ type, name, outcome, seconds, cost: points }) {
      operation.observe(seconds, type, outcome)
      operations.inc(nameLabel(name), type, outcome)
      if (points !== undefined) cost.observe(points)
    },
    onFallback: (reason) => fallback.inc(reason),
    onRefusal: (limit) => refusals.inc(limit),
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
    async text() {
      return [await registry.metrics(), ...histograms.map((family) => family.text())].join('\n')
    },
    async values() {
      const metrics = await registry.getMetricsAsJSON()
      return [
        // The type is a text, whatever the types of prom-client say.
        ...metrics.map((metric) => ({ ...metric, type: String(metric.type) })),
        ...histograms.map((family) => family.values()),
      ]
    },
    // The observer of garbage collections, which nothing can end, leads to this registry.
    close: () => registry.clear(),
  }
}
