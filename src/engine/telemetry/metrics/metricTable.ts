/** What a metric is called where it is read, and what it is. */
export interface MetricRow {
  readonly kind: 'gauge' | 'counter' | 'histogram'
  readonly help: string
  readonly labels?: readonly string[]
  /** The upper bounds of the buckets of a histogram. */
  readonly buckets?: readonly number[]
}

const seconds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15]
const points = [1, 10, 50, 100, 500, 1_000, 5_000, 10_000, 20_000]

/** Every metric of Portolan. A new one is a row here, its use, and a row in docs/operating/metrics.md. */
export const metricTable = {
  portolan_build_info: {
    kind: 'gauge',
    help: 'Always 1. The labels are the versions of Portolan and Node.',
    labels: ['version', 'node'],
  },
  portolan_upstream_request_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of upstream requests, by service and by HTTP status or error code.',
    labels: ['service', 'outcome'],
    buckets: seconds,
  },
  portolan_upstream_queue_wait_seconds: {
    kind: 'histogram',
    help: 'Time that upstream requests waited for their turn, by service.',
    labels: ['service'],
    buckets: seconds,
  },
  portolan_operation_duration_seconds: {
    kind: 'histogram',
    help: 'Duration of operations, by type and by the code of the first error. A subscription counts until it starts.',
    labels: ['type', 'outcome'],
    buckets: seconds,
  },
  portolan_operation_cost_points: { kind: 'histogram', help: 'Cost of valid operations, in points.', buckets: points },
  portolan_operations_total: {
    kind: 'counter',
    help: 'Operations by name, type and outcome. After the first 200 names, others are counted as "other".',
    labels: ['name', 'type', 'outcome'],
  },
  portolan_refusals_total: {
    kind: 'counter',
    help: 'What was refused because of a limit, by the limit.',
    labels: ['limit'],
  },
  portolan_upstream_coalesced_requests_total: {
    kind: 'counter',
    help: 'Requests that joined an equal upstream request under way, by service.',
    labels: ['service'],
  },
  portolan_upstream_retries_total: {
    kind: 'counter',
    help: 'Repeated attempts of upstream requests, by service.',
    labels: ['service'],
  },
  portolan_upstream_up: {
    kind: 'gauge',
    help: '0 if the last requests to the upstream failed, else 1.',
    labels: ['service'],
  },
  portolan_upstream_requests_in_flight: {
    kind: 'gauge',
    help: 'Requests to the upstream under way.',
    labels: ['service'],
  },
  portolan_upstream_queue_length: {
    kind: 'gauge',
    help: 'Requests to the upstream that wait for their turn.',
    labels: ['service'],
  },
  portolan_upstream_open_circuits: {
    kind: 'gauge',
    help: 'Circuit breakers of the upstream that refuse requests: one for each route, and one for all.',
    labels: ['service'],
  },
  portolan_cache_hits_total: { kind: 'counter', help: 'Values found in a cache.', labels: ['cache'] },
  portolan_cache_misses_total: { kind: 'counter', help: 'Values not found in a cache.', labels: ['cache'] },
  portolan_cache_bytes: { kind: 'gauge', help: 'Bytes that a cache takes up, roughly.', labels: ['cache'] },
  portolan_cache_entries: { kind: 'gauge', help: 'Values in a cache.', labels: ['cache'] },
  portolan_operations_waiting: { kind: 'gauge', help: 'Heavy operations that wait for others.' },
  portolan_answer_bytes_waiting: { kind: 'gauge', help: 'Bytes of answers that clients have not read yet.' },
  portolan_sockets: { kind: 'gauge', help: 'Open WebSockets.' },
  portolan_subscriptions: { kind: 'gauge', help: 'Open subscriptions.' },
  portolan_polls: { kind: 'gauge', help: 'Polled transfers and quotes.' },
  portolan_poll_listeners: { kind: 'gauge', help: 'Listeners of all polls.' },
  portolan_polls_in_flight: { kind: 'gauge', help: 'Poll requests in flight.' },
  portolan_poll_late_seconds: {
    kind: 'gauge',
    help: 'Seconds that the poll has waited which waits longest for its turn.',
  },
  portolan_feeds: { kind: 'gauge', help: 'Open feeds.' },
  portolan_feed_listeners: { kind: 'gauge', help: 'Listeners of all feeds.' },
  portolan_fleet_up: { kind: 'gauge', help: 'Whether Redis is used now: 1 or 0.' },
  portolan_fleet_messages_total: {
    kind: 'counter',
    help: 'Commands sent to Redis, and notices received from it.',
    labels: ['kind'],
  },
  portolan_fleet_reads_total: {
    kind: 'counter',
    help: 'Reads of polls: sent by this gateway for the fleet (own), answered by the fleet (shared), or sent by this gateway alone because Redis could not be used (fallback).',
    labels: ['from'],
  },
  portolan_fleet_bytes_total: {
    kind: 'counter',
    help: 'Bytes of bodies that were written to Redis, or read from it.',
    labels: ['direction'],
  },
} satisfies Record<string, MetricRow>

export type MetricName = keyof typeof metricTable

/** A row of the table, whichever it is. */
export const metricRow = (name: MetricName): MetricRow => metricTable[name]
