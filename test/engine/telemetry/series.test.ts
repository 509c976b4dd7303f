import { array, assert, asyncProperty, constantFrom, double, oneof, record } from 'fast-check'
import { Counter, Histogram, type Metric, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { metricRow } from '../../../src/engine/telemetry/metrics/metricTable.ts'
import { CounterSeries, HistogramSeries } from '../../../src/engine/telemetry/metrics/series.ts'
import { runs } from '../../support/property.ts'

const operations = 'portolan_operations_total'
const durations = 'portolan_operation_duration_seconds'
const costs = 'portolan_operation_cost_points'

/** prom-client's own metric of the same row, as the oracle. */
const rowOf = (name: typeof operations | typeof durations | typeof costs) => {
  const { help, labels = [], joined: aggregator = 'sum', buckets = [] } = metricRow(name)
  return { name, help, aggregator, labelNames: [...labels], buckets: [...buckets], registers: [] }
}

const event = record({
  name: constantFrom('Page', 'other', 'anonymous', 'a"b\\c'),
  type: constantFrom('query', 'mutation', 'none'),
  outcome: constantFrom('ok', 'CANCELLED', 'BAD_USER_INPUT'),
  // The bounds of buckets belong to the buckets.
  seconds: oneof(double({ min: 0, max: 20, noNaN: true }), constantFrom(0, 0.001, 0.25, 15, 15.1)),
})

test('series are written as those of prom-client', async () => {
  const property = asyncProperty(array(event, { maxLength: 30 }), async (events) => {
    const own = [new CounterSeries(operations), new HistogramSeries(durations), new HistogramSeries(costs)] as const
    const theirs = [
      new Counter(rowOf(operations)),
      new Histogram(rowOf(durations)),
      new Histogram(rowOf(costs)),
    ] as const
    for (const { name, type, outcome, seconds } of events) {
      own[0].add(1, name, type, outcome)
      theirs[0].inc({ name, type, outcome })
      own[1].observe(seconds, type, outcome)
      theirs[1].observe({ type, outcome }, seconds)
      own[2].observe(seconds * 1_000)
      theirs[2].observe(seconds * 1_000)
    }
    const [ours, oracle] = [new Registry(), new Registry()]
    for (const metric of own) ours.registerMetric(metric as unknown as Metric)
    for (const metric of theirs) oracle.registerMetric(metric)
    const [written, expected] = await Promise.all([ours, oracle].map((registry) => registry.metrics()))
    expect(written).toBe(expected)
  })
  await assert(property, { numRuns: runs(200), endOnFailure: true })
})
