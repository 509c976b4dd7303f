import { expect, test } from 'vitest'
import { forClients, readErrorBody } from '../../src/upstream/errorBody.ts'
import { UpstreamHttpError } from '../../src/upstream/upstreamError.ts'

test.each<[string, string | object, string | undefined, string?]>([
  [
    'a gRPC status',
    { code: 3, message: 'amount in is too low', details: [] },
    'amount in is too low',
  ],
  ['a hint', { message: 'No route', info: 'Try less.' }, 'No route', 'Try less.'],
  ['hints', { message: 'No', info: ['Try less.', 'Or wait.'] }, 'No', 'Try less.; Or wait.'],
  [
    'a validation list',
    { statusCode: 400, message: ['a is empty', 'b is empty'], error: 'Bad Request' },
    'a is empty; b is empty',
  ],
  ['nested messages', { message: { message: ['a is empty'], error: 'Bad Request' } }, 'a is empty'],
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
])('of %s, the words are read', (_, body, message, info) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const error = new UpstreamHttpError('router', 400, text)
  expect([error.upstreamMessage, error.info]).toEqual([message, info])
})

test('only the router passes words on, of refusals and of failures that it describes in JSON', () => {
  const body = JSON.stringify({ message: 'no', info: 'hint' })
  const words = ({ upstreamMessage, info }: UpstreamHttpError) => [upstreamMessage, info]
  expect(words(new UpstreamHttpError('router', 404, body))).toEqual(['no', 'hint'])
  expect(words(new UpstreamHttpError('router', 500, body))).toEqual(['no', 'hint'])
  expect(words(new UpstreamHttpError('router', 502, 'no'))).toEqual([undefined, undefined])
  for (const [service, status] of [
    ['evm-1', 400],
    ['router', 429],
    ['router', 302],
  ] as const) {
    expect(words(new UpstreamHttpError(service, status, body))).toEqual([undefined, undefined])
  }
})

test('words are redacted before they are passed on', () => {
  const redact = (text: string) => text.replaceAll('key1234', '[redacted]')
  const { upstreamMessage } = new UpstreamHttpError('router', 400, 'bad key1234', undefined, redact)
  expect(upstreamMessage).toBe('bad [redacted]')
})

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
])('%j reads as plain text', (text, plain) => {
  expect(forClients(text)).toBe(plain)
})

test('long texts are cut between characters, in short time', () => {
  expect([...(forClients('😀'.repeat(1_000)) ?? '')]).toHaveLength(300)
  expect(forClients('x'.repeat(300))).toHaveLength(300)
  expect(forClients('\ud800')).toBe('\ufffd')
  for (const part of ['<a', '<', '://', 'a.', 'data:', '\n at ', '1.']) {
    const start = performance.now()
    forClients(part.repeat(200_000))
    expect(performance.now() - start).toBeLessThan(200)
  }
})

test('a reason is a code in the details', () => {
  expect(
    readErrorBody('{"details":[{"reason":"a text"},{"reason":"BAD_PRICE_ERROR"}]}').reason,
  ).toBe('BAD_PRICE_ERROR')
  expect(readErrorBody('{"details":"x"}').reason).toBeUndefined()
})
