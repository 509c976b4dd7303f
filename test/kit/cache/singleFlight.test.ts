import { expect, test } from 'vitest'
import { createSingleFlight, type Flight } from '../../../src/kit/cache/singleFlight.ts'
import { type TypedKey, typedKey } from '../../../src/kit/cache/typedKey.ts'
import type { Signal } from '../../../src/kit/clock/signal.ts'

const key = typedKey<string>('key')
const never = new AbortController().signal

/** A single flight whose callers are promises. */
function setup() {
  const flights = createSingleFlight()
  const run = (key: TypedKey<string> | undefined, signal: Signal, start: Work['start']) =>
    new Promise<string>((resolve, reject) => {
      flights.run(key, { member: undefined, signal, resolve, reject }, start)
    })
  return { run }
}

/** Work that ends when the test says so, in all of its flights. */
type Work = ReturnType<typeof work>
function work() {
  const flights: Flight<undefined, string>[] = []
  const reasons: unknown[] = []
  let end: ((flight: Flight<undefined, string>) => void) | undefined
  const endWith = (settle: typeof end) => {
    end = settle
    for (const flight of flights) settle?.(flight)
  }
  return {
    flights,
    /** With which reasons the flights were cancelled. */
    reasons,
    start(flight: Flight<undefined, string>) {
      flights.push(flight)
      flight.onCancel = (reason) => reasons.push(reason)
      end?.(flight)
    },
    resolve: (value: string) => endWith((flight) => flight.resolve(value)),
    reject: (error: Error) => endWith((flight) => flight.reject(error)),
  }
}

test('callers of one key share the work, and callers of another do not', async () => {
  const singleFlight = setup()
  const { start, flights, resolve } = work()
  const results = [
    singleFlight.run(key, never, start),
    singleFlight.run(key, never, start),
    singleFlight.run(typedKey<string>('other'), never, start),
  ]
  expect(flights).toHaveLength(2)
  resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done', 'done'])
})

test('work that has ended is not shared', async () => {
  const singleFlight = setup()
  const first = work()
  first.reject(new Error('failed'))
  await expect(singleFlight.run(key, never, first.start)).rejects.toThrow('failed')
  const second = work()
  second.resolve('done')
  expect(await singleFlight.run(key, never, second.start)).toBe('done')
})

test('a caller that leaves is rejected with its reason, and the others get the result', async () => {
  const singleFlight = setup()
  const { start, flights, resolve } = work()
  const leaving = new AbortController()
  const left = singleFlight.run(key, leaving.signal, start)
  const staying = singleFlight.run(key, never, start)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  expect(flights[0]?.isCancelled).toBe(false)
  resolve('done')
  expect(await staying).toBe('done')
})

test('the work is cancelled when the last caller leaves, and only then', async () => {
  const singleFlight = setup()
  const { start, flights, reasons } = work()
  const [first, last] = [new AbortController(), new AbortController()]
  const results = Promise.allSettled([
    singleFlight.run(key, first.signal, start),
    singleFlight.run(key, last.signal, start),
  ])
  first.abort(new Error('first'))
  expect(flights[0]?.isCancelled).toBe(false)
  last.abort(new Error('last'))
  expect(reasons).toEqual([new Error('last')])
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a caller that comes after the last one left starts anew, undisturbed by the old work', async () => {
  const singleFlight = setup()
  const [abandoned, renewed] = [work(), work()]
  const leaving = new AbortController()
  const left = singleFlight.run(key, leaving.signal, abandoned.start)
  leaving.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  const results = [singleFlight.run(key, never, renewed.start)]
  abandoned.reject(new Error('aborted'))
  await new Promise((done) => setImmediate(done))
  results.push(singleFlight.run(key, never, renewed.start))
  expect(renewed.flights).toHaveLength(1)
  renewed.resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done'])
})

test('a caller that left before it called starts nothing', async () => {
  const { start, flights } = work()
  const left = AbortSignal.abort(new Error('left'))
  await expect(setup().run(key, left, start)).rejects.toThrow('left')
  expect(flights).toEqual([])
})

test('a signal that aborts after the result changes nothing', async () => {
  const { start, flights, resolve } = work()
  const leaving = new AbortController()
  const result = setup().run(key, leaving.signal, start)
  resolve('done')
  expect(await result).toBe('done')
  await new Promise((done) => setImmediate(done))
  leaving.abort(new Error('left'))
  expect(flights[0]?.isCancelled).toBe(false)
})

test('work without a key is not shared', async () => {
  const singleFlight = setup()
  const { start, flights, resolve } = work()
  const results = [1, 2].map(() => singleFlight.run(undefined, never, start))
  expect(flights).toHaveLength(2)
  resolve('done')
  expect(await Promise.all(results)).toEqual(['done', 'done'])
})
