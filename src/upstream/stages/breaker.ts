import type { AttemptOutcome, Circuits } from '../circuits.ts'
import { GatewayError, isRetryable } from '../error.ts'
import { refusalOf, UpstreamHttpError } from '../upstreamError.ts'
import type { Outcome, Stage } from './call.ts'

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
function attemptOutcome(outcome: Outcome<unknown>): AttemptOutcome {
  if (!outcome) return 'none'
  if ('value' in outcome) return 'success'
  const { error, isRefusal } = outcome
  if (isRefusal) return 'none'
  if (error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT') return 'timeout'
  if (!isRetryable(error)) return 'success'
  return error instanceof UpstreamHttpError ? 'failure' : 'unreachable'
}
