import { expect, test } from 'vitest'
import { createSingleFlight } from '../../src/cache/singleFlight.ts'
import { typedKey } from '../../src/cache/typedKey.ts'
import { deferred } from '../support/deferred.ts'

const key = typedKey<string>('key')
const never = new AbortController().signal

/** Work that ends when the test says so. It ignores its signal, which the test reads. */
function work() {
  const { promise, resolve, reject } = deferred<string>()
  const signals: AbortSignal[] = []
  const start = (signal: AbortSignal) => {
    signals.push(signal)
    return promise
  }
  return { start, signals, resolve, reject }
}

test('callers of one key share the work, and callers of another do not', async () => {
  const singleFlight = createSingleFlight()
  const { start, signals, resolve } = work()
  const results = [
    singleFlight.run(key, never, start),
    singleFlight.run(key, never, start),
    singleFlight.run(typedKey<string>('other'), never, start),
  ]
  expect(signals).toHaveLength(2)
  resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done'])
})

test('work that has ended is not shared', async () => {
  const singleFlight = createSingleFlight()
  const first = work()
  first.reject(new Error('failed'))
  await expect(singleFlight.run(key, never, first.start)).rejects.toThrow('failed')
  const second = work()
  second.resolve('done')
  expect(await singleFlight.run(key, never, second.start)).toBe('done')
})

test('a caller that leaves is rejected with its reason, and the others get the result', async () => {
  const singleFlight = createSingleFlight()
  const { start, signals, resolve } = work()
  const leaving = new AbortController()
  const left = singleFlight.run(key, leaving.signal, start)
  const staying = singleFlight.run(key, never, start)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(signals[0]?.aborted).toBe(false)
  resolve('done')
  expect(await staying).toBe('done')
})

test('the work is aborted when the last caller leaves, and only then', async () => {
  const singleFlight = createSingleFlight()
  const { start, signals } = work()
  const [first, last] = [new AbortController(), new AbortController()]
  const results = Promise.allSettled([
    singleFlight.run(key, first.signal, start),
    singleFlight.run(key, last.signal, start),
  ])
  first.abort(new Error('first'))
  expect(signals[0]?.aborted).toBe(false)
  last.abort(new Error('last'))
  expect(signals[0]?.reason).toEqual(new Error('last'))
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a caller that comes after the last one left starts anew, undisturbed by the old work', async () => {
  const singleFlight = createSingleFlight()
  const [abandoned, renewed] = [work(), work()]
  const leaving = new AbortController()
  const left = singleFlight.run(key, leaving.signal, abandoned.start)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  const results = [singleFlight.run(key, never, renewed.start)]
  abandoned.reject(new Error('aborted'))
  await new Promise((done) => setImmediate(done))
  results.push(singleFlight.run(key, never, renewed.start))
  expect(renewed.signals).toHaveLength(1)
  renewed.resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done'])
})

test('a caller that left before it called starts nothing', async () => {
  const { start, signals } = work()
  const left = AbortSignal.abort(new Error('left'))
  await expect(createSingleFlight().run(key, left, start)).rejects.toThrow('left')
  expect(signals).toEqual([])
})

test('a signal that aborts after the result changes nothing', async () => {
  const { start, signals, resolve } = work()
  const leaving = new AbortController()
  const result = createSingleFlight().run(key, leaving.signal, start)
  resolve('done')
  expect(await result).toBe('done')
  await new Promise((done) => setImmediate(done))
  leaving.abort(new Error('left'))
  expect(signals[0]?.aborted).toBe(false)
})
