import type { Metrics } from './metrics.ts'

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
  const count = (name: string, help: string, label: string, values: readonly string[]) => {
    const counts = new Map(values.map((value) => [value, 0]))
    metrics.collect({ name, help, kind: 'counter', label, read: () => counts })
    return (value: string, number = 1) => void counts.set(value, (counts.get(value) ?? 0) + number)
  }
  let notices = 0
  const readUp = () => (link.session ? 1 : 0)
  metrics.gauge('portolan_fleet_up', 'Whether Redis is used now: 1 or 0.', readUp, 'min')
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
    onRead: count(
      'portolan_fleet_reads_total',
      'Reads of polls: sent by this gateway for the fleet (own), answered by the fleet (shared), or sent by this gateway alone because Redis could not be used (fallback).',
      'from',
      ['own', 'shared', 'fallback'],
    ),
    onNotice() {
      notices += 1
    },
    onBytes: count(
      'portolan_fleet_bytes_total',
      'Bytes of bodies that were written to Redis, or read from it.',
      'direction',
      ['written', 'read'],
    ),
  }
}
