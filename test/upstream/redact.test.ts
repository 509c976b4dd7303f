import { expect, test } from 'vitest'
import { createRedactor, withoutControls } from '../../src/upstream/redact.ts'
import { UpstreamHttpError } from '../../src/upstream/upstreamError.ts'

test.each([
  ['Bearer abcdef123', 'your key abcdef123 is old', 'your key [redacted] is old'],
  ['Bearer abcdef123', 'got "Bearer abcdef123"', 'got "[redacted]"'],
  ['abcdef123', 'abcdef123abcdef123', '[redacted][redacted]'],
  ['2', 'version 2', 'version 2'],
  ['Token token=abcdef123; user=me', 'no abcdef123', 'no [redacted]'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'password of user:password', '[redacted] of [redacted]'],
  ['Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA==', '[redacted]'],
])('of the header %j, %j becomes %j', (header, text, expected) => {
  expect(createRedactor({ authorization: header })(text)).toBe(expected)
})

test('control characters become spaces', () => {
  expect(withoutControls('a\r\n\u001b[0m\u202eb\u0000')).toBe('a [0m b ')
})

test('a secret at the point where the text is cut is replaced whole', () => {
  const secret = 'abcdef1234567890'
  const redact = createRedactor({ key: secret })
  const body = `${'x'.repeat(192)}${secret}`
  const { bodyExcerpt } = new UpstreamHttpError('a-1', 400, body, undefined, redact)
  expect(bodyExcerpt).toBe(`${'x'.repeat(192)}[redacte`)
})

test.each([
  ['BAD_PRICE_ERROR', 'BAD_PRICE_ERROR'],
  ['see http://10.0.0.7/', undefined],
  ['A'.repeat(65), undefined],
])('the reason %s is passed on only if it is a code', (reason, expected) => {
  const body = JSON.stringify({ message: 'no', details: [{ reason }] })
  expect(new UpstreamHttpError('router', 400, body).reason).toBe(expected)
})
