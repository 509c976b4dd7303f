import type { Log } from '../../engine/telemetry/log.ts'
import type { Metrics } from '../../engine/telemetry/metrics/metrics.ts'
import type { Clock } from '../../kit/clock/clock.ts'

/** The parts of a gateway that its place in a fleet takes: its time, its chance, and where it logs and counts. */
export interface FleetParts {
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly log: Log
  readonly metrics: Metrics
}
