import { type Caller, createSingleFlight, type Flight } from '../../src/kit/cache/singleFlight.ts'
import { createSignal } from '../../src/kit/clock/signal.ts'
import type { UpstreamRequest } from '../../src/upstream/request.ts'
import type { Requester } from '../../src/upstream/requester.ts'
import type { Call, Next, Outcome, Result } from '../../src/upstream/stages/call.ts'

type CallFlight<T> = Flight<Requester, Result<T>>

/** A call for the callers of a flight. By default it is a GET of a text that is its value. */
export function callOf<T>(
  flight: CallFlight<T>,
  request: Partial<UpstreamRequest<T>> = {},
  requester: Requester = { client: 'a' },
): Call<T> {
  const whole: UpstreamRequest<T> = {
    ...{ method: 'GET', target: '/thing', route: '/thing', isFinal: false },
    read: () => {
      throw new Error('This call is not decoded.')
    },
    ...request,
  }
  const { client } = requester
  return { request: whole, cacheKey: whole.target, requester, flight, client, retries: 0 }
}

/** The last stage of a call: its attempt is a promise, and ends when all callers have left. */
export const lastStage =
  (attempt: () => Promise<unknown>): Next =>
  <T>({ flight }: Call<T>, end: (outcome: Outcome<never>) => void) => {
    let isOver = false
    const endOnce = (outcome: Outcome<never>) => {
      flight.onCancel = undefined
      if (!isOver) end(outcome)
      isOver = true
    }
    flight.onCancel = () => endOnce(undefined)
    attempt().then(
      (value) => endOnce({ value: { value, text: '', bytes: 0, sentAt: 0 } as never }),
      (error: unknown) => endOnce({ error }),
    )
  }

/** A flight of one caller, which leaves with `leave`, and what it was settled with. */
export function flightOf<T>(requester: Requester = { client: 'a' }) {
  const signal = createSignal()
  const settled: unknown[] = []
  const caller: Caller<Requester, Result<T>> = {
    ...{ member: requester, signal },
    resolve: (value) => void settled.push(value),
    reject: (error) => void settled.push(error),
  }
  let flight: CallFlight<T> | undefined
  createSingleFlight<Requester>().run<Result<T>>(undefined, caller, (opened) => {
    flight = opened
  })
  if (!flight) throw new Error('The flight has not started.')
  return { flight, settled, leave: () => signal.abort(new Error('left')) }
}

/** The ends of calls, in their order. */
export function recordEnds() {
  const ends: Outcome<unknown>[] = []
  return { ends, end: (outcome: Outcome<unknown>) => void ends.push(outcome) }
}
