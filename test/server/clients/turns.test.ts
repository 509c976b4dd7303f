import { expect, test } from 'vitest'
import { createTurns } from '../../../src/server/clients/turns.ts'
import { fakeClock } from '../../support/fakeClock.ts'

/** Turns on a clock that the work itself moves, and the names of the work done, in order. */
function recorder() {
  const timers = fakeClock()
  let worked = 0
  const clock = { ...timers, now: () => timers.now() + worked }
  const turns = createTurns(clock)
  const done: string[] = []
  const run = (client: string, name: string, milliseconds = 6) =>
    turns.run(client, () => {
      worked += milliseconds
      done.push(name)
    })
  return { turns, timers, done, run }
}

test('work runs at once while there is little to do', () => {
  const { done, run } = recorder()
  for (let i = 0; i < 4; i += 1) expect(run('a', `a${i}`, 1)).toBeUndefined()
  expect(done).toEqual(['a0', 'a1', 'a2', 'a3'])
})

test('a client with much work lets the others have their turns', async () => {
  const stage = recorder()
  for (const name of ['a0', 'a1', 'a2', 'a3']) stage.run('a', name)
  for (const name of ['b0', 'b1']) stage.run('b', name)
  expect(stage.done).toEqual(['a0'])
  await stage.timers.advance(100)
  expect(stage.done).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3'])
  expect(stage.turns.waiting).toBe(0)
})

test('the event loop may do something else after each slice of work', async () => {
  const { run, timers, done } = recorder()
  let slices = 0
  for (let i = 0; i < 6; i += 1) run('a', `a${i}`, 3)
  timers.after(6, () => {
    slices = done.length
  })
  expect(done).toEqual(['a0', 'a1'])
  await timers.advance(100)
  expect(slices).toBe(4)
  expect(done).toHaveLength(6)
})

test('work that goes on for a while after its start has a bounded share of a slice', async () => {
  const { run, timers, done } = recorder()
  run('a', 'first')
  for (let i = 0; i < 40; i += 1) run('a', `a${i}`, 0)
  let inFirstSlice = 0
  timers.after(6, () => {
    inFirstSlice = done.length
  })
  await timers.advance(100)
  expect(inFirstSlice).toBe(17)
  expect(done).toHaveLength(41)
})

test('long work is followed by as much time for other things', async () => {
  const { run, timers, done } = recorder()
  run('a', 'a0', 40)
  run('a', 'a1', 2)
  await timers.advance(39)
  expect(done).toEqual(['a0'])
  await timers.advance(1)
  expect(done).toEqual(['a0', 'a1'])
})

test('work that had to wait gives its value or its error', async () => {
  const { turns, run, timers } = recorder()
  run('a', 'long')
  const value = turns.run('a', () => 7)
  const error = Promise.resolve(
    turns.run('a', () => {
      throw new Error('no')
    }),
  ).catch(({ message }) => message)
  expect(turns.waiting).toBe(2)
  await timers.advance(100)
  expect([await value, await error]).toEqual([7, 'no'])
})

test('a call that had to wait comes before the next call of its client', async () => {
  const { run, timers, done } = recorder()
  run('a', 'a0')
  run('a', 'a1', 0)
  const later = timers.advance(100)
  run('a', 'a2', 0)
  await later
  expect(done).toEqual(['a0', 'a1', 'a2'])
})
