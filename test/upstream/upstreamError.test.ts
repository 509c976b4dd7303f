import { errors } from 'undici'
import { expect, test } from 'vitest'
import { GatewayError, isRetryable } from '../../src/upstream/error.ts'
import {
  networkFault,
  retryAfterOf,
  serviceLabel,
  UpstreamHttpError,
} from '../../src/upstream/upstreamError.ts'

test.each([
  [302, 'UPSTREAM_INVALID_RESPONSE', 'The router responded with an unexpected redirect (302).'],
  [400, 'UPSTREAM_REJECTED', 'The router rejected the request (400).'],
  [404, 'UPSTREAM_REJECTED', 'The router rejected the request (404).'],
  [429, 'UPSTREAM_UNAVAILABLE', 'The router rejected the request because of its rate limit (429).'],
  [500, 'UPSTREAM_UNAVAILABLE', 'The router failed to handle the request (500).'],
  [503, 'UPSTREAM_UNAVAILABLE', 'The router failed to handle the request (503).'],
])('status %i is the error %s with a sentence of its own', (status, code, message) => {
  const error = new UpstreamHttpError('router', status, 'secret')
  expect(error).toMatchObject({ code, message, status, service: 'router', bodyExcerpt: 'secret' })
})

test('a message names the router, or the indexer of a chain', () => {
  expect(['router', 'evm-1'].map(serviceLabel)).toEqual(['The router', 'The indexer of evm-1'])
})

test('an excerpt of a body has 200 characters at most', () => {
  const long = 'x'.repeat(300)
  for (const body of [long, JSON.stringify({ message: long }), JSON.stringify({ other: long })]) {
    expect(new UpstreamHttpError('router', 400, body).bodyExcerpt).toHaveLength(200)
  }
})

test('a reason is the first that the details name', () => {
  const details = [{ '@type': 'x' }, 'text', { reason: 'FIRST' }, { reason: 'SECOND' }]
  const body = JSON.stringify({ message: 'no', details })
  expect(new UpstreamHttpError('router', 400, body).reason).toBe('FIRST')
  expect(new UpstreamHttpError('router', 400, '{"details":null}').reason).toBeUndefined()
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
])('a Retry-After of %j means %j milliseconds', (header, milliseconds) => {
  expect(retryAfterOf(header, Date.UTC(2026, 9, 21, 7, 27))).toBe(milliseconds)
})

test('a retry may help after 429, 502, 503, 504 and a failed connection, and after nothing else', () => {
  const transient = [400, 404, 429, 500, 501, 502, 503, 504, 505].filter((status) =>
    isRetryable(new UpstreamHttpError('router', status, '')),
  )
  expect(transient).toEqual([429, 502, 503, 504])
  expect(isRetryable(new GatewayError('UPSTREAM_UNAVAILABLE', 'unreachable'))).toBe(true)
  expect(isRetryable(new GatewayError('UPSTREAM_TIMEOUT', 'late'))).toBe(false)
  expect(isRetryable(new Error('other'))).toBe(false)
})

const timedOut = { code: 'UPSTREAM_TIMEOUT', message: 'The router timed out.' }
const unreachable = {
  code: 'UPSTREAM_UNAVAILABLE',
  message: 'The router could not be reached.',
}
const invalid = {
  code: 'UPSTREAM_INVALID_RESPONSE',
  message: 'The router sent a response that is incomplete, too large or malformed.',
}

test.each<[string, unknown, boolean, object]>([
  ['a timeout of the client', new DOMException('late', 'TimeoutError'), false, timedOut],
  ['late headers', new errors.HeadersTimeoutError(), false, timedOut],
  ['a late body', new errors.BodyTimeoutError(), true, timedOut],
  ['a failed connection', new errors.SocketError(), false, unreachable],
  ['a connection that times out', new errors.ConnectTimeoutError(), false, unreachable],
  ['a broken body', new errors.SocketError(), true, invalid],
  ['too large a body', new errors.ResponseExceededMaxSizeError(), false, invalid],
  ['too many headers', new errors.HeadersOverflowError(), false, invalid],
  ['a wrong length', new errors.ResponseContentLengthMismatchError(), false, invalid],
  ['no HTTP', new errors.HTTPParserError('expected HTTP'), false, invalid],
  ['something that is no error', 'text', false, unreachable],
])('%s has a code and a sentence, and keeps its cause', (_, cause, hasStatus, expected) => {
  const fault = networkFault('router', cause, hasStatus)
  expect(fault).toMatchObject({ ...expected, service: 'router', cause })
})
