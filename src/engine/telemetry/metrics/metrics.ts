import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Cache, CacheStore } from '../../../kit/cache/cache.ts'
import { type RefusingLimit, refusingLimits } from '../../upstream/error.ts'
import type { UpstreamEvents, UpstreamLoad } from '../../upstream/upstreamOptions.ts'
import type { OperationEvent } from '../telemetry.ts'
import type { UpstreamHealth } from '../upstreamHealth.ts'
import { type MetricName, metricRow, metricTable } from './metricTable.ts'

/** A metric whose values are read when the metrics are read. */
export interface Collected {
  readonly name: string
  readonly help: string
  readonly kind: 'gauge' | 'counter'
  readonly label: string
  /** Each value with the value of the label. Those of a counter never decrease. */
  readonly read: () => Iterable<readonly [string, number]>
}

/** Metrics in the text format of Prometheus. */
export interface Metrics extends Omit<UpstreamEvents, 'onOpen'> {
  readonly contentType: string
  onOperation(event: OperationEvent): void
  /** Counts what a limit refuses: an operation, a field, a request or a connection. */
  onRefusal(limit: RefusingLimit): void
  /** Adds a gauge. `read` is called whenever the metrics are read. */
  gauge(name: string, help: string, read: () => number): void
  /** Adds hits, misses and bytes of the caches of a store. */
  caches(store: CacheStore): void
  /** Adds a metric with a value for each of several things. */
  collect(metric: Collected): void
  text(): Promise<string>
  /** Drops all metrics, and what they read. Node holds some of them until the process ends. */
  close(): void
}

/** Metrics of the process, the upstream requests and the operations. `version` is that of the program. */
export function createMetrics({ version = 'unknown' }: { version?: string } = {}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const { help, labels } = metricTable.portolan_build_info
  const buildInfo = new Gauge({
    name: 'portolan_build_info',
    help,
    labelNames: labels,
    registers: [registry],
  })
  buildInfo.set({ version, node: process.version }, 1)

  const families = createFamilies(registry)
  const nameLabel = createNameLabel()

  const metrics: Metrics = {
    contentType: registry.contentType,
    onAttempt: ({ service, outcome, seconds }) => families.upstream.observe({ service, outcome }, seconds),
    onQueued: (service, seconds) => families.queueWait.observe({ service }, seconds),
    onCoalesced: (service) => families.coalesced.inc({ service }),
    onRetry: (service) => families.retries.inc({ service }),
    onOperation({ type, name, outcome, seconds, cost: points }) {
      families.operation.observe({ type, outcome }, seconds)
      families.operations.inc({ name: nameLabel(name), type, outcome })
      if (points !== undefined) families.cost.observe(points)
    },
    onRefusal: (limit) => families.refusals.inc({ limit }),
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
    collect({ kind, label, read, ...names }) {
      const Metric = kind === 'gauge' ? Gauge : Counter
      new Metric({
        ...names,
        labelNames: [label],
        registers: [registry],
        collect() {
          this.reset()
          for (const [value, number] of read()) this.inc({ [label]: value }, number)
        },
      })
    },
    caches: (store) => addCacheMetrics(metrics, store),
    text: () => registry.metrics(),
    // The observer of garbage collections, which nothing can end, leads to this registry.
    close: () => registry.clear(),
  }
  return metrics
}

/** Creates the metrics of upstream requests and operations in a registry. */
function createFamilies(registry: Registry) {
  const optionsOf = (name: MetricName) => {
    const { help, labels = [], buckets = [] } = metricRow(name)
    return { name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] }
  }
  const counter = (name: MetricName) => new Counter(optionsOf(name))
  const histogram = (name: MetricName) => new Histogram(optionsOf(name))
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
  for (const limit of refusingLimits) families.refusals.inc({ limit }, 0)
  return families
}

/** Adds a gauge of the table, with one value. */
export function addGauge(metrics: Pick<Metrics, 'gauge'>, name: MetricName, read: () => number): void {
  metrics.gauge(name, metricRow(name).help, read)
}

/** Adds a gauge or a counter of the table, with a value for each value of its label. */
export function addLabelled(metrics: Pick<Metrics, 'collect'>, name: MetricName, read: Collected['read']): void {
  const { kind, help, labels: [label = ''] = [] } = metricRow(name)
  metrics.collect({
    name,
    help,
    kind: kind === 'counter' ? kind : 'gauge',
    label,
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
