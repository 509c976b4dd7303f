import { getEventListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemTimer, wait } from '../src/clock.ts'

// Node runs a timer beyond 2^31 - 1 ms after one millisecond. Fake timers of tests do not, so these are real.

test.each([2 ** 31, 30 * 86_400_000, 365 * 86_400_000, Number.POSITIVE_INFINITY])(
  'a timer of %d ms does not run at once',
  async (milliseconds) => {
    let hasRun = false
    const cancel = systemTimer.after(milliseconds, () => {
      hasRun = true
    })
    await pause(20)
    cancel()
    expect(hasRun).toBe(false)
  },
)

test('a wait of a month is not over at once, and ends when a signal aborts', async () => {
  const [first, second] = [new AbortController(), new AbortController()]
  let isOver = false
  const waited = wait(30 * 86_400_000, first.signal, second.signal).then(() => {
    isOver = true
  })
  await pause(20)
  expect(isOver).toBe(false)
  second.abort()
  await waited
  for (const { signal } of [first, second]) expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a wait ends by itself, and leaves nothing on its signal', async () => {
  const { signal } = new AbortController()
  await wait(1, signal)
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test('a wait does not begin whose signal has aborted', async () => {
  await wait(30 * 86_400_000, AbortSignal.abort())
})

test('a timer that is cancelled does not run', async () => {
  let hasRun = false
  systemTimer.after(1, () => {
    hasRun = true
  })()
  await pause(20)
  expect(hasRun).toBe(false)
})
