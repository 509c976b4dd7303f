import { errors } from 'undici'
import { expect, test } from 'vitest'
import { GatewayError, isRetryable } from '../../../src/engine/upstream/error.ts'
import { forClients } from '../../../src/engine/upstream/errorBody.ts'
import { createRedactor } from '../../../src/engine/upstream/redact.ts'
import { networkFault, parseRetryAfter, UpstreamHttpError } from '../../../src/engine/upstream/upstreamError.ts'

/** The error for a body, which is sent as JSON unless it is a text. */
const errorFor = (body: string | object, status = 400, service = 'router') =>
  new UpstreamHttpError(service, status, typeof body === 'string' ? body : JSON.stringify(body))

test.each([
  [302, 'UPSTREAM_INVALID_RESPONSE', 'The router responded with an unexpected redirect (302).'],
  [400, 'UPSTREAM_REJECTED', 'The router rejected the request (400).'],
  [404, 'UPSTREAM_REJECTED', 'The router rejected the request (404).'],
  [429, 'UPSTREAM_UNAVAILABLE', 'The router rejected the request because of its rate limit (429).'],
  [500, 'UPSTREAM_UNAVAILABLE', 'The router failed to handle the request (500).'],
  [503, 'UPSTREAM_UNAVAILABLE', 'The router failed to handle the request (503).'],
])('status %i is the error %s with a message', (status, code, message) => {
  const expected = { code, message, status, service: 'router', bodyExcerpt: 'secret' }
  expect(errorFor('secret', status)).toMatchObject(expected)
  const ofChain = message.replace('The router', 'The indexer of evm-1')
  expect(errorFor('secret', status, 'evm-1').message).toBe(ofChain)
})

test.each<[string, string | object, string, string?]>([
  ['plain text', 'bad height', 'bad height'],
  ['a gRPC status', { code: 3, message: 'too dear', details: [{ reason: 'A' }] }, 'too dear', 'A'],
  ['a validation list', { message: ['a is empty', 'b is empty'] }, 'a is empty; b is empty'],
  ['an error_message', { error_message: 'no', source: 'x' }, 'no'],
  ['another shape', { some: 'thing' }, '{"some":"thing"}'],
  ['a reason that is a text', { message: 'no', details: [{ reason: 'see http://10.0.0.7/' }] }, 'no'],
  ['a reason that is too long', { message: 'no', details: [{ reason: 'A'.repeat(65) }] }, 'no'],
  ['reasons', { message: 'no', details: [{}, 'x', { reason: 'a b' }, { reason: 'B' }, { reason: 'C' }] }, 'no', 'B'],
  ['details of an unknown shape', { message: 'no', details: null }, 'no'],
  ['details that are a text', { message: 'no', details: 'x' }, 'no'],
])('%s: the error has the excerpt and the reason', (_, body, bodyExcerpt, reason) => {
  expect(errorFor(body)).toMatchObject({ bodyExcerpt, reason })
})

test('excerpts of bodies have at most 200 characters and no control characters', () => {
  const long = 'x'.repeat(300)
  for (const body of [long, { message: long }, { other: long }]) {
    expect(errorFor(body).bodyExcerpt).toHaveLength(200)
  }
  expect(errorFor('a\r\n\u001b[0m\u202eb\u0000').bodyExcerpt).toBe('a [0m b ')
})

test.each<[string, string | object, string | undefined, string?]>([
  ['a gRPC status', { code: 3, message: 'too low', details: [] }, 'too low'],
  ['a hint', { message: 'No route', info: 'Try less.' }, 'No route', 'Try less.'],
  ['hints', { message: 'No', info: ['Try less.', 'Or wait.'] }, 'No', 'Try less.; Or wait.'],
  ['a validation list', { message: ['a is empty', 'b is'], error: 'Bad' }, 'a is empty; b is'],
  ['nested messages', { message: { message: ['a is empty'], error: 'Bad' } }, 'a is empty'],
  ['an error_message', { error_message: 'too dear', source: 'x' }, 'too dear'],
  ['only details', { details: ['too dear', { message: 'or too late' }] }, 'too dear; or too late'],
  ['a message with details', { message: 'no', details: [{ description: 'why' }] }, 'no; why'],
  ['only an error', { error: 'Bad Request' }, 'Bad Request'],
  ['an error with a message', { error: { message: 'deep' } }, 'deep'],
  ['plain text', 'tx is too old', 'tx is too old'],
  ['a JSON text', '"tx is too old"', 'tx is too old'],
  ['a page of a proxy', '<html><h1>404</h1></html>', undefined],
  ['nothing', '', undefined],
  ['another shape', { some: 'thing' }, undefined],
  ['a list', '["a"]', undefined],
  ['a number', { message: 7 }, undefined],
])('%s: the error has the upstream message', (_, body, upstreamMessage, info) => {
  expect(errorFor(body)).toMatchObject({ upstreamMessage, info })
})

const words = { message: 'no', info: 'hint' }
test.each<[string, number, string | object, string?, string?]>([
  ['router', 404, words, 'no', 'hint'],
  ['router', 500, words, 'no', 'hint'],
  ['router', 502, 'no{}'],
  ['router', 429, words],
  ['router', 302, words],
  ['evm-1', 400, words],
])(
  '%s with status %i: only refusals and JSON errors of the router have a message',
  (service, status, body, upstreamMessage, info) => {
    expect(errorFor(body, status, service)).toMatchObject({ upstreamMessage, info })
  },
)

