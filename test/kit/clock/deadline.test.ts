import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { pause, systemClock } from '../../../src/kit/clock/clock.ts'
import { openDeadline, withDeadline } from '../../../src/kit/clock/deadline.ts'
import type { Signal } from '../../../src/kit/clock/signal.ts'
import { fakeClock } from '../../support/fakeClock.ts'

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

function setUp() {
  const clock = fakeClock()
  const leaving = new AbortController()
  return { clock, leaving, options: { milliseconds: 1_000, signal: leaving.signal } }
}

test('systemClock.after runs work once, unless it is canceled', async () => {
  const runs: string[] = []
  const cancel = systemClock.after(0, () => runs.push('canceled'))
  cancel()
  await new Promise<void>((done) => {
    systemClock.after(0, () => {
      runs.push('run')
      done()
    })
  })
  expect(runs).toEqual(['run'])
  expect(systemClock.now()).toBeGreaterThan(0)
})

test('pause waits for its time, and removes its abort listener', async () => {
  const { clock, leaving } = setUp()
  let isOver = false
  const pausing = pause(clock, 1_000, leaving.signal).then(() => {
    isOver = true
  })
  await clock.advance(999)
  expect(isOver).toBe(false)
  await clock.advance(1)
  await pausing
  expect([isOver, listeners(leaving.signal)]).toEqual([true, 0])
})

test('pause rejects with the reason of its signal', async () => {
  const { clock, leaving } = setUp()
  const pausing = pause(clock, 1_000, leaving.signal)
  leaving.abort(new Error('left'))
  await expect(pausing).rejects.toThrow('left')
  await expect(pause(clock, 1_000, leaving.signal)).rejects.toThrow('left')
})

test('a deadline aborts with a TimeoutError, and removes its abort listener', async () => {
  const { clock, leaving, options } = setUp()
  const { signal } = openDeadline(clock, options)
  await clock.advance(999)
  expect(signal.aborted).toBe(false)
  await clock.advance(1)
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' })
  expect(listeners(leaving.signal)).toBe(0)
})

test('a deadline aborts when its caller does', () => {
  const { clock, leaving, options } = setUp()
  const early = openDeadline(clock, options)
  expect(early.signal.aborted).toBe(false)
  leaving.abort('left')
  expect([early.signal.reason, openDeadline(clock, options).signal.reason]).toEqual(['left', 'left'])
})

test('a closed deadline does not abort, and removes its abort listener', async () => {
  const { clock, leaving, options } = setUp()
  const { signal, close } = openDeadline(clock, options)
  expect(listeners(leaving.signal)).toBe(1)
  close()
  expect(listeners(leaving.signal)).toBe(0)
  await clock.advance(1_000)
  leaving.abort()
  expect(signal.aborted).toBe(false)
})

test('withDeadline resolves or rejects as its work does', async () => {
  const { clock, leaving, options } = setUp()
  expect(await withDeadline(clock, options, async () => 'done')).toBe('done')
  const failing = withDeadline(clock, options, () => Promise.reject(new Error('failed')))
  await expect(failing).rejects.toThrow('failed')
  expect(listeners(leaving.signal)).toBe(0)
})

test('withDeadline rejects in time if its work ignores the signal', async () => {
  const { clock } = setUp()
  let received: Signal | undefined
  const options = { milliseconds: 1_000, late: () => new Error('late') }
  const result = withDeadline(clock, options, (signal) => {
    received = signal
    return new Promise(() => {})
  })
  const rejection = expect(result).rejects.toThrow('late')
  await clock.advance(1_000)
  await rejection
  expect(received?.reason).toEqual(new Error('late'))
})

test('withDeadline does not start work for an aborted caller', async () => {
  const { clock, leaving, options } = setUp()
  leaving.abort(new Error('left'))
  let starts = 0
  const result = withDeadline(clock, options, async () => {
    starts += 1
  })
  await expect(result).rejects.toThrow('left')
  expect(starts).toBe(0)
})
