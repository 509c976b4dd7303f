import type { UpstreamEvents, UpstreamLoad } from '../../upstream/upstreamOptions.ts'
import type { UpstreamHealth } from '../upstreamHealth.ts'
import type { Metrics } from './metrics.ts'

/** Passes the events of upstreams on to the metrics and the health, and adds the gauges of their load. */
export function createUpstreamEvents(metrics: Metrics, health: UpstreamHealth): UpstreamEvents {
  const loads = new Map<string, UpstreamLoad>()
  const gauge = (name: string, help: string, read: (service: string, load: UpstreamLoad) => number, joined?: 'min') =>
    metrics.collect({
      name,
      help,
      kind: 'gauge',
      label: 'service',
      joined,
      read: () => [...loads].map(([service, load]) => [service, read(service, load)] as const),
    })
  gauge(
    'portolan_upstream_up',
    '0 if the last requests to the upstream failed, else 1.',
    (service) => (health.of(service).status === 'down' ? 0 : 1),
    'min',
  )
  gauge(
    'portolan_upstream_requests_in_flight',
    'Requests to the upstream under way.',
    (_service, load) => load.inFlight,
  )
  gauge(
    'portolan_upstream_queue_length',
    'Requests to the upstream that wait for their turn.',
    (_service, load) => load.waiting,
  )
  gauge(
    'portolan_upstream_open_circuits',
    'Circuit breakers of the upstream that refuse requests: one for each route, and one for all.',
    (_service, load) => load.openCircuits,
  )
  return {
    onOpen: (service, load) => void loads.set(service, load),
    onAttempt(observation) {
      metrics.onAttempt(observation)
      health.onAttempt(observation)
    },
    onQueued: metrics.onQueued,
    onCoalesced: metrics.onCoalesced,
    onRetry: metrics.onRetry,
  }
}
