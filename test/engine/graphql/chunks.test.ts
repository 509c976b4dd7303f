import { expect, test } from 'vitest'
import { scan, splitIntoChunks } from '../../../src/engine/graphql/chunks.ts'
import { RequestScope } from '../../../src/engine/upstream/requestScope.ts'
import { createFairScheduler } from '../../../src/kit/clock/fairScheduler.ts'
import { SignalSource } from '../../../src/kit/clock/signal.ts'
import { fakeClock } from '../../support/fakeClock.ts'
import { scopeSources } from '../../support/scopeSources.ts'

const numbers = Array.from({ length: 3_500 }, (_, number) => number)
const own = (number: number) => number

/** Turns on a clock that the work itself moves, and the operation of a client. */
function start(client: string) {
  const timers = fakeClock()
  let worked = 0
  const scheduler = createFairScheduler({ ...timers, now: () => timers.now() + worked })
  const ending = new SignalSource()
  const scope = new RequestScope(ending, scopeSources(timers), { client })
  const work = (milliseconds: number) => {
    worked += milliseconds
  }
  return { timers, scheduler, scope, ending, work }
}

test('scan reads a list in order, and maps each item once', async () => {
  const { scheduler, scope } = start('a')
  const made: number[] = []
  const pieces = splitIntoChunks(numbers, (number) => {
    made.push(number)
    return -number
  })
  for (let round = 0; round < 3; round += 1) {
    const seen: number[] = []
    await scan({ scheduler, scope }, pieces, (value) => seen.push(-value))
    expect(seen).toEqual(numbers)
  }
  expect(made).toEqual(numbers)
})

test('scan of a long list lets other clients run between its chunks', async () => {
  const { scheduler, scope, timers, work } = start('a')
  const log: string[] = []
  const scanning = scan({ scheduler, scope }, splitIntoChunks(numbers, own), (number) => {
    if (number % 1_000 === 0) log.push('a')
    // A piece takes 10 ms, which is more than the share of a client.
    work(0.01)
  })
  const others = (async () => {
    for (let count = 0; count < 4; count += 1) {
      await scheduler.run('b', () => {
        log.push('b')
        work(6)
      })
    }
  })()
  await timers.advance(10_000)
  await Promise.all([scanning, others])
  expect(log.toSorted().join('')).toBe('aaaabbbb')
  expect(log.join('')).not.toContain('aa')
})

test('scan stops when its operation is aborted', async () => {
  const { scheduler, scope, ending } = start('a')
  let read = 0
  const scanning = scan({ scheduler, scope }, splitIntoChunks(numbers, own), () => {
    read += 1
    if (read === 1_500) ending.abort(new Error('gone'))
  })
  await expect(scanning).rejects.toThrow('gone')
  expect(read).toBe(2_000)
})
