import { expect, test } from 'vitest'
import { createFairScheduler } from '../../../src/kit/clock/fairScheduler.ts'
import { fakeClock } from '../../support/fakeClock.ts'

/** Turns on a clock that the work itself moves, and the names of the work done, in order. */
function recorder(rest?: number) {
  const timers = fakeClock()
  let worked = 0
  const clock = { ...timers, now: () => timers.now() + worked }
  const scheduler = createFairScheduler(clock, rest)
  const done: string[] = []
  const run = (client: string, name: string, milliseconds = 6) =>
    scheduler.run(client, () => {
      worked += milliseconds
      done.push(name)
    })
  return { scheduler, timers, done, run }
}

test('short work runs at once', () => {
  const { done, run } = recorder()
  for (let i = 0; i < 4; i += 1) expect(run('a', `a${i}`, 1)).toBeUndefined()
  expect(done).toEqual(['a0', 'a1', 'a2', 'a3'])
})

test.each([1, 5, 20])('a client continues after work of exactly %d ms in all', async (each) => {
  const { done, run, timers } = recorder()
  for (let i = 0; i < 20; i += 1) run('a', `a${i}`, each)
  await timers.advance(10_000)
  expect(done).toHaveLength(20)
})

test('a client that has used its share waits, and others do not', async () => {
  const { done, run, scheduler, timers } = recorder()
  for (const name of ['a0', 'a1', 'a2', 'a3', 'b0', 'b1']) run(name.charAt(0), name)
  expect([done, scheduler.waiting]).toEqual([['a0', 'b0'], 4])
  await timers.advance(100)
  expect([done, scheduler.waiting]).toEqual([['a0', 'b0', 'a1', 'b1', 'a2', 'a3'], 0])
})

test('all clients together have a bounded share of a round', async () => {
  const { done, run, timers } = recorder()
  for (let i = 0; i < 10; i += 1) run(`c${i}`, `c${i}`)
  expect(done).toHaveLength(4)
  await timers.advance(1_000)
  expect(done).toHaveLength(10)
})

test('waiting clients get equal time, not equal turns', async () => {
  const { done, run, timers } = recorder()
  run('a', 'a', 30)
  run('b', 'b', 30)
  for (let i = 0; i < 3; i += 1) run('a', 'A', 40)
  for (let i = 0; i < 40; i += 1) run('b', 'b', 1)
  await timers.advance(5_000)
  const text = done.slice(2).join('')
  const first = text.indexOf('A')
  expect(text.indexOf('A', first + 1) - first).toBeGreaterThan(25)
  expect(text.replaceAll('A', '')).toHaveLength(40)
})

test('the event loop is left idle as long as the work took, if there are other clients', async () => {
  const { run, timers, done } = recorder()
  run('b', 'b0', 1)
  run('a', 'a0', 40)
  run('a', 'a1', 2)
  await timers.advance(40)
  expect(done).toEqual(['b0', 'a0'])
  await timers.advance(1)
  expect(done).toEqual(['b0', 'a0', 'a1'])
})

test('the rest after the work of a single client is bounded', async () => {
  const { run, timers, done } = recorder()
  run('b', 'b0', 1)
  await timers.advance(1_000)
  for (const name of ['a0', 'a1', 'a2']) run('a', name, 1_001)
  expect(done).toEqual(['b0', 'a0'])
  await timers.advance(0)
  expect(done).toEqual(['b0', 'a0', 'a1', 'a2'])
})

test('a round of several waiting clients has no rest', async () => {
  const { run, timers, done } = recorder()
  for (const client of ['a', 'b']) run(client, client, 30)
  for (const client of ['a', 'b', 'a', 'b', 'a', 'b']) run(client, client, 30)
  await timers.advance(30)
  expect(done).toHaveLength(2 + 6)
})

test('the rest option makes the rest longer', async () => {
  const { run, timers, done } = recorder(3)
  run('a', 'a0', 10)
  run('a', 'a1', 2)
  await timers.advance(29)
  expect(done).toEqual(['a0'])
  await timers.advance(1)
  expect(done).toEqual(['a0', 'a1'])
})

test('the number of tasks in a round is bounded', async () => {
  const { run, timers, done } = recorder(1)
  run('a', 'first')
  for (let i = 0; i < 100; i += 1) run('a', `a${i}`, 0)
  let inFirstRound = 0
  timers.after(6, () => {
    inFirstRound = done.length
  })
  await timers.advance(100)
  expect(inFirstRound).toBe(65)
  expect(done).toHaveLength(101)
})

test('queued work returns its value or its error', async () => {
  const { scheduler, run, timers } = recorder()
  run('a', 'long')
  const value = scheduler.run('a', () => 7)
  const error = Promise.resolve(
    scheduler.run('a', () => {
      throw new Error('no')
    }),
  ).catch(({ message }) => message)
  expect(scheduler.waiting).toBe(2)
  await timers.advance(100)
  expect([await value, await error]).toEqual([7, 'no'])
})

test('queued work runs before later work of its client', async () => {
  const { run, timers, done } = recorder()
  run('a', 'a0')
  run('a', 'a1', 0)
  const later = timers.advance(100)
  run('a', 'a2', 0)
  await later
  expect(done).toEqual(['a0', 'a1', 'a2'])
})
