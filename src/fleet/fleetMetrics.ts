import type { Metrics } from '../telemetry/metrics/metrics.ts'
import type { RedisLink } from './redis/redisLink.ts'
import type { SharedRecordsOptions } from './redis/sharedRecords.ts'
import type { FleetEvents } from './sharedReads/redis/readTasks.ts'

/** Counts reads and records that a gateway and its fleet share. */
export interface FleetMetrics {
  readonly reads: FleetEvents
  readonly onRecord: SharedRecordsOptions['onEvent']
}

/** Adds the metrics of a fleet. */
export function addFleetMetrics(
  metrics: Pick<Metrics, 'gauge' | 'collect'>,
  link: Pick<RedisLink, 'session' | 'commands'>,
): FleetMetrics {
  const count = (name: string, help: string, label: string, values: readonly string[] = []) => {
    const counts = new Map(values.map((value) => [value, 0]))
    metrics.collect({ name, help, kind: 'counter', label, read: () => counts })
    return (value: string, number = 1) => void counts.set(value, (counts.get(value) ?? 0) + number)
  }
  let notices = 0
  const readUp = () => (link.session ? 1 : 0)
  metrics.gauge('portolan_fleet_up', 'Whether Redis is used now: 1 or 0.', readUp, 'min')
  const onRead = count(
    'portolan_fleet_reads_total',
    'Reads of polls: sent by this gateway for the fleet (own), answered by the fleet (shared), or sent by this gateway alone because Redis could not be used (fallback).',
    'from',
    ['own', 'shared', 'fallback'],
  )
  const onBytes = count(
    'portolan_fleet_bytes_total',
    'Bytes of bodies that were written to Redis, or read from it.',
    'direction',
    ['written', 'read'],
  )
  const onRecord = count(
    'portolan_fleet_records_total',
    'Records looked up in Redis: found (hit), not there (miss), or not answered in time (late); and those written to it.',
    'result',
  )
  metrics.collect({
    name: 'portolan_fleet_messages_total',
    help: 'Commands sent to Redis, and notices received from it.',
    kind: 'counter',
    label: 'kind',
    read: () => [
      ['command', link.commands],
      ['notice', notices],
    ],
  })
  return {
    reads: {
      onRead,
      onBytes,
      onNotice() {
        notices += 1
      },
    },
    onRecord,
  }
}
