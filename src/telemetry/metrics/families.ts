import type { Registry } from 'prom-client'
import { refusingLimits } from '../../upstream/error.ts'
import { createCounterFamily, createHistogramFamily } from './series.ts'

const seconds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const points = [1, 10, 50, 100, 500, 1_000, 5_000, 10_000, 20_000]

const createHistograms = () => ({
  upstream: createHistogramFamily({
    name: 'portolan_upstream_request_duration_seconds',
    help: 'Duration of upstream requests, by service and by HTTP status or error code.',
    labels: ['service', 'outcome'],
    buckets: seconds,
  }),
  queueWait: createHistogramFamily({
    name: 'portolan_upstream_queue_wait_seconds',
    help: 'Time that upstream requests waited for their turn, by service.',
    labels: ['service'],
    buckets: seconds,
  }),
  operation: createHistogramFamily({
    name: 'portolan_operation_duration_seconds',
    help: 'Duration of operations, by type and by the code of the first error. A subscription counts until it starts.',
    labels: ['type', 'outcome'],
    buckets: seconds,
  }),
  cost: createHistogramFamily({
    name: 'portolan_operation_cost_points',
    help: 'Cost of valid operations, in points.',
    buckets: points,
  }),
})

function createCounters(registry: Registry) {
  const counter = (name: string, help: string, ...labels: string[]) =>
    createCounterFamily(registry, { name, help, labels })
  return {
    operations: counter(
      'portolan_operations_total',
      'Operations by name, type and outcome. After the first 200 names, others are counted as "other".',
      ...['name', 'type', 'outcome'],
    ),
    refusals: counter(
      'portolan_refusals_total',
      'What was refused because of a limit, by the limit.',
      'limit',
    ),
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
}

/** Creates the metrics of upstream requests and operations. Their counters are part of the registry. */
export function createFamilies(registry: Registry) {
  const families = { histograms: createHistograms(), counters: createCounters(registry) }
  // A rate over time shows the first refusal only if the series was there before.
  for (const limit of refusingLimits) families.counters.refusals.add(0, limit)
  return families
}
