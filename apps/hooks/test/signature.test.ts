import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keyOf, signedHeaders } from '../src/signature.ts'
import { start } from './support/clock.ts'
import { otherSecret, secret } from './support/hook.ts'

// The library of receivers compares the time of a message with that of the machine.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: start }))
afterEach(() => void vi.useRealTimers())

const body = JSON.stringify({ type: 'activity.record', data: { text: 'Ünïcode 🎣' } })
const signed = (secrets: readonly string[]) => signedHeaders({ id: 'evt_1', timestamp: start / 1_000, body }, secrets)

test('a receiver accepts a message, with any of its secrets while one is replaced', () => {
  expect(new Webhook(secret).verify(body, signed([secret]))).toEqual(JSON.parse(body))
  for (const each of [secret, otherSecret])
    expect(new Webhook(each).verify(body, signed([otherSecret, secret]))).toEqual(JSON.parse(body))
})

test('a receiver sees a forgery', () => {
  const headers = signed([secret])
  const receiver = new Webhook(secret)
  expect(() => new Webhook(otherSecret).verify(body, headers)).toThrow()
  expect(() => receiver.verify(body.replace('🎣', '💰'), headers)).toThrow()
  expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow()
  expect(() => receiver.verify(body, { ...headers, 'webhook-timestamp': String(start / 1_000 + 1) })).toThrow()
  vi.setSystemTime(start + 600_000)
  expect(() => receiver.verify(body, headers)).toThrow()
})

test.each([
  '',
  'secret',
  'whsec_',
  `whsec_${Buffer.alloc(23).toString('base64')}`,
  `whsec_${Buffer.alloc(65).toString('base64')}`,
])('a secret of another form is refused, and not repeated (%s)', (text) => {
  expect(() => keyOf(text)).toThrow('24 to 64 random bytes')
})
