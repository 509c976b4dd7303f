import { AggregatorRegistry } from 'prom-client'
import type { Clock } from '../../../kit/clock/clock.ts'
import type { MetricValues } from './series.ts'

export type ProcessMetrics = readonly MetricValues[]

/** The metrics of several processes as one text. */
export interface JoinedMetrics {
  /**
   * Joins the values of the processes that are running, in the text format of Prometheus. They are added;
   * of an event loop's lag, the highest counts.
   */
  text(running: readonly ProcessMetrics[]): Promise<string>
  /** Keeps what a process that has ended has counted, so that no counter falls. */
  keep(ended: ProcessMetrics): void
}

/** Joins the metrics of workers. A worker may end and be replaced. */
export function createJoinedMetrics(): JoinedMetrics {
  let kept: Promise<ProcessMetrics> = Promise.resolve([])
  const add = async (before: ProcessMetrics, ended: ProcessMetrics): Promise<ProcessMetrics> => {
    const counted = ended.filter(({ type }) => type === 'counter' || type === 'histogram')
    const metrics = await AggregatorRegistry.aggregate([before, counted]).getMetricsAsJSON()
    return metrics.map((metric) => ({ ...metric, type: String(metric.type) }))
  }
  return {
    async text(running) {
      return AggregatorRegistry.aggregate([await kept, ...running.map(withHighest)]).metrics()
    },
    keep(ended) {
      kept = kept.then((before) => add(before, ended))
    },
  }
}

/** A mean would hide that one of several event loops is blocked. */
const withHighest = (metrics: ProcessMetrics): ProcessMetrics =>
  metrics.map((metric) => (metric.aggregator === 'average' ? { ...metric, aggregator: 'max' } : metric))

/** Milliseconds that a process has to send its metrics. After that, its last ones are used. */
const lateMs = 2_000

/** The metrics of another process, which sends them each time after `ask` was called. */
export function createAskedMetrics(clock: Clock, ask: () => void) {
  const readers = new Set<() => void>()
  let last: ProcessMetrics = []
  return {
    get last(): ProcessMetrics {
      return last
    },
    receive(values: ProcessMetrics): void {
      last = values
      for (const read of readers) read()
    },
    read: (): Promise<ProcessMetrics> =>
      new Promise((resolve) => {
        const read = () => {
          cancel()
          readers.delete(read)
          resolve(last)
        }
        const cancel = clock.after(lateMs, read)
        readers.add(read)
        ask()
      }),
  }
}