test.each([
  ['see https://internal.example:8080/x?key=1 for more', 'see for more'],
  ['connect ECONNREFUSED 10.0.0.7:5432', 'connect ECONNREFUSED'],
  ['<b>too</b> low<script>alert(1)</script>', 'too low alert(1)'],
  ['<scr<b>ipt>x', 'scr ipt>x'],
  ['5 < 6 and 7 > 6', '5 < 6 and 7 > 6'],
  ['click javascript:alert(1) or www.evil.example/x', 'click or'],
  ['a\r\nb\u0000c\u202Ed\u200B', 'a b c d'],
  ['failed\n    at run (/srv/app/index.js:1:2)\n    at main', 'failed'],
  ['1.5.2 costs 0.10', '1.5.2 costs 0.10'],
  ['https://only.example', undefined],
])('forClients(%j) is plain text', (text, plain) => {
  expect(forClients(text)).toBe(plain)
})

test('forClients cuts long texts between characters, in linear time', () => {
  expect([...(forClients('😀'.repeat(1_000)) ?? '')]).toHaveLength(300)
  expect(forClients('x'.repeat(300))).toHaveLength(300)
  expect(forClients('\ud800')).toBe('\ufffd')
  for (const part of ['<a', '<', '://', 'a.', 'data:', '\n at ', '1.']) {
    const start = performance.now()
    forClients(part.repeat(200_000))
    expect(performance.now() - start).toBeLessThan(200)
  }
})

test.each([
  ['Bearer abcdef123', 'your key abcdef123 is old', 'your key [redacted] is old'],
  ['Bearer abcdef123', 'got "Bearer abcdef123"', 'got "[redacted]"'],
  ['abcdef123', 'abcdef123abcdef123', '[redacted][redacted]'],
  ['2', 'version 2', 'version 2'],
  ['Token token=abcdef123; user=me', 'no abcdef123', 'no [redacted]'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'password of user:password', '[redacted] of [redacted]'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA==', '[redacted]'],
])('header %j: %j is redacted to %j', (header, text, expected) => {
  const redact = createRedactor({ authorization: header })
  const error = new UpstreamHttpError('router', 400, text, undefined, redact)
  expect(error).toMatchObject({ bodyExcerpt: expected, upstreamMessage: expected })
})

test('a secret is redacted before the text is cut', () => {
  const redact = createRedactor({ key: 'abcdef1234567890' })
  const body = `${'x'.repeat(192)}abcdef1234567890`
  const { bodyExcerpt } = new UpstreamHttpError('a-1', 400, body, undefined, redact)
  expect(bodyExcerpt).toBe(`${'x'.repeat(192)}[redacte`)
})

test.each<[string | string[] | undefined, number | undefined]>([
  ['0', 0],
  ['2', 2_000],
  ['10', 10_000],
  ['3600', 3_600_000],
  ['86401', undefined],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 60_000],
  ['Wed, 21 Oct 2026 07:26:00 GMT', undefined],
  ['2026-10-21T07:28:00Z', undefined],
  [['1', '2'], undefined],
  [undefined, undefined],
])('Retry-After %j is %j milliseconds', (header, milliseconds) => {
  expect(parseRetryAfter(header, Date.UTC(2026, 9, 21, 7, 27))).toBe(milliseconds)
})

test('only 429, 502, 503, 504 and failed connections are retryable', () => {
  const transient = [400, 404, 429, 500, 501, 502, 503, 504, 505].filter((status) => isRetryable(errorFor('', status)))
  expect(transient).toEqual([429, 502, 503, 504])
  expect(isRetryable(new GatewayError('UPSTREAM_UNAVAILABLE', 'unreachable'))).toBe(true)
  expect(isRetryable(new GatewayError('UPSTREAM_TIMEOUT', 'late'))).toBe(false)
  expect(isRetryable(new Error('other'))).toBe(false)
})

const faults = {
  UPSTREAM_TIMEOUT: 'timed out.',
  UPSTREAM_UNAVAILABLE: 'could not be reached.',
  UPSTREAM_INVALID_RESPONSE: 'sent a response that is incomplete, too large or malformed.',
}
test.each<[string, unknown, boolean, keyof typeof faults]>([
  ['our own timeout', new DOMException('late', 'TimeoutError'), false, 'UPSTREAM_TIMEOUT'],
  ['late headers', new errors.HeadersTimeoutError(), false, 'UPSTREAM_TIMEOUT'],
  ['a late body', new errors.BodyTimeoutError(), true, 'UPSTREAM_TIMEOUT'],
  ['a failed connection', new errors.SocketError(), false, 'UPSTREAM_UNAVAILABLE'],
  ['a late connection', new errors.ConnectTimeoutError(), false, 'UPSTREAM_UNAVAILABLE'],
  ['a thrown text', 'text', false, 'UPSTREAM_UNAVAILABLE'],
  ['a broken body', new errors.SocketError(), true, 'UPSTREAM_INVALID_RESPONSE'],
  ['a large body', new errors.ResponseExceededMaxSizeError(), false, 'UPSTREAM_INVALID_RESPONSE'],
  ['many headers', new errors.HeadersOverflowError(), false, 'UPSTREAM_INVALID_RESPONSE'],
  ['a wrong length', new errors.ResponseContentLengthMismatchError(), false, 'UPSTREAM_INVALID_RESPONSE'],
  ['a response that is not HTTP', new errors.HTTPParserError('expected HTTP'), false, 'UPSTREAM_INVALID_RESPONSE'],
])('%s is an error with code, message and cause', (_, cause, hasStatus, code) => {
  const message = `The router ${faults[code]}`
  const fault = networkFault('router', cause, hasStatus)
  expect(fault).toMatchObject({ code, message, service: 'router', cause })
})
