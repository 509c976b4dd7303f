import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import type { Cache, CacheStore } from '../../../kit/cache/cache.ts'
import { type RefusingLimit, refusingLimits } from '../../upstream/error.ts'
import type { UpstreamEvents, UpstreamLoad } from '../../upstream/upstreamOptions.ts'
import type { OperationEvent } from '../telemetry.ts'
import type { UpstreamHealth } from '../upstreamHealth.ts'
import { type MetricName, metricRow, metricTable } from './metricTable.ts'
import { CounterSeries, HistogramSeries, type MetricValues } from './series.ts'

/** A metric whose values are read when the metrics are read. */
export interface Collected {
  readonly name: string
  readonly help: string
  readonly kind: 'gauge' | 'counter'
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
  const { help, labels, joined: aggregator } = metricTable.portolan_build_info
  const buildInfo = new Gauge({
    name: 'portolan_build_info',
    help,
    aggregator,
    labelNames: labels,
    registers: [registry],
  })
  buildInfo.set({ version, node: process.version }, 1)

  const families = createFamilies(registry)
  const nameLabel = createNameLabel()

  const metrics: Metrics = {
    contentType: registry.contentType,
    onAttempt: ({ service, outcome, seconds }) => families.upstream.observe(seconds, service, outcome),
    onQueued: (service, seconds) => families.queueWait.observe(seconds, service),
    onCoalesced: (service) => families.coalesced.add(1, service),
    onRetry: (service) => families.retries.add(1, service),
    onOperation({ type, name, outcome, seconds, cost: points }) {
      families.operation.observe(seconds, type, outcome)
      families.operations.add(1, nameLabel(name), type, outcome)
      if (points !== undefined) families.cost.observe(points)
    },
    onRefusal: (limit) => families.refusals.add(1, limit),
    gauge(name, help, read, aggregator = 'sum') {
      new Gauge({
        name,
        help,
        aggregator,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
    collect({ kind, label, read, joined: aggregator = 'sum', ...names }) {
      const Metric = kind === 'gauge' ? Gauge : Counter
      new Metric({
        ...names,
        labelNames: [label],
        registers: [registry],
        aggregator,
        collect() {
          this.reset()
          for (const [value, number] of read()) this.inc({ [label]: value }, number)
        },
      })
    },
    caches: (store) => addCacheMetrics(metrics, store),
    text: () => registry.metrics(),
    async values() {
      const metrics = await registry.getMetricsAsJSON()
      // The type is a text, although the types of prom-client say otherwise.
      return metrics.map((metric) => ({ ...metric, type: String(metric.type) }))
    },
    // The observer of garbage collections, which nothing can end, leads to this registry.
    close: () => registry.clear(),
  }
  return metrics
}

/** Creates the metrics of upstream requests and operations in a registry. */
function createFamilies(registry: Registry) {
  const add = <T extends CounterSeries | HistogramSeries>(metric: T): T => {
    // A registry reads no more of a metric than its name and its values.
    registry.registerMetric(metric as unknown as Metric)
    return metric
  }
  const counter = (name: MetricName) => add(new CounterSeries(name))
  const histogram = (name: MetricName) => add(new HistogramSeries(name))
  const families = {
    upstream: histogram('portolan_upstream_request_duration_seconds'),
    queueWait: histogram('portolan_upstream_queue_wait_seconds'),
    operation: histogram('portolan_operation_duration_seconds'),
    cost: histogram('portolan_operation_cost_points'),
    operations: counter('portolan_operations_total'),
    refusals: counter('portolan_refusals_total'),
    coalesced: counter('portolan_upstream_coalesced_requests_total'),
    retries: counter('portolan_upstream_retries_total'),
  }
  // A rate over time shows the first refusal only if the series was there before.
  for (const limit of refusingLimits) families.refusals.add(0, limit)
  return families
}

/** Adds a gauge of the table, with one value. */
export function addGauge(metrics: Pick<Metrics, 'gauge'>, name: MetricName, read: () => number): void {
  const { help, joined } = metricRow(name)
  metrics.gauge(name, help, read, joined === 'min' ? joined : 'sum')
}

/** Adds a gauge or a counter of the table, with a value for each value of its label. */
export function addLabelled(metrics: Pick<Metrics, 'collect'>, name: MetricName, read: Collected['read']): void {
  const { kind, help, labels: [label = ''] = [], joined } = metricRow(name)
  metrics.collect({
    name,
    help,
    kind: kind === 'counter' ? kind : 'gauge',
    label,
    joined: joined === 'min' ? joined : 'sum',
    read,
  })
}

/** Adds hits, misses and bytes of caches that are bounded by bytes, and the entries of all. They are read with the metrics. */
function addCacheMetrics(metrics: Pick<Metrics, 'collect'>, { regions }: CacheStore): void {
  const add = (name: MetricName, read: (cache: Cache<unknown>) => number, isForAll = false) =>
    addLabelled(metrics, name, () =>
      [...regions]
        .filter(([, region]) => isForAll || region.isBoundedByBytes)
        .map(([cache, region]) => [cache, read(region)] as const),
    )
  add('portolan_cache_hits_total', ({ hits }) => hits)
  add('portolan_cache_misses_total', ({ misses }) => misses)
  add('portolan_cache_bytes', ({ bytes }) => bytes)
  add('portolan_cache_entries', ({ size }) => size, true)
}

/** Passes the events of upstreams on to the metrics and the health, and adds the gauges of their load. */
export function createUpstreamEvents(metrics: Metrics, health: UpstreamHealth): UpstreamEvents {
  const loads = new Map<string, UpstreamLoad>()
  const gauge = (name: MetricName, read: (service: string, load: UpstreamLoad) => number) =>
    addLabelled(metrics, name, () => [...loads].map(([service, load]) => [service, read(service, load)] as const))
  gauge('portolan_upstream_up', (service) => (health.of(service).status === 'down' ? 0 : 1))
  gauge('portolan_upstream_requests_in_flight', (_service, load) => load.inFlight)
  gauge('portolan_upstream_queue_length', (_service, load) => load.waiting)
  gauge('portolan_upstream_open_circuits', (_service, load) => load.openCircuits)
  return {
    onOpen: (service, load) => void loads.set(service, load),
    onAttempt(observation) {
      metrics.onAttempt(observation)
      health.onAttempt(observation)
    },
    onQueued: metrics.onQueued,
    onCoalesced: metrics.onCoalesced,
    onRetry: metrics.onRetry,
  }
}

/** Names of operations as values of a label. A label must not have too many values. */
export type NameLabel = (name: string | undefined) => string

/** Names that get a series of their own. */
const maxNames = 200

/** Longer names are counted as `other`. */
const maxLength = 64

/**
 * The first names that clients use are kept as they are. All others are `other`, since clients choose the
 * names and each one costs memory here and in Prometheus. Operations without a name are `anonymous`.
 */
export function createNameLabel(): NameLabel {
  const names = new Set<string>()
  return (name) => {
    if (name === undefined) return 'anonymous'
    if (names.has(name)) return name
    if (names.size >= maxNames || name.length > maxLength) return 'other'
    names.add(name)
    return name
  }
}
