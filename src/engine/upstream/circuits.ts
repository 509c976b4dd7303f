import type { Clock } from '../../kit/clock/clock.ts'
import { GatewayError, isRetryable } from './error.ts'
import type { CallOutcome, Stage } from './stages/call.ts'
import { makeRefusal, UpstreamHttpError } from './upstreamError.ts'

/** What the end of an attempt says of the upstream. */
export type AttemptOutcome =
  | 'success'
  /** The upstream responded that it cannot work now. */
  | 'failure'
  /** There was no connection, or it broke. */
  | 'unreachable'
  /** Nothing: a slow question of one client ends as an attempt at a slow upstream, or the caller has left. */
  | 'none'

/** Refuses attempts for some seconds where most of the attempts before them failed. */
export interface Circuits {
  /**
   * Lets an attempt begin. Returns a function to report its outcome, once, or undefined if the attempt must not
   * begin. Attempts of one route stand or fall together, and so do all attempts if the upstream cannot be reached.
   */
  admit(route: string): Report | undefined
  /** Number of circuits that refuse attempts: one for each route, and one for the upstream itself. */
  readonly openCircuits: number
}

type Report = (outcome: AttemptOutcome) => void

/** Attempts are counted for so many milliseconds, and then from 0 again. */
const windowMs = 10_000

/** Attempts that must be counted before a circuit can open. */
const minAttempts = 10

/** The share of failures that opens a circuit. */
const failureRate = 0.5

/** Milliseconds an open circuit refuses attempts before it lets one through to probe the upstream. */
const openMs = 5_000

/** Opens the circuits of one upstream: one for each route, and one for the upstream itself. */
export function createCircuits(clock: Clock): Circuits {
  const upstream = createCircuit(clock)
  const routes = new Map<string, Circuit>()

  const openCircuit = (route: string): Circuit => {
    const known = routes.get(route)
    if (known) return known
    const circuit = createCircuit(clock)
    routes.set(route, circuit)
    return circuit
  }

  return {
    admit(route) {
      const report = openCircuit(route).admit()
      const reportUpstream = report && upstream.admit()
      if (!reportUpstream) {
        report?.('none')
        return undefined
      }
      return (outcome) => {
        const isUnreachable = outcome === 'unreachable'
        // An upstream that answers an error can be reached.
        reportUpstream(outcome === 'failure' ? 'success' : outcome)
        report(isUnreachable ? 'none' : outcome)
      }
    },
    get openCircuits() {
      return [upstream, ...routes.values()].filter(({ isOpen }) => isOpen).length
    },
  }
}

interface Circuit {
  /** Undefined if an attempt must not begin. */
  admit(): Report | undefined
  readonly isOpen: boolean
}

function createCircuit(clock: Clock): Circuit {
  let since = clock.now()
  let attempts = 0
  let failures = 0
  let probesAt: number | undefined
  let isProbing = false

  const restart = () => {
    since = clock.now()
    attempts = 0
    failures = 0
  }

  const count: Report = (outcome) => {
    // An attempt that began before the circuit opened says nothing about the time after.
    if (outcome === 'none' || probesAt !== undefined) return
    if (clock.now() - since >= windowMs) restart()
    attempts += 1
    if (outcome !== 'success') failures += 1
    if (attempts >= minAttempts && failures >= attempts * failureRate) {
      probesAt = clock.now() + openMs
    }
  }

  const endProbe: Report = (outcome) => {
    isProbing = false
    if (outcome === 'none') return
    restart()
    probesAt = outcome === 'success' ? undefined : clock.now() + openMs
  }

  return {
    get isOpen() {
      return probesAt !== undefined
    },
    admit() {
      if (probesAt === undefined) return count
      if (isProbing || clock.now() < probesAt) return undefined
      isProbing = true
      return endProbe
    },
  }
}

/** Refuses calls whose circuit is open, and reports the outcome of all others to their circuits. */
export const breaker =
  (service: string, circuits: Circuits): Stage =>
  (call, next, end) => {
    const report = circuits.admit(call.request.route)
    if (!report) return end(makeRefusal(service, 'circuit'))
    next(call, (outcome) => {
      report(attemptOutcome(outcome))
      end(outcome)
    })
  }

/**
 * The meaning of an outcome for the circuits. No client can cause a failure by what it asks for: an upstream works if it
 * answers an error that a retry does not help, and a proxy before it answers a slow question with 504.
 */
function attemptOutcome(outcome: CallOutcome<unknown>): AttemptOutcome {
  if (!outcome) return 'none'
  if ('value' in outcome) return 'success'
  const { error, isRefusal } = outcome
  if (isRefusal || (error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT')) {
    return 'none'
  }
  if (!isRetryable(error)) return 'success'
  if (!(error instanceof UpstreamHttpError)) return 'unreachable'
  return error.status === 504 ? 'none' : 'failure'
}
