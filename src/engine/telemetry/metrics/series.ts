import { type MetricName, metricRow } from './metricTable.ts'

// prom-client checks, sorts and joins the labels of each call. The metrics that every request counts in are kept here, where
// a series is found by one look-up, and prom-client only writes them down.

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

type Values = MetricValues['values']

/** The state of a metric for one combination of the values of its labels. */
interface Series<State> {
  readonly values: LabelValues
  readonly state: State
}

/** The values of up to three labels, in the order of the table. */
type LabelValues = readonly [first?: string, second?: string, third?: string]

/** A metric of the table with a state for each combination of the values of its labels. */
abstract class SeriesMetric<State> {
  readonly name: MetricName
  readonly #series = new Map<string, Series<State>>()
  /** Most requests count in the same series as the one before. */
  #last: Series<State> | undefined

  constructor(name: MetricName) {
    this.name = name
  }

  protected at(first?: string, second?: string, third?: string): State {
    const last = this.#last
    if (last && last.values[0] === first && last.values[1] === second && last.values[2] === third) return last.state
    const key = `${first}\0${second}\0${third}`
    const series = this.#series.get(key) ?? { values: [first, second, third], state: this.begin() }
    this.#series.set(key, series)
    this.#last = series
    return series.state
  }

  protected abstract begin(): State

  protected abstract write(state: State, labels: Readonly<Record<string, string>>): Values

  /** The values as prom-client's own metrics give them to a registry. */
  async get(): Promise<MetricValues> {
    const { help, kind: type, joined: aggregator = 'sum', labels = [] } = metricRow(this.name)
    // A metric without labels has its series before its first value.
    if (labels.length === 0) this.at()
    const values = [...this.#series.values()].flatMap(({ state, values: own }) =>
      this.write(state, Object.fromEntries(labels.map((label, i) => [label, own[i] ?? '']))),
    )
    return { name: this.name, help, type, aggregator, values }
  }
}

/** A counter of the table. */
export class CounterSeries extends SeriesMetric<{ count: number }> {
  add(number: number, ...labels: LabelValues): void {
    this.at(...labels).count += number
  }

  protected begin() {
    return { count: 0 }
  }

  protected write({ count }: { count: number }, labels: Readonly<Record<string, string>>): Values {
    return [{ value: count, labels }]
  }
}

/** What a histogram has observed: how often a value was in each bucket and beyond the last one, and their sum. */
interface Observed {
  readonly counts: number[]
  sum: number
}

/** A histogram of the table. */
export class HistogramSeries extends SeriesMetric<Observed> {
  readonly #bounds: readonly number[]

  constructor(name: MetricName) {
    super(name)
    this.#bounds = metricRow(name).buckets ?? []
  }

  observe(value: number, ...labels: LabelValues): void {
    const observed = this.at(...labels)
    let bucket = 0
    while (value > (this.#bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
    observed.counts[bucket] = (observed.counts[bucket] ?? 0) + 1
    observed.sum += value
  }

  protected begin(): Observed {
    return { counts: new Array(this.#bounds.length + 1).fill(0), sum: 0 }
  }

  /** Each bucket counts the values of the buckets before it too. */
  protected write({ counts, sum }: Observed, labels: Readonly<Record<string, string>>): Values {
    let count = 0
    const buckets = counts.map((own, i) => {
      count += own
      return { value: count, labels: { le: this.#bounds[i] ?? '+Inf', ...labels }, metricName: `${this.name}_bucket` }
    })
    const total = (metricName: string, value: number) => ({ value, labels, metricName: `${this.name}_${metricName}` })
    return [...buckets, total('sum', sum), total('count', count)]
  }
}
