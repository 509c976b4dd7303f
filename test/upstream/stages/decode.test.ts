import { expect, test } from 'vitest'
import { createTurns, type Turns } from '../../../src/kit/clock/turns.ts'
import type { UpstreamResponse } from '../../../src/upstream/exchange.ts'
import type { UpstreamRequest } from '../../../src/upstream/request.ts'
import type { Call, EndCall } from '../../../src/upstream/stages/call.ts'
import { decodeAfter } from '../../../src/upstream/stages/decode.ts'
import type { Send } from '../../../src/upstream/stages/send.ts'
import { parseJson } from '../../../src/wire/exactJson.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { callOf, flightOf, recordEnds } from '../../support/upstreamCall.ts'

const clock = fakeClock()

const received = (status: number, text: string): UpstreamResponse => ({
  ...{ status, text, headers: [], bytes: Buffer.byteLength(text) },
})

/** What becomes of a response, with the calls of the stage to the turns. */
function decode(
  send: Send,
  request: Partial<UpstreamRequest<unknown>> = {},
  requester: { client: string; isHeavy?: boolean } = { client: 'a' },
) {
  const taken: string[] = []
  const all = createTurns(clock)
  const turns: Turns = {
    waiting: 0,
    run(client, work) {
      taken.push(client)
      return all.run(client, work)
    },
  }
  const redact = (text: string) => text.replaceAll('secret', '[redacted]')
  const stage = decodeAfter(send, { service: 'evm-1', clock, redact, parse: parseJson, turns })
  const { ends, end } = recordEnds()
  const { flight } = flightOf<unknown>()
  stage(callOf(flight, { read: (body) => body, ...request }, requester), end)
  return { ends, taken }
}

const sends =
  (status: number, text: string): Send =>
  (_, end) =>
    end({ value: { response: received(status, text), sentAt: 7 } })

test('the value of a response comes with its text, its bytes and the time of its request', () => {
  const { ends, taken } = decode(sends(200, '{"a":"ä"}'))
  expect(ends).toEqual([{ value: { value: { a: 'ä' }, text: '{"a":"ä"}', bytes: 10, sentAt: 7 } }])
  expect(taken).toEqual([])
})

test('a heavy request is read in the turn of its client', () => {
  const { ends, taken } = decode(sends(200, '1'), {}, { client: 'b', isHeavy: true })
  expect([ends.length, taken]).toEqual([1, ['b']])
})

test('a 404 is null for a record, and an error where the request says so', () => {
  expect(decode(sends(404, 'tx not found')).ends).toEqual([{ value: null }])
  expect(decode(sends(404, 'tx not found'), { is404Error: true }).ends).toMatchObject([
    { error: { code: 'UPSTREAM_REJECTED', isRetryable: false } },
  ])
})

test('a body that cannot be read is an error without its secrets', () => {
  const read = () => {
    throw new Error('a secret is no number')
  }
  expect(decode(sends(200, '{}'), { read }).ends).toMatchObject([
    {
      error: { code: 'UPSTREAM_INVALID_RESPONSE', cause: { message: 'a [redacted] is no number' } },
    },
  ])
})

test.each([
  ['an error', { error: new Error('no') }],
  ['the end of a call that its callers left', undefined],
] as const)('%s is passed on', (_, outcome) => {
  const send = <T>(_call: Call<T>, end: EndCall<T> | ((each: typeof outcome) => void)) =>
    end(outcome)
  expect(decode(send).ends).toEqual([outcome])
})
