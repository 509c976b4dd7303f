import { expect, test } from 'vitest'
import { type Caller, createSingleFlight } from '../../../src/kit/cache/singleFlight.ts'
import { typedKey } from '../../../src/kit/cache/typedKey.ts'
import { createSignal } from '../../../src/kit/clock/signal.ts'
import { GatewayError } from '../../../src/upstream/error.ts'
import type { Requester } from '../../../src/upstream/requester.ts'
import type { Result } from '../../../src/upstream/stages/call.ts'
import { createRetry } from '../../../src/upstream/stages/retry.ts'
import { UpstreamHttpError } from '../../../src/upstream/upstreamError.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { callOf, flightOf, recordEnds } from '../../support/upstreamCall.ts'

/** The stage, over a rest of the stages that ends each attempt with the next outcome. */
function setup(...outcomes: Parameters<ReturnType<typeof recordEnds>['end']>[0][]) {
  const clock = fakeClock()
  const { ends, end } = recordEnds()
  const retries: string[] = []
  const events = { onRetry: (service: string) => void retries.push(service) }
  const stage = createRetry({ service: 'evm-1', clock, backoff: (n) => n * 100, events })
  const { flight, leave } = flightOf<string>()
  const attempts: number[] = []
  const run = (method: 'GET' | 'POST' = 'GET') =>
    stage(
      callOf(flight, { method }),
      (call, endAttempt) => {
        attempts.push(call.retries)
        endAttempt(outcomes[attempts.length - 1] as Parameters<typeof endAttempt>[0])
      },
      end,
    )
  return { clock, run, leave, ends, attempts, retries, flight }
}

const passing = { error: new UpstreamHttpError('evm-1', 503, '') }
const value = { value: { value: 'a', text: 'a', bytes: 1, sentAt: 0 } }

test('each attempt knows how many came before it, and only the last outcome is passed on', async () => {
  const { clock, run, ends, attempts, retries } = setup(passing, passing, value)
  run()
  await clock.advance(300)
  expect([attempts, ends, retries]).toEqual([[0, 1, 2], [value], ['evm-1', 'evm-1']])
})

test('a refusal of the gateway is not repeated, although the error may pass', async () => {
  const refusal = {
    error: new GatewayError('UPSTREAM_UNAVAILABLE', 'full'),
    isRefusal: true,
  } as const
  expect(refusal.error.isRetryable).toBe(true)
  const { clock, run, ends, attempts } = setup(refusal)
  run()
  await clock.advance(1_000)
  expect([attempts, ends]).toEqual([[0], [refusal]])
})

test.each([
  [
    'that names the error as lasting',
    new GatewayError('UPSTREAM_UNAVAILABLE', 'no', { isRetryable: false }),
  ],
  ['that wants a pause of more than ten seconds', new UpstreamHttpError('evm-1', 503, '', 10_001)],
  ['that is no error of the gateway', new Error('unexpected')],
])('an outcome %s is the end', async (_, error) => {
  const { clock, run, ends, attempts } = setup({ error })
  run()
  await clock.advance(20_000)
  expect([attempts, ends]).toEqual([[0], [{ error }]])
})

test('a POST is sent once', async () => {
  const { clock, run, ends, attempts } = setup(passing, value)
  run('POST')
  await clock.advance(1_000)
  expect([attempts, ends]).toEqual([[0], [passing]])
})

test('a call that all callers leave during the wait ends once, without an outcome', async () => {
  const { clock, run, leave, ends, attempts, flight } = setup(passing, value)
  run()
  leave()
  await clock.advance(1_000)
  expect([attempts, ends, flight.onCancel]).toEqual([[0], [undefined], undefined])
})

test('a caller whose time ends before the retry gets the error now, and the others wait', async () => {
  const clock = fakeClock()
  const error = new UpstreamHttpError('evm-1', 503, '', 2_000)
  const stage = createRetry({ service: 'evm-1', clock, backoff: () => 0, events: {} })
  const flights = createSingleFlight<Requester>()
  const settled: string[] = []
  const join = (name: string, due?: number) => {
    const caller: Caller<Requester, Result<string>> = {
      ...{ member: { client: name }, signal: createSignal(due) },
      resolve: ({ value }) => void settled.push(`${name} ${value}`),
      reject: (reason) => void settled.push(`${name} ${reason === error ? 'now' : reason}`),
    }
    let attempts = 0
    flights.run(typedKey<Result<string>>('thing'), caller, (flight) =>
      stage(
        callOf(flight),
        (_, end) => {
          attempts += 1
          end(attempts === 1 ? { error } : (value as never))
        },
        (outcome) => {
          if (!outcome) return
          if ('error' in outcome) flight.reject(outcome.error)
          else flight.resolve({ value: outcome.value?.value as string, freshUntil: 0 })
        },
      ),
    )
  }
  join('alone', clock.now() + 2_000)
  expect(settled).toEqual(['alone now'])
  join('first', clock.now() + 2_001)
  join('late', clock.now() + 500)
  join('endless')
  expect(settled).toEqual(['alone now', 'late now'])
  await clock.advance(2_000)
  expect(settled).toEqual(['alone now', 'late now', 'first a', 'endless a'])
})
