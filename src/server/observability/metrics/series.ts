import { Counter, type Registry } from 'prom-client'

/** The names and the meaning of a metric. */
export interface MetricOptions {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
}

/** A counter for each combination of label values. */
export interface CounterFamily {
  /** Adds one. The values are those of the labels, in their order. */
  inc(...values: readonly string[]): void
  add(count: number, ...values: readonly string[]): void
}

/** A histogram for each combination of label values. */
export interface HistogramFamily {
  /** `values` are those of the labels, in their order. */
  observe(value: number, ...values: readonly string[]): void
  /** All series in the text format of Prometheus. */
  text(): string
  /** The same as values, which can be added to those of other processes. */
  values(): MetricValues
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

/** One thing for each combination of label values. */
interface Series<T> {
  /** The thing of these values, which is made for the first of them. */
  at(values: readonly string[]): T
  /** All things, with their values. */
  all(): Iterable<readonly [values: readonly string[], thing: T]>
}

/** The things whose values begin alike. */
interface Branch<T> {
  readonly values: readonly string[]
  readonly next: Map<string, Branch<T>>
  thing: T | undefined
}

/** Looks values up one after another: V8 would have to hash a text that joins them each time anew. */
function createSeries<T>(make: () => T): Series<T> {
  const made: (readonly [readonly string[], T])[] = []
  const open = (values: readonly string[]): Branch<T> => ({
    values,
    next: new Map(),
    thing: undefined,
  })
  const root = open([])
  const grow = (branch: Branch<T>, value: string): Branch<T> => {
    const grown = open([...branch.values, value])
    branch.next.set(value, grown)
    return grown
  }
  return {
    at(values) {
      let branch = root
      for (const value of values) branch = branch.next.get(value) ?? grow(branch, value)
      if (branch.thing === undefined) {
        branch.thing = make()
        made.push([branch.values, branch.thing])
      }
      return branch.thing
    },
    all: () => made,
  }
}

/**
 * Counts here, and hands the sums to prom-client when the metrics are read: prom-client takes 400 ns to find
 * the series of an increment.
 */
export function createCounterFamily(registry: Registry, options: MetricOptions): CounterFamily {
  const { name, help, labels = [] } = options
  const counts = createSeries(() => ({ sum: 0 }))
  new Counter({
    ...{ name, help, labelNames: [...labels], registers: [registry] },
    collect() {
      this.reset()
      for (const [values, { sum }] of counts.all()) this.inc(labelsOf(labels, values), sum)
    },
  })
  const add = (count: number, values: readonly string[]) => {
    counts.at(values).sum += count
  }
  return {
    inc: (...values) => add(1, values),
    add: (count, ...values) => add(count, values),
  }
}

interface Observed {
  /** Observations by bucket. The last is for values above all bounds. */
  readonly counts: Float64Array
  sum: number
}

/** As for counters: prom-client takes a microsecond for an observation, of which an operation has several. */
export function createHistogramFamily(
  options: MetricOptions & { readonly buckets: readonly number[] },
): HistogramFamily {
  const { name, help, labels = [], buckets } = options
  const series = createSeries<Observed>(() => ({
    counts: new Float64Array(buckets.length + 1),
    sum: 0,
  }))

  const valuesOf = ([values, { counts, sum }]: readonly [
    readonly string[],
    Observed,
  ]): MetricValues['values'] => {
    const own = labelsOf(labels, values)
    let total = 0
    const cumulative = [...buckets.map(String), '+Inf'].map((le, index) => {
      total += counts[index] ?? 0
      return { metricName: `${name}_bucket`, labels: { ...own, le }, value: total }
    })
    return [
      ...cumulative,
      { metricName: `${name}_sum`, labels: own, value: sum },
      { metricName: `${name}_count`, labels: own, value: total },
    ]
  }
  const allValues = () => [...series.all()].flatMap(valuesOf)
  const line = ({ metricName, labels, value }: MetricValues['values'][number]) => {
    const pairs = Object.entries(labels).map(([label, text]) => pair(label, String(text)))
    return `${metricName}${pairs.length > 0 ? `{${pairs}}` : ''} ${value}`
  }

  return {
    observe(value, ...values) {
      const observed = series.at(values)
      let index = 0
      while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1
      observed.counts[index] = (observed.counts[index] ?? 0) + 1
      observed.sum += value
    },
    text: () =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...allValues().map(line), ''].join(
        '\n',
      ),
    values: () => ({ name, help, type: 'histogram', aggregator: 'sum', values: allValues() }),
  }
}

const labelsOf = (labels: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']))

const pair = (label: string, value: string): string =>
  `${label}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
