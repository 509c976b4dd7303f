import { expect, test } from 'vitest'
import { type Flight, SingleFlight } from '../../../src/kit/cache/singleFlight.ts'
import { typedKey } from '../../../src/kit/cache/typedKey.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'

const key = typedKey<string>('key')
const never = new SignalSource()

/** Callers by name, whose ends are recorded, and the flights that they started. */
function setUp() {
  const singleFlight = new SingleFlight()
  const flights: Flight<undefined, string>[] = []
  const ends: string[] = []
  const run = (name: string, of: typeof key | undefined, signal = never) =>
    singleFlight.run<string>(
      of,
      {
        ...{ member: undefined, signal },
        resolve: (value) => void ends.push(`${name} ${value}`),
        reject: (error) => void ends.push(`${name} rejects ${error}`),
      },
      (flight) => {
        flights.push(flight)
        flight.onCancel = (reason) => ends.push(`cancelled: ${reason}`)
      },
    )
  /** The ends since the last call. */
  const take = () => ends.splice(0)
  return { run, flights, take }
}

test('callers of one key share a flight, and callers of other keys or none do not', () => {
  const { run, flights, take } = setUp()
  const other = typedKey<string>('other')
  expect([run('a', key), run('b', key), run('c', other)]).toEqual([false, true, false])
  for (const name of ['d', 'e']) run(name, undefined)
  expect(flights).toHaveLength(4)
  for (const flight of flights) flight.resolve('done')
  expect(take()).toEqual(['a done', 'b done', 'c done', 'd done', 'e done'])
})

test.each(['resolve', 'reject'] as const)('a finished flight is not shared: %s', (end) => {
  const { run, flights } = setUp()
  run('a', key)
  flights[0]?.[end]('end')
  expect([run('b', key), flights.length]).toEqual([false, 2])
})

test('a flight is cancelled when its last caller leaves', () => {
  const { run, flights, take } = setUp()
  const [first, second] = [new SignalSource(), new SignalSource()]
  run('a', key, first)
  run('b', key, second)
  first.abort('left')
  expect([take(), flights[0]?.isCancelled]).toEqual([['a rejects left'], false])
  second.abort('gone')
  expect([take(), flights[0]?.isCancelled]).toEqual([['cancelled: gone', 'b rejects gone'], true])
})

test('a caller after a cancelled flight starts a new one', () => {
  const { run, flights, take } = setUp()
  const leaving = new SignalSource()
  run('a', key, leaving)
  leaving.abort('left')
  take()
  run('b', key)
  flights[0]?.reject('aborted')
  expect([run('c', key), flights.length]).toEqual([true, 2])
  flights[1]?.resolve('done')
  expect(take()).toEqual(['b done', 'c done'])
})

test('an aborted caller starts no flight, and an abort after the end has no effect', () => {
  const { run, flights, take } = setUp()
  const [left, leaving] = [new SignalSource(), new SignalSource()]
  left.abort('left')
  run('a', key, left)
  expect([flights, take()]).toEqual([[], ['a rejects left']])
  run('b', key, leaving)
  flights[0]?.resolve('done')
  leaving.abort('left')
  expect([flights[0]?.isCancelled, take()]).toEqual([false, ['b done']])
})
