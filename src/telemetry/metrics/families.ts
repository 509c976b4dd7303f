import { Counter, Histogram, type Registry } from 'prom-client'
import { refusingLimits } from '../../upstream/error.ts'

const seconds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const points = [1, 10, 50, 100, 500, 1_000, 5_000, 10_000, 20_000]

/** Creates the metrics of upstream requests and operations in a registry. */
export function createFamilies(registry: Registry) {
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
    cost: histogram(
      'portolan_operation_cost_points',
      'Cost of valid operations, in points.',
      points,
    ),
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
  // A rate over time shows the first refusal only if the series was there before.
  for (const limit of refusingLimits) families.refusals.inc({ limit }, 0)
  return families
}
