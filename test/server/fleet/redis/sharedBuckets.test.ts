import { describe, expect, test } from 'vitest'
import type { RedisSession } from '../../../../src/engine/redis/redisSession.ts'
import { SignalSource } from '../../../../src/kit/clock/signal.ts'
import { createSharedBuckets } from '../../../../src/server/fleet/sharedBuckets.ts'
import { fakeClock } from '../../../support/fakeClock.ts'
import { hasRedis, startRedis } from '../../../support/redisServer.ts'

const size = { pointsPerSecond: 10, burst: 100 }

/** What one command takes: the key of each bucket, and the points, the points a second and the size. */
type Taken = readonly [key: string, points: number, perSecond: number, burst: number]

/** Buckets over a Redis that a test answers. It is answered at once by default, as if each bucket had held 100. */
function setUp() {
  const clock = fakeClock()
  const signal = new SignalSource()
  const commands: { readonly at: number; readonly taken: readonly Taken[] }[] = []
  const left: [string, number][] = []
  const state = {
    reply: async (taken: readonly Taken[]): Promise<unknown> => taken.map(([, points]) => (100 - points).toFixed(3)),
  }
  const client = {
    async eval(_script: string, count: number, ...all: (string | number)[]) {
      const values = all.slice(count).map(Number)
      const taken = all.slice(0, count).map((key, index): Taken => {
        const [points = 0, perSecond = 0, burst = 0] = values.slice(3 * index, 3 * index + 3)
        return [String(key), points, perSecond, burst]
      })
      commands.push({ at: clock.now(), taken })
      return state.reply(taken)
    },
  }
  const session = {
    ...{ prefix: 'fleet', signal },
    run: (command: (redis: typeof client) => Promise<unknown>) => command(client),
  } as unknown as RedisSession
  const link = { session: session as RedisSession | undefined }
  const buckets = createSharedBuckets(link, clock, (name, points) => left.push([name, points]))
  return { ...buckets, clock, signal, commands, left, state, link, session }
}

test('points taken at the same time are sent in one command', async () => {
  const { take, clock, commands, left } = setUp()
  take('a', 3, size)
  take('b', 5, { pointsPerSecond: 2, burst: 7 })
  take('a', 4, size)
  expect(commands).toEqual([])
  await clock.advance(0)
  expect(commands).toEqual([
    {
      at: 0,
      taken: [
        ['fleet:bucket:a', 7, 10, 100],
        ['fleet:bucket:b', 5, 2, 7],
      ],
    },
  ])
  expect(left).toEqual([
    ['a', 93],
    ['b', 95],
  ])
})

test('points taken later are collected for 50 ms', async () => {
  const { take, clock, commands } = setUp()
  take('a', 1, size)
  await clock.advance(1)
  take('a', 2, size)
  await clock.advance(20)
  take('a', 3, size)
  await clock.advance(28)
  expect(commands).toHaveLength(1)
  await clock.advance(1)
  expect(commands).toHaveLength(2)
  expect(commands[1]).toEqual({ at: 50, taken: [['fleet:bucket:a', 5, 10, 100]] })
  // Then nothing more is sent, and the next client is told at once again.
  await clock.advance(1_000)
  expect(commands).toHaveLength(2)
  take('a', 6, size)
  await clock.advance(0)
  expect(commands[2]).toEqual({ at: 1_050, taken: [['fleet:bucket:a', 6, 10, 100]] })
})

test('points taken during a command are subtracted from its reply', async () => {
  const { take, clock, left, state } = setUp()
  let answer = (_left: string[]) => {}
  state.reply = () =>
    new Promise((resolve) => {
      answer = resolve
    })
  take('a', 10, size)
  take('b', 20, size)
  await clock.advance(0)
  take('a', 15, size)
  answer(['90.000', '80.000'])
  await clock.advance(0)
  expect(left).toEqual([
    ['a', 75],
    ['b', 80],
  ])
})

test('a command takes from at most 200 buckets, and the next one follows', async () => {
  const { take, clock, commands } = setUp()
  for (let client = 0; client < 450; client += 1) take(`c${client}`, 1, size)
  await clock.advance(0)
  expect(commands.map(({ at, taken }) => [at, taken.length])).toEqual([
    [0, 200],
    [0, 200],
  ])
  await clock.advance(50)
  expect(commands.map(({ at, taken }) => [at, taken.length])).toEqual([
    [0, 200],
    [0, 200],
    [50, 50],
  ])
  expect(new Set(commands.flatMap(({ taken }) => taken.map(([key]) => key))).size).toBe(450)
})

