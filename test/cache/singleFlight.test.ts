import { expect, test } from 'vitest'
import { createSingleFlight } from '../../src/cache/singleFlight.ts'
import { typedKey } from '../../src/cache/typedKey.ts'
import type { Cancellation } from '../../src/clock/cancellation.ts'
import { deferred } from '../support/deferred.ts'

const key = typedKey<string>('key')
const never = new AbortController().signal

/** Work that ends when the test says so. It ignores its cancellation, which the test reads. */
function work() {
  const { promise, resolve, reject } = deferred<string>()
  const cancellations: Cancellation[] = []
  const start = (cancellation: Cancellation) => {
    cancellations.push(cancellation)
    return promise
  }
  return { start, cancellations, resolve, reject }
}

test('callers of one key share the work, and callers of another do not', async () => {
  const singleFlight = createSingleFlight()
  const { start, cancellations, resolve } = work()
  const results = [
    singleFlight.run(key, never, start),
    singleFlight.run(key, never, start),
    singleFlight.run(typedKey<string>('other'), never, start),
  ]
  expect(cancellations).toHaveLength(2)
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
  const { start, cancellations, resolve } = work()
  const leaving = new AbortController()
  const left = singleFlight.run(key, leaving.signal, start)
  const staying = singleFlight.run(key, never, start)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(cancellations[0]?.isCancelled).toBe(false)
  resolve('done')
  expect(await staying).toBe('done')
})

test('the work is cancelled when the last caller leaves, and only then', async () => {
  const singleFlight = createSingleFlight()
  const { start, cancellations } = work()
  const [first, last] = [new AbortController(), new AbortController()]
  const results = Promise.allSettled([
    singleFlight.run(key, first.signal, start),
    singleFlight.run(key, last.signal, start),
  ])
  first.abort(new Error('first'))
  expect(cancellations[0]?.isCancelled).toBe(false)
  last.abort(new Error('last'))
  expect(cancellations[0]?.reason).toEqual(new Error('last'))
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
  expect(renewed.cancellations).toHaveLength(1)
  renewed.resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done'])
})

test('a caller that left before it called starts nothing', async () => {
  const { start, cancellations } = work()
  const left = AbortSignal.abort(new Error('left'))
  await expect(createSingleFlight().run(key, left, start)).rejects.toThrow('left')
  expect(cancellations).toEqual([])
})

test('a signal that aborts after the result changes nothing', async () => {
  const { start, cancellations, resolve } = work()
  const leaving = new AbortController()
  const result = createSingleFlight().run(key, leaving.signal, start)
  resolve('done')
  expect(await result).toBe('done')
  await new Promise((done) => setImmediate(done))
  leaving.abort(new Error('left'))
  expect(cancellations[0]?.isCancelled).toBe(false)
})

test('work without a key is not shared', async () => {
  const singleFlight = createSingleFlight()
  const { start, cancellations, resolve } = work()
  const results = [1, 2].map(() => singleFlight.run(undefined, never, start))
  expect(cancellations).toHaveLength(2)
  resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done'])
})
