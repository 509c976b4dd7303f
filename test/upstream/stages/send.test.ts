import type { Dispatcher } from 'undici'
import { expect, test } from 'vitest'
import type { Observation } from '../../../src/upstream/events.ts'
import type { UpstreamRequest } from '../../../src/upstream/request.ts'
import { createRequestBudget } from '../../../src/upstream/requestBudget.ts'
import type { Requester } from '../../../src/upstream/requester.ts'
import { createSend } from '../../../src/upstream/stages/send.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { callOf, flightOf, recordEnds } from '../../support/upstreamCall.ts'

/** One call, over a dispatcher that hands its handler to the test. */
function setup(
  requester: Requester = { client: 'a' },
  request: Partial<UpstreamRequest<string>> = {},
) {
  const clock = fakeClock()
  const dispatched: Dispatcher.DispatchOptions[] = []
  const handlers: Dispatcher.DispatchHandler[] = []
  const aborted: unknown[] = []
  const dispatcher = {
    dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler) {
      dispatched.push(options)
      handlers.push(handler)
      handler.onConnect?.((reason?: Error) => void aborted.push(reason?.message))
      return true
    },
  } as unknown as Dispatcher
  const observed: Observation[] = []
  const send = createSend({
    ...{ service: 'evm-1', url: 'http://indexer.test/prefix/', dispatcher, clock },
    ...{ headers: { authorization: 'key' }, timeout: 1_000, slowTimeout: 3_000 },
    events: { onAttempt: (each) => void observed.push(each) },
  })
  const { flight, leave } = flightOf<string>(requester)
  const { ends, end } = recordEnds()
  send(callOf(flight, request, requester), end)
  /** The upstream answers with this status and text. */
  const answer = (status: number, text: string) => {
    const [handler] = handlers
    handler?.onHeaders?.(status, [], () => {}, '')
    handler?.onData?.(Buffer.from(text))
    handler?.onComplete?.([])
  }
  return { clock, dispatched, handlers, aborted, observed, flight, leave, ends, answer }
}

test('a request has the prefix, the headers of the service and the id of its operation', () => {
  const { dispatched } = setup({ client: 'a', requestId: 'id-1' }, { target: '/x?y=1' })
  expect(dispatched).toMatchObject([
    { origin: 'http://indexer.test', path: '/prefix/x?y=1', method: 'GET', body: null },
  ])
  expect(dispatched[0]?.headers).toEqual([
    ...['accept', 'application/json', 'authorization', 'key', 'x-request-id', 'id-1'],
  ])
})

test('a request with a consistency token passes the cache of the upstream', () => {
  const { dispatched } = setup(undefined, { consistencyToken: 'at 7' })
  expect(dispatched[0]?.headers).toEqual(expect.arrayContaining(['cache-control', 'no-cache']))
})

test.each([200, 404, 503])(
  'a response of status %i is received, and counts for all callers',
  async (status) => {
    const budget = createRequestBudget({ maxRequests: 1, maxBytes: 10 })
    const { clock, answer, ends, observed } = setup({ client: 'a', budget })
    await clock.advance(250)
    answer(status, 'hello')
    expect(ends).toMatchObject([
      { value: { response: { status, text: 'hello', bytes: 5 }, sentAt: 0 } },
    ])
    expect([budget.bytes, observed]).toMatchObject([
      5,
      [{ outcome: String(status), seconds: 0.25 }],
    ])
    // Its timeout ends with it.
    await clock.advance(10_000)
    expect(ends).toHaveLength(1)
  },
)

test.each<[string, boolean, number]>([
  ['a request', false, 1_000],
  ['a slow request', true, 3_000],
])('%s ends at its own timeout, once', async (_, isSlow, timeoutMs) => {
  const { clock, ends, aborted, answer, observed } = setup(undefined, { isSlow })
  await clock.advance(timeoutMs - 1)
  expect(ends).toEqual([])
  await clock.advance(1)
  expect(ends).toMatchObject([{ error: { code: 'UPSTREAM_TIMEOUT', isRetryable: false } }])
  expect([aborted.length, observed[0]?.outcome]).toEqual([1, 'UPSTREAM_TIMEOUT'])
  answer(200, 'late')
  expect(ends).toHaveLength(1)
})

test('a call that all callers leave closes its connection, and ends without an outcome', async () => {
  const { clock, leave, ends, aborted, observed, flight } = setup()
  leave()
  await clock.advance(10_000)
  expect([ends, aborted, observed]).toEqual([[undefined], ['The request was cancelled.'], []])
  expect(flight.onCancel).toBeUndefined()
})

test('a call whose operations have all received too much is refused, and not sent', () => {
  const budget = createRequestBudget({ maxRequests: 1, maxBytes: 10 })
  budget.receive(11)
  const { ends, dispatched } = setup({ client: 'a', budget })
  expect(ends).toMatchObject([{ isRefusal: true, error: { code: 'QUERY_TOO_COMPLEX' } }])
  expect(dispatched).toEqual([])
})

test('a network error has the code of an upstream out of reach, which may pass', () => {
  const { handlers, ends, observed } = setup()
  handlers[0]?.onError?.(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }))
  expect(ends).toMatchObject([{ error: { code: 'UPSTREAM_UNAVAILABLE', isRetryable: true } }])
  expect(observed).toMatchObject([{ outcome: 'UPSTREAM_UNAVAILABLE', cause: 'ECONNREFUSED' }])
})
