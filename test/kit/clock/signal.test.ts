import { expect, test } from 'vitest'
import { SignalSource } from '../../../src/kit/clock/signal.ts'

test('a signal calls its listeners once, with its reason set', () => {
  const signal = new SignalSource()
  const reasons: unknown[] = []
  signal.addEventListener('abort', () => reasons.push(signal.reason))
  expect([signal.aborted, signal.reason]).toEqual([false, undefined])
  signal.abort('first')
  signal.abort('second')
  expect([signal.aborted, signal.reason, reasons]).toEqual([true, 'first', ['first']])
})

test('removed listeners are not called, even if removed during the abort', () => {
  const signal = new SignalSource()
  const called: string[] = []
  const second = () => called.push('second')
  const third = () => called.push('third')
  signal.addEventListener('abort', second)
  signal.removeEventListener('abort', second)
  signal.addEventListener('abort', () => signal.removeEventListener('abort', third))
  signal.addEventListener('abort', third)
  signal.abort()
  expect(called).toEqual([])
})

test('listeners added after the abort are not called, as on an AbortSignal', () => {
  const signal = new SignalSource()
  signal.addEventListener('abort', () => signal.addEventListener('abort', expect.unreachable))
  signal.abort()
  signal.addEventListener('abort', expect.unreachable)
})

test('the default reason is an AbortError, as on an AbortSignal', () => {
  const signal = new SignalSource()
  signal.abort()
  expect(signal.reason).toBeInstanceOf(DOMException)
  expect(signal.reason).toMatchObject({ name: 'AbortError' })
})
