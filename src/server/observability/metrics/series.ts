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
}

/** A histogram for each combination of label values. */
export interface HistogramFamily {
  /** `values` are those of the labels, in their order. */
  observe(value: number, ...values: readonly string[]): void
  /** All series in the text format of Prometheus. */
  text(): string
}

/** What separates the values in a key. No label has it. */
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
  return {
    inc(...values) {
      const key = keyOf(values)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    },
  }
}

interface Series {
  /** Observations by bucket. The last is for values above all bounds. */
  readonly counts: Float64Array
  sum: number
}

/** As for counters: prom-client takes a microsecond for an observation, of which an operation has several. */
export function createHistogramFamily(
  options: MetricOptions & { readonly buckets: readonly number[] },
): HistogramFamily {
  const { name, help, labels = [], buckets } = options
  const all = new Map<string, Series>()

  const seriesText = ([key, { counts, sum }]: [string, Series]): string[] => {
    const own = Object.entries(labelsOf(labels, key)).map(([label, value]) => pair(label, value))
    const line = (suffix: string, value: number, more: readonly string[] = []) => {
      const pairs = [...own, ...more].join(',')
      return `${name}_${suffix}${pairs && `{${pairs}}`} ${value}`
    }
    let total = 0
    const cumulative = [...buckets.map(String), '+Inf'].map((bound, index) => {
      total += counts[index] ?? 0
      return line('bucket', total, [pair('le', bound)])
    })
    return [...cumulative, line('sum', sum), line('count', total)]
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
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} histogram`,
        ...[...all].flatMap(seriesText),
        '',
      ].join('\n'),
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
