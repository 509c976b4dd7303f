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

/** The separator of values in a key. No label has it. */
const separator = '\u0000'

/**
 * Counts in a map, and hands the sums to prom-client when the metrics are read: prom-client takes 400 ns
 * to find the series of an increment, and the map 20 ns.
 */
export function createCounterFamily(registry: Registry, options: MetricOptions): CounterFamily {
  const { name, help, labels = [] } = options
  const counts = new Map<string, number>()
  new Counter({
    ...{ name, help, labelNames: [...labels], registers: [registry] },
    collect() {
      this.reset()
      for (const [key, count] of counts) this.inc(labelsOf(labels, key), count)
    },
  })
  const add = (count: number, values: readonly string[]) => {
    const key = keyOf(values)
    counts.set(key, (counts.get(key) ?? 0) + count)
  }
  return {
    inc: (...values) => add(1, values),
    add: (count, ...values) => add(count, values),
  }
}

interface Series {
  /** Observations by bucket. The last is for values above all bounds. */
  readonly counts: Float64Array
  sum: number
}

/** Cheap like counters: prom-client takes a microsecond for an observation, and an operation has several. */
export function createHistogramFamily(
  options: MetricOptions & { readonly buckets: readonly number[] },
): HistogramFamily {
  const { name, help, labels = [], buckets } = options
  const all = new Map<string, Series>()

  const valuesOf = ([key, { counts, sum }]: [string, Series]): MetricValues['values'] => {
    const own = labelsOf(labels, key)
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
  const values = () => [...all].flatMap(valuesOf)
  const line = ({ metricName, labels, value }: MetricValues['values'][number]) => {
    const pairs = Object.entries(labels).map(([label, text]) => pair(label, String(text)))
    return `${metricName}${pairs.length > 0 ? `{${pairs}}` : ''} ${value}`
  }

  return {
    observe(value, ...values) {
      const key = keyOf(values)
      let series = all.get(key)
      if (!series) {
        series = { counts: new Float64Array(buckets.length + 1), sum: 0 }
        all.set(key, series)
      }
      let index = 0
      while (index < buckets.length && value > (buckets[index] ?? 0)) index += 1
      series.counts[index] = (series.counts[index] ?? 0) + 1
      series.sum += value
    },
    text: () =>
      [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...values().map(line), ''].join('\n'),
    values: () => ({ name, help, type: 'histogram', aggregator: 'sum', values: values() }),
  }
}

const keyOf = (values: readonly string[]): string =>
  values.length === 1 ? String(values[0]) : values.join(separator)

const labelsOf = (labels: readonly string[], key: string): Record<string, string> => {
  const values = key.split(separator)
  return Object.fromEntries(labels.map((label, index) => [label, values[index] ?? '']))
}

const pair = (label: string, value: string): string =>
  `${label}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
