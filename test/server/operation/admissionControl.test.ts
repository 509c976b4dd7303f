import { expect, test } from 'vitest'
import { type Signal, SignalSource } from '../../../src/kit/clock/signal.ts'
import { createAdmissionControl } from '../../../src/server/operation/admissionControl.ts'
import { fakeClock } from '../../support/fakeClock.ts'

/** Operations that end when they are told to, on an event loop that is idle for a share of the time. */
function setUp() {
  const real = fakeClock()
  const loop = { share: 0, stoodStillMs: 0 }
  const clock = { ...real, now: () => real.now() + loop.stoodStillMs }
  let idle = 0
  let lookedAt = 0
  const heavy = createAdmissionControl(clock, () => {
    idle += (clock.now() - lookedAt) * loop.share
    lookedAt = clock.now()
    return idle
  })
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (client: string, name: string, points = 6_400, signal: Signal = new SignalSource()) =>
    heavy.run(client, points, signal, () => {
      started.push(name)
      return new Promise<string>((resolve) => ends.set(name, () => resolve(`${name} ended`)))
    })
  const end = async (name: string) => {
    ends.get(name)?.()
    await clock.advance(0)
  }
  return { clock, loop, heavy, started, run, end }
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

test('ten operations of 6,400 points run at once, and others wait in order', async () => {
  const { started, run, end, heavy } = setUp()
  const all = names('a', 13).map((name) => run('a', name))
  expect(started).toEqual(names('a', 10))
  expect(heavy.waiting).toBe(3)
  await end('a4')
  expect(started.slice(10)).toEqual(['a10'])
  await end('a7')
  await end('a10')
  expect(started.slice(10)).toEqual(['a10', 'a11', 'a12'])
  expect(heavy.waiting).toBe(0)
  await end('a12')
  expect(await all[12]).toBe('a12 ended')
})

test('light operations never wait and are not counted', () => {
  const { started, run } = setUp()
  for (const name of names('light', 500)) run('a', name, 999)
  for (const name of names('heavy', 20)) run('a', name)
  run('a', 'late', 999)
  expect(started).toEqual([...names('light', 500), ...names('heavy', 10), 'late'])
})

test('an operation over the limit starts alone, whatever its cost', async () => {
  const { started, run, end } = setUp()
  for (const name of ['a', 'b', 'c']) run('x', name, 1_000_000)
  expect(started).toEqual(['a'])
  await end('a')
  expect(started).toEqual(['a', 'b'])
})

test('waiting clients take turns, one operation each', async () => {
  const { started, run, end } = setUp()
  for (const name of names('a', 13)) run('a', name)
  run('b', 'b0')
  run('c', 'c0')
  run('c', 'c1')
  for (const name of names('a', 6)) await end(name)
  expect(started.slice(10)).toEqual(['a10', 'b0', 'c0', 'a11', 'c1', 'a12'])
})

test('synchronous operations take no room', () => {
  const { heavy } = setUp()
  for (let i = 0; i < 100; i += 1) expect(heavy.run('a', 10_000, new SignalSource(), () => i)).toBe(i)
  expect(heavy.waiting).toBe(0)
})

test('the event loop runs between synchronous operations', async () => {
  const { clock, heavy, run, end } = setUp()
  for (const name of names('a', 10)) run('a', name)
  let ended = 0
  for (let i = 0; i < 50; i += 1) void heavy.run('a', 6_400, new SignalSource(), () => (ended += 1))
  const seen: number[] = []
  const look = () => {
    seen.push(ended)
    if (ended < 50) clock.after(0, look)
  }
  clock.after(0, look)
  await end('a0')
  await clock.advance(1)
  expect(ended).toBe(50)
  expect(seen.length).toBeGreaterThan(40)
})

test('more operations start while the event loop is idle, slowly at first', async () => {
  const { clock, loop, started, run } = setUp()
  for (const name of names('a', 500)) run('a', name)
  loop.share = 1
  await clock.advance(5)
  expect(started).toHaveLength(11)
  await clock.advance(95)
  expect(started).toHaveLength(26)
  await clock.advance(400)
  expect(started).toHaveLength(500)
})

test('a busy event loop stops additional operations, and lowers the bound again', async () => {
  const { clock, loop, started, run, end } = setUp()
  for (const name of names('a', 60)) run('a', name)
  loop.share = 0.05
  await clock.advance(200)
  expect(started).toHaveLength(10)
  loop.share = 1
  await clock.advance(100)
  expect(started).toHaveLength(26)
  loop.share = 0
  await clock.advance(1_000)
  for (const name of names('a', 10)) await end(name)
  expect(started).toHaveLength(26)
  await end('a10')
  expect(started).toHaveLength(27)
})

test('a blocked event loop does not start all operations at once', async () => {
  const { clock, loop, started, run } = setUp()
  for (const name of names('a', 500)) run('a', name)
  loop.share = 1
  loop.stoodStillMs = 3_000
  await clock.advance(5)
  expect(started.length).toBeLessThan(25)
})

test('operations that wait for a slow upstream do not block others', async () => {
  const { clock, started, run, end } = setUp()
  for (const name of names('slow', 10)) run('a', name)
  run('b', 'b0')
  await clock.advance(1_999)
  expect(started).not.toContain('b0')
  await clock.advance(1)
  expect(started).toContain('b0')
  for (const name of names('slow', 10)) await end(name)
  for (const name of names('c', 15)) run('c', name)
  expect(started.filter((name) => name.startsWith('c'))).toHaveLength(9)
})

test('failed operations make room, synchronous or not', async () => {
  const { clock, heavy, started, run, end } = setUp()
  const fail = () => {
    throw new Error('at once')
  }
  expect(() => heavy.run('a', 6_400, new SignalSource(), fail)).toThrow('at once')
  const later = heavy.run('a', 64_000, new SignalSource(), () => clock.advance(1).then(fail))
  const waiting = heavy.run('a', 6_400, new SignalSource(), fail)
  run('a', 'next')
  await expect(later).rejects.toThrow('at once')
  await expect(waiting).rejects.toThrow('at once')
  await end('next')
  expect(started).toEqual(['next'])
  expect(heavy.waiting).toBe(0)
})

test('a waiting operation that is aborted never starts', async () => {
  const { started, run, end, heavy } = setUp()
  for (const name of names('a', 10)) run('a', name)
  const signal = new SignalSource()
  const late = run('b', 'late', 6_400, signal)
  const alone = new SignalSource()
  const gone = run('c', 'gone', 6_400, alone)
  run('b', 'next')
  signal.abort(new Error('too late'))
  alone.abort(new Error('gone'))
  await expect(late).rejects.toThrow('too late')
  await expect(gone).rejects.toThrow('gone')
  expect(heavy.waiting).toBe(1)
  await end('a0')
  expect(started.at(-1)).toBe('next')
  expect(started).not.toContain('late')
  expect(heavy.waiting).toBe(0)
})
