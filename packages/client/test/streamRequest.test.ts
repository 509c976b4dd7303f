import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { partsOf } from '../src/streamRequest.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a stream whose reader has left keeps no timer, so that its process can end', async () => {
  const abort = new AbortController()
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(':\n\n'))
      abort.signal.addEventListener('abort', () => controller.error(new Error('aborted')))
    },
  })
  const parts = partsOf(new Response(body), 30_000, async () => {})
  expect(await parts.next()).toEqual({ value: { event: '', data: '' }, done: false })
  const next = parts.next()
  expect(vi.getTimerCount()).toBe(1)
  abort.abort()
  await expect(next).rejects.toThrow('aborted')
  expect(vi.getTimerCount()).toBe(0)
})
