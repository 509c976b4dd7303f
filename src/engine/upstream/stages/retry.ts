import type { Caller } from '../../../kit/cache/singleFlight.ts'
import { isRetryable } from '../error.ts'
import type { Requester } from '../requester.ts'
import { UpstreamHttpError } from '../upstreamError.ts'
import type { UpstreamOptions } from '../upstreamOptions.ts'
import type { Call, EndCall, Next, Result, Stage } from './call.ts'

/** The most retries of one request. */
const maxRetries = 2

/** A request is not repeated if the upstream asks for a longer pause, in milliseconds. */
const maxRetryAfterMs = 10_000

/** Each request earns one credit and each retry costs this many: at most one request in five is a retry. */
const retryCost = 5

/** The most credits saved up: ten retries. */
const maxCredits = 10 * retryCost

/**
 * Repeats a GET after a fault that may pass, in a new turn of the queue. All requests share the credits, so that
 * retries do not multiply an outage. A path of raw UTF-8 that is refused is repeated at once with percent-encoding.
 */
export function createRetry({ service, clock, backoff, events }: Required<UpstreamOptions>): Stage {
  let credits = maxCredits

  const mayRepeat = <T>({ request, retries }: Call<T>, error: unknown): boolean =>
    isRetryable(error) &&
    request.method === 'GET' &&
    retries < maxRetries &&
    credits >= retryCost &&
    (retryAfterOf(error) ?? 0) <= maxRetryAfterMs

  /** Whether the deadline of a caller passes before the retry. It gets this error now, which says more than a timeout. */
  const isLate = ({ signal }: Pick<Caller<Requester, unknown>, 'signal'>, retryAt: number): boolean =>
    signal.due !== undefined && signal.due <= retryAt

  function attempt<T>(call: Call<T>, next: Next, end: EndCall<T>) {
    next(call, (outcome) => {
      const error = outcome && 'error' in outcome && !outcome.isRefusal && outcome.error
      const encoded = percentEncoded(call, error)
      if (encoded) return attempt(encoded, next, end)
      if (!error || !mayRepeat(call, error)) return end(outcome)
      const waitMs = retryAfterOf(error) ?? backoff(call.retries + 1)
      const callers = [...call.flight.callers]
      const late = callers.filter((caller) => isLate(caller, clock.now() + waitMs))
      if (late.length > 0 && late.length === callers.length) return end(outcome)
      for (const caller of late) call.flight.dismiss(caller, error)
      repeat(call, { error, waitMs }, next, end)
    })
  }

  function repeat<T>(
    call: Call<T>,
    { error, waitMs }: { readonly error: unknown; readonly waitMs: number },
    next: Next,
    end: EndCall<T>,
  ) {
    const { flight } = call
    const retryAt = clock.now() + waitMs
    credits -= retryCost
    call.retries += 1
    events.onRetry?.(service)
    if (waitMs <= 0) {
      attempt(call, next, end)
      return
    }
    const stopTimer = clock.after(waitMs, () => {
      flight.onCancel = undefined
      flight.onJoin = undefined
      attempt(call, next, end)
    })
    const onJoin = (caller: Caller<Requester, Result<T>>) => {
      if (isLate(caller, retryAt)) flight.dismiss(caller, error)
    }
    flight.onJoin = onJoin
    const onCancel = () => {
      flight.onCancel = undefined
      flight.onJoin = undefined
      stopTimer()
      end(undefined)
    }
    flight.onCancel = onCancel
  }

  return (call, next, end) => {
    credits = Math.min(maxCredits, credits + 1)
    attempt(call, next, end)
  }
}

/**
 * The call with a path of ASCII only, if it was refused with another one. Real indexers never decode a path, but servers
 * such as that of Node refuse raw bytes before any handler sees them.
 */
function percentEncoded<T>(call: Call<T>, error: unknown): Call<T> | undefined {
  const { request } = call
  if (!(error instanceof UpstreamHttpError && error.status === 400)) return undefined
  const target = request.target.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`)
  return target === request.target ? undefined : { ...call, request: { ...request, target } }
}

const retryAfterOf = (error: unknown): number | undefined =>
  error instanceof UpstreamHttpError ? error.retryAfterMs : undefined
