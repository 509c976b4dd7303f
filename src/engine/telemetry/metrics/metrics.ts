import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Cache, CacheStore } from '../../../kit/cache/cache.ts'
import { type RefusingLimit, refusingLimits } from '../../upstream/error.ts'
import type { UpstreamEvents } from '../../upstream/upstreamOptions.ts'
import type { OperationEvent } from '../telemetry.ts'

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
    /** The name of the series, where it differs from the name of the metric. */
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
    caches: (store) => addCacheMetrics(registry, store),
    text: () => registry.metrics(),
    async values() {
      const metrics = await registry.getMetricsAsJSON()
      // The type is a text, although the types of prom-client say otherwise.
      return metrics.map((metric) => ({ ...metric, type: String(metric.type) }))
    },
    // The observer of garbage collections, which nothing can end, leads to this registry.
    close: () => registry.clear(),
  }
}

const seconds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const points = [1, 10, 50, 100, 500, 1_000, 5_000, 10_000, 20_000]

/** Creates the metrics of upstream requests and operations in a registry. */
function createFamilies(registry: Registry) {
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name, help, buckets, labelNames, registers: [registry] })
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers: [registry] })
  const families = {
    upstream: histogram(
      'portolan_upstream_request_duration_seconds',
      'Duration of upstream requests, by service and by HTTP status or error code.',
      seconds,
      ...['service', 'outcome'],
    ),
    queueWait: histogram(
      'portolan_upstream_queue_wait_seconds',
      'Time that upstream requests waited for their turn, by service.',
      seconds,
      'service',
    ),
    operation: histogram(
      'portolan_operation_duration_seconds',
      'Duration of operations, by type and by the code of the first error. A subscription counts until it starts.',
      seconds,
      ...['type', 'outcome'],
    ),
    cost: histogram('portolan_operation_cost_points', 'Cost of valid operations, in points.', points),
    operations: counter(
      'portolan_operations_total',
      'Operations by name, type and outcome. After the first 200 names, others are counted as "other".',
      ...['name', 'type', 'outcome'],
    ),
    refusals: counter('portolan_refusals_total', 'What was refused because of a limit, by the limit.', 'limit'),
    coalesced: counter(
      'portolan_upstream_coalesced_requests_total',
      'Requests that joined an equal upstream request under way, by service.',
      'service',
    ),
    retries: counter(
      'portolan_upstream_retries_total',
      'Repeated attempts of upstream requests, by service.',
      'service',
    ),
  }
  // A rate over time shows the first refusal only if the series was there before.
  for (const limit of refusingLimits) families.refusals.inc({ limit }, 0)
  return families
}

/** Adds hits, misses and bytes of caches that are bounded by bytes, and the entries of all. They are read with the metrics. */
function addCacheMetrics(registry: Registry, { regions }: CacheStore): void {
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
  add(Counter, 'portolan_cache_misses_total', 'Values not found in a cache.', ({ misses }) => misses)
  add(Gauge, 'portolan_cache_bytes', 'Bytes that a cache takes up, roughly.', ({ bytes }) => bytes)
  add(Gauge, 'portolan_cache_entries', 'Values in a cache.', ({ size }) => size, true)
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
