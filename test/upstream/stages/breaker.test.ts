import { expect, test } from 'vitest'
import type { AttemptOutcome } from '../../../src/upstream/circuits.ts'
import { GatewayError } from '../../../src/upstream/error.ts'
import { breaker } from '../../../src/upstream/stages/breaker.ts'
import type { Outcome } from '../../../src/upstream/stages/call.ts'
import { UpstreamHttpError } from '../../../src/upstream/upstreamError.ts'
import { callOf, flightOf, recordEnds } from '../../support/upstreamCall.ts'

/** The stage over circuits that record, and a rest of the stages that ends with an outcome. */
function setup(outcome: Outcome<never>, isOpen = false) {
  const reports: AttemptOutcome[] = []
  const asked: string[] = []
  const circuits = {
    openCircuits: 0,
    admit(route: string, client: string) {
      asked.push(`${route} ${client}`)
      return isOpen ? undefined : (each: AttemptOutcome) => void reports.push(each)
    },
  }
  const { ends, end } = recordEnds()
  const { flight } = flightOf<string>()
  const call = callOf(flight, { route: '/blocks/*' })
  call.client = 'b'
  let sent = 0
  breaker('evm-1', circuits)(
    call,
    (_, endCall) => {
      sent += 1
      endCall(outcome)
    },
    end,
  )
  return { reports, asked, ends, sent }
}

const error = (code: 'UPSTREAM_TIMEOUT' | 'UPSTREAM_UNAVAILABLE' | 'UPSTREAM_INVALID_RESPONSE') =>
  new GatewayError(code, 'no')

test.each<[string, AttemptOutcome, Outcome<never>]>([
  ['a call that its callers left', 'none', undefined],
  ['a refusal', 'none', { error: error('UPSTREAM_UNAVAILABLE'), isRefusal: true }],
  ['a timeout', 'timeout', { error: error('UPSTREAM_TIMEOUT') }],
  ['an upstream out of reach', 'unreachable', { error: error('UPSTREAM_UNAVAILABLE') }],
  ['a 503', 'failure', { error: new UpstreamHttpError('evm-1', 503, '') }],
  ['a 500', 'success', { error: new UpstreamHttpError('evm-1', 500, '') }],
  ['a 404', 'success', { error: new UpstreamHttpError('evm-1', 404, '') }],
  ['another shape', 'success', { error: error('UPSTREAM_INVALID_RESPONSE') }],
])('%s is reported as %s, and passed on', (_, expected, outcome) => {
  const { reports, asked, ends } = setup(outcome)
  expect(reports).toEqual([expected])
  expect(ends).toEqual([outcome])
  // The circuit counts the client whose turn it was, not the first caller.
  expect(asked).toEqual(['/blocks/* b'])
})

test('a call whose circuit is open is refused, and nothing is sent', () => {
  const { reports, ends, sent } = setup(undefined, true)
  expect([reports, sent]).toEqual([[], 0])
  expect(ends).toMatchObject([{ isRefusal: true, error: { code: 'UPSTREAM_UNAVAILABLE' } }])
})
