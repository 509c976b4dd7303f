import { expect, test } from 'vitest'
import { createCancellation } from '../../src/clock/cancellation.ts'

test('a cancellation calls its function once, with its reason set', () => {
  const source = createCancellation()
  const reasons: unknown[] = []
  source.onCancel = () => reasons.push(source.reason)
  expect([source.isCancelled, source.reason]).toEqual([false, undefined])
  source.cancel('first')
  source.cancel('second')
  expect(source.isCancelled).toBe(true)
  expect(reasons).toEqual(['first'])
})

test('a function that was removed is not called', () => {
  const source = createCancellation()
  source.onCancel = () => expect.unreachable()
  source.onCancel = undefined
  source.cancel('late')
  expect(source.isCancelled).toBe(true)
})

test('the signal aborts with the cancellation, whenever it is first read', () => {
  const [early, late] = [createCancellation(), createCancellation()]
  const { signal } = early
  expect(signal.aborted).toBe(false)
  early.cancel('left')
  late.cancel('left')
  expect([signal.reason, early.signal, late.signal.reason]).toEqual(['left', signal, 'left'])
})
