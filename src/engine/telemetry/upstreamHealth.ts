import type { Clock } from '../../kit/clock/clock.ts'
import type { Observation } from '../upstream/upstreamOptions.ts'
import type { Log } from './log.ts'

/** The health of one upstream, by the requests to it so far. */
export interface ServiceHealth {
  /**
   * `unknown` before the first response or fault. `down` after several faults in a row. `degraded` if it
   * responds, but was down and has not responded for some seconds without a fault since.
   */
  readonly status: 'unknown' | 'up' | 'degraded' | 'down'
  /** Seconds since the status last changed. Undefined while it is unknown. */
  readonly seconds?: number
  /** The last fault: its code or HTTP status, and how many seconds ago it was. */
  readonly lastFault?: { readonly code: string; readonly secondsAgo: number }
}

/** Follows which upstreams respond. An outage is logged once when it starts and once when it ends. */
export interface UpstreamHealth {
  onAttempt(observation: Observation): void
  of(service: string): ServiceHealth
}

/** An upstream is down after this many faults in a row. */
const faultsToReport = 3

/** An outage is over after this many milliseconds without a fault. An upstream that flaps has one outage. */
const quietMs = 5_000

interface State {
  status: ServiceHealth['status']
  changedAt: number
  /** Faults since the last success. */
  faultsInRow: number
  lastFault?: { readonly code: string; readonly at: number }
  outage?: { readonly startedAt: number; faults: number }
}

/** Follows the attempts of all upstreams. */
export function createUpstreamHealth({ log, clock }: { log: Log; clock: Clock }): UpstreamHealth {
  const states = new Map<string, State>()

  const set = (state: State, status: State['status']) => {
    if (state.status === status) return
    state.status = status
    state.changedAt = clock.now()
  }

  const onFault = (state: State, { service, outcome, cause }: Observation) => {
    state.faultsInRow += 1
    state.lastFault = { code: outcome, at: clock.now() }
    if (state.outage) state.outage.faults += 1
    if (state.faultsInRow < faultsToReport) return
    set(state, 'down')
    if (state.outage) return
    state.outage = { startedAt: clock.now(), faults: state.faultsInRow }
    log.warn({ service, outcome, cause }, 'upstream is down')
  }

  const onSuccess = (state: State, { service }: Observation) => {
    state.faultsInRow = 0
    const { outage, lastFault } = state
    const isQuiet = !lastFault || clock.now() - lastFault.at >= quietMs
    set(state, outage && !isQuiet ? 'degraded' : 'up')
    if (!outage || !isQuiet) return
    delete state.outage
    const seconds = secondsSince(clock, outage.startedAt)
    log.info({ service, seconds, failedRequests: outage.faults }, 'upstream is up again')
  }

  return {
    onAttempt(observation) {
      const { service, outcome } = observation
      const state = states.get(service) ?? { status: 'unknown', changedAt: 0, faultsInRow: 0 }
      states.set(service, state)
      if (isFault(outcome)) onFault(state, observation)
      else onSuccess(state, observation)
    },
    of(service) {
      const state = states.get(service)
      if (!state) return { status: 'unknown' }
      const { status, changedAt, lastFault } = state
      return {
        status,
        ...(status !== 'unknown' && { seconds: secondsSince(clock, changedAt) }),
        ...(lastFault && {
          lastFault: { code: lastFault.code, secondsAgo: secondsSince(clock, lastFault.at) },
        }),
      }
    },
  }
}

/** Whether an attempt shows that the upstream does not work. A 500 shows it for one request only. */
const isFault = (outcome: string): boolean =>
  /^\d/.test(outcome) ? ['429', '502', '503', '504'].includes(outcome) : true

/** Seconds since a moment of the clock, with one decimal. */
export const secondsSince = (clock: Pick<Clock, 'now'>, moment: number): number =>
  Math.round((clock.now() - moment) / 100) / 10