test('a full command of 200 buckets is sent at once', async () => {
  const { take, clock, commands } = setUp()
  for (let client = 0; client < 400; client += 1) take(`c${client}`, 1, size)
  await clock.advance(0)
  expect(commands.map(({ at, taken }) => [at, taken.length])).toEqual([
    [0, 200],
    [0, 200],
  ])
})

test('points taken without a Redis session are dropped', async () => {
  const { take, clock, commands, link, session } = setUp()
  link.session = undefined
  take('a', 50, size)
  await clock.advance(1_000)
  link.session = session
  take('a', 1, size)
  await clock.advance(0)
  expect(commands.map(({ taken }) => taken)).toEqual([[['fleet:bucket:a', 1, 10, 100]]])
})

test.each([
  ['fails', () => Promise.reject(new Error('gone'))],
  ['is not a list of numbers', async () => ['many']],
])('waiting points are dropped if the reply %s', async (_case, reply) => {
  const { take, clock, commands, left, state } = setUp()
  const well = state.reply
  state.reply = async () => {
    take('b', 9, size)
    return reply()
  }
  take('a', 1, size)
  await clock.advance(1_000)
  expect(commands).toHaveLength(1)
  expect(left).toEqual([])
  state.reply = well
  take('c', 2, size)
  await clock.advance(0)
  expect(commands[1]?.taken).toEqual([['fleet:bucket:c', 2, 10, 100]])
  expect(left).toEqual([['c', 98]])
})

test('a short reply reports only its buckets', async () => {
  const { take, clock, left, state } = setUp()
  state.reply = async () => ['1.5']
  take('a', 1, size)
  take('b', 1, size)
  await clock.advance(0)
  expect(left).toEqual([['a', 1.5]])
})

test('waiting points are dropped when the session ends', async () => {
  const { take, clock, signal, commands, link, session } = setUp()
  take('a', 1, size)
  await clock.advance(0)
  take('a', 2, size)
  signal.abort()
  await clock.advance(100)
  expect(commands).toHaveLength(1)
  link.session = Object.assign(Object.create(session), { signal: new SignalSource() })
  take('a', 3, size)
  await clock.advance(0)
  expect(commands[1]?.taken).toEqual([['fleet:bucket:a', 3, 10, 100]])
})

describe.runIf(hasRedis)('a bucket in Redis', () => {
  test('refills up to its size, overdraws by at most its size, and is deleted when full', async () => {
    await using redis = await startRedis()
    const { client } = redis
    const clock = fakeClock()
    const left: number[] = []
    const session = {
      ...{ prefix: 'fleet', signal: new SignalSource() },
      run: (command: (open: typeof client) => Promise<unknown>) => command(client),
    } as unknown as RedisSession
    const { take } = createSharedBuckets({ session }, clock, (_name, points) => left.push(points))
    const key = 'fleet:bucket:a'
    /** What is left, after so many points were taken from it. */
    const after = async (points: number, perSecond = 0.001) => {
      left.length = 0
      take('a', points, { pointsPerSecond: perSecond, burst: 100 })
      const answers = async () => {
        await clock.advance(50)
        return left.length
      }
      await expect.poll(answers).toBe(1)
      return left[0]
    }
    expect(await after(30)).toBeCloseTo(70, 1)
    expect(await after(50.5)).toBeCloseTo(19.5, 1)
    // It is full again after 80.5 points, at a thousandth of a point a second.
    expect(await client.pttl(key)).toBeGreaterThan(80_000_000)
    expect(await client.pttl(key)).toBeLessThanOrEqual(80_500_000)
    expect(await after(1_000)).toBe(-100)
    await client.hset(key, 'points', 40, 'at', Date.now() - 10_000)
    const filled = (await after(5, 2)) ?? 0
    expect(filled).toBeGreaterThanOrEqual(54.9)
    expect(filled).toBeLessThan(75)
    await client.hset(key, 'points', 40, 'at', Date.now() - 1e9)
    expect(await after(0, 2)).toBe(100)
    expect(await client.hget(key, 'points')).toBe('40')
    await client.del(key)
    expect(await after(0)).toBe(100)
    expect(await client.exists(key)).toBe(0)
  })
})
