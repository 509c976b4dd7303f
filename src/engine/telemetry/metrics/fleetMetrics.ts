import { addGauge, addLabelled, type Metrics } from './metrics.ts'
import type { MetricName } from './metricTable.ts'

/** What the metrics of a fleet count. */
export interface FleetEvents {
  /** A read was answered: by this process for the fleet, by the fleet, or by this process alone. */
  onRead(from: 'own' | 'shared' | 'fallback'): void
  /** An answer was published that this process follows or waits for. */
  onNotice(): void
  /** Bytes of answers that were written to Redis, or read from it. */
  onBytes(direction: 'written' | 'read', bytes: number): void
}

/** Adds the metrics of a fleet. The connection to Redis says whether it is open, and how many commands it was sent. */
export function createFleetEvents(
  metrics: Pick<Metrics, 'gauge' | 'collect'>,
  link: { readonly session?: object | undefined; readonly commands: number },
): FleetEvents {
  const count = <Value extends string>(name: MetricName, ...values: Value[]) => {
    const counts = new Map(values.map((value) => [value, 0]))
    addLabelled(metrics, name, () => counts)
    return (value: Value, number = 1) => void counts.set(value, (counts.get(value) ?? 0) + number)
  }
  let notices = 0
  addGauge(metrics, 'portolan_fleet_up', () => (link.session ? 1 : 0))
  addLabelled(metrics, 'portolan_fleet_messages_total', () => [
    ['command', link.commands],
    ['notice', notices],
  ])
  return {
    onRead: count('portolan_fleet_reads_total', 'own', 'shared', 'fallback'),
    onNotice() {
      notices += 1
    },
    onBytes: count('portolan_fleet_bytes_total', 'written', 'read'),
  }
}
