import type { Clock } from '../../kit/clock/clock.ts'
import { GatewayError, isRetryable } from './error.ts'
import type { CallOutcome, Stage } from './stages/call.ts'
import { refusalOf, UpstreamHttpError } from './upstreamError.ts'

/** How an attempt ended, as far as it shows whether the upstream works. */
export type AttemptOutcome =
  | 'success'
  /** The upstream responded, but could not do its work. */
  | 'failure'
  /** There was no connection, or it broke. */
  | 'unreachable'
  | 'timeout'
  /** The caller left before there was an outcome. */
  | 'none'

/** Refuses attempts for some seconds where most of the attempts before them failed. */
export interface Circuits {
  /**
   * Lets an attempt of a client begin. Returns a function to report its outcome, once, or undefined if
   * the attempt must not begin. Attempts of one route stand or fall together, and so do all attempts if
   * the upstream cannot be reached.
   */
  admit(route: string, client: string): ((outcome: AttemptOutcome) => void) | undefined
  /** Number of circuits that refuse attempts: one for each route, and one for the upstream itself. */
  readonly openCircuits: number
}

/** An attempt counts for at least this many milliseconds, and for at most twice as many. */
const windowMs = 5_000

/** Attempts that must be counted before a circuit can open. */
const minAttempts = 10

/** The share of failures that opens a circuit. */
const failureRate = 0.5

/** The weight of a timeout among failures. A slow question of one client causes one as well as a slow upstream. */
const timeoutWeight = 0.5

/** Milliseconds an open circuit refuses attempts before it lets one through to probe the upstream. */
const openMs = 5_000

/** Opens the circuits of one upstream: one for each route, and one for the upstream itself. */
export function createCircuits(clock: Clock): Circuits {
  const upstream = createCircuit(clock)
  const routes = new Map<string, Circuit>()

  const circuitOf = (route: string): Circuit => {
    const known = routes.get(route)
    if (known) return known
    const circuit = createCircuit(clock)
    routes.set(route, circuit)
    return circuit
  }

  return {
    admit(route, client) {
      const circuit = circuitOf(route)
      const admission = circuit.admit()
      if (!admission) return undefined
      const ofUpstream = upstream.admit()
      if (!ofUpstream) {
        circuit.report(admission, client, 'none')
        return undefined
      }
      return (outcome) => {
        const isUnreachable = outcome === 'unreachable'
        upstream.report(ofUpstream, client, outcomeOfUpstream[outcome])
        circuit.report(admission, client, isUnreachable ? 'none' : outcome)
      }
    },
    get openCircuits() {
      return [upstream, ...routes.values()].filter(({ isOpen }) => isOpen).length
    },
  }
}

type CircuitOutcome = Exclude<AttemptOutcome, 'unreachable'>

/** The meaning of an outcome for the upstream itself. It works if it answers an error, and may work if it is slow. */
const outcomeOfUpstream: Readonly<Record<AttemptOutcome, CircuitOutcome>> = {
  success: 'success',
  failure: 'success',
  unreachable: 'failure',
  timeout: 'none',
  none: 'none',
}

/** The admission of an attempt: as one of many, or as the probe of a circuit that may close. */
type Admission = 'attempt' | 'probe'

interface Circuit {
  /** Undefined if an attempt must not begin. */
  admit(): Admission | undefined
  /** Must be called once for each attempt that was admitted. */
  report(admission: Admission, client: string, outcome: CircuitOutcome): void
  readonly isOpen: boolean
}

/** The attempts of some seconds. */
interface Tally {
  readonly since: number
  attempts: number
  failures: number
  timeouts: number
  /** Up to two clients that made attempts, and up to two whose attempts failed. */
  readonly clients: Set<string>
  readonly failing: Set<string>
}

const openTally = (since: number): Tally => ({
  since,
  attempts: 0,
  failures: 0,
  timeouts: 0,
  clients: new Set(),
  failing: new Set(),
})

function createCircuit(clock: Clock): Circuit {
  let current = openTally(clock.now())
  let previous = openTally(clock.now())
  let probesAt: number | undefined
  let isProbing = false

  const count = (client: string, outcome: CircuitOutcome) => {
    const now = clock.now()
    if (now - current.since >= windowMs) {
      previous = now - current.since < 2 * windowMs ? current : openTally(now)
      current = openTally(now)
    }
    current.attempts += 1
    if (current.clients.size < 2) current.clients.add(client)
    if (outcome === 'success') return
    if (outcome === 'timeout') current.timeouts += 1
    else current.failures += 1
    if (current.failing.size < 2) current.failing.add(client)
    if (shouldOpen(previous, current)) probesAt = now + openMs
  }

  const reportProbe = (outcome: CircuitOutcome) => {
    isProbing = false
    if (outcome === 'none') return
    current = openTally(clock.now())
    previous = openTally(clock.now())
    probesAt = outcome === 'success' ? undefined : clock.now() + openMs
  }

  return {
    get isOpen() {
      return probesAt !== undefined
    },
    admit() {
      if (probesAt === undefined) return 'attempt'
      if (isProbing || clock.now() < probesAt) return undefined
      isProbing = true
      return 'probe'
    },
    report(admission, client, outcome) {
      if (admission === 'probe') reportProbe(outcome)
      // An attempt that began before the circuit opened says nothing about the time after.
      else if (outcome !== 'none' && probesAt === undefined) count(client, outcome)
    },
  }
}

/**
 * Whether so many attempts failed that a circuit should open. Failures of one client alone do not count while others
 * have success. Its timeouts never count: its questions may be slow ones.
 */
function shouldOpen(previous: Tally, current: Tally): boolean {
  const sum = (read: (tally: Tally) => number) => read(previous) + read(current)
  const attempts = sum((tally) => tally.attempts)
  if (attempts < minAttempts) return false
  const failures = sum((tally) => tally.failures)
  const clients = new Set([...previous.clients, ...current.clients])
  if (clients.size === 1) return failures >= attempts * failureRate
  const failing = new Set([...previous.failing, ...current.failing])
  const weighed = failures + timeoutWeight * sum((tally) => tally.timeouts)
  return failing.size > 1 && weighed >= attempts * failureRate
}

/** Refuses calls whose circuit is open, and reports the outcome of all others to their circuits. */
export const breaker =
  (service: string, circuits: Circuits): Stage =>
  (call, next, end) => {
    const report = circuits.admit(call.request.route, call.client)
    if (!report) return end(refusalOf(service, 'circuit'))
    next(call, (outcome) => {
      report(attemptOutcome(outcome))
      end(outcome)
    })
  }

/** The meaning of an outcome for the circuits. An upstream works if it answers an error that a retry does not help. */
function attemptOutcome(outcome: CallOutcome<unknown>): AttemptOutcome {
  if (!outcome) return 'none'
  if ('value' in outcome) return 'success'
  const { error, isRefusal } = outcome
  if (isRefusal) return 'none'
  if (error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT') return 'timeout'
  if (!isRetryable(error)) return 'success'
  return error instanceof UpstreamHttpError ? 'failure' : 'unreachable'
}
