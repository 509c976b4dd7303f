import { expect, test } from 'vitest'
import type { Outcome, ReadRequest } from '../../src/fleet/sharedReads/sharedReads.ts'
import { createWorkerReads, type WorkerReads } from '../../src/fleet/sharedReads/workerReads.ts'
import { createMemoryCacheStore } from '../../src/kit/cache/cache.ts'
import { createRateLimiter } from '../../src/server/clients/rateLimit.ts'
import { createSharedHub } from '../../src/workers/sharedHub.ts'
import { createSharedQuota } from '../../src/workers/sharedQuota.ts'
import { type SharedBudget, shareBudget } from '../../src/workers/spending.ts'
import { fakeClock } from '../support/fakeClock.ts'

const minute = 60_000
const status: ReadRequest = {
  ...{ service: 'router', source: 'router', target: '/status', route: '/status' },
}
const quotas = { maxTargetsPerClient: 2, maxTargets: 3 }
const { signal } = new AbortController()

const body = (text: string): Outcome => ({ body: text })

/** A request of a worker, which a test answers. */
interface Run {
  readonly read: ReadRequest
  resolve(outcome: Outcome | undefined): void
  reject(error: Error): void
}

/** A primary process, and a way to add workers, without the processes between them. */
function setUp() {
  const moving = fakeClock()
  const timers = new Set<object>()
  const clock: typeof moving = {
    ...moving,
    after(milliseconds, run) {
      const timer = {}
      timers.add(timer)
      const cancel = moving.after(milliseconds, run)
      return () => {
        timers.delete(timer)
        cancel()
      }
    },
  }
  const hub = createSharedHub(clock, quotas)

  /** Adds a worker. With `answer`, its requests are answered at once. */
  const addWorker = (answer?: Outcome) => {
    const runs: Run[] = []
    const refused: string[] = []
    const told: number[] = []
    const run = (read: ReadRequest) =>
      new Promise<Outcome | undefined>((resolve, reject) => {
        runs.push({ read, resolve, reject })
        if (answer) resolve(answer)
      })
    const seat = hub.join({
      run,
      onPeerRead: (read, result) => reads.onPeerRead(read, result),
      onSpent(spent) {
        told.push(spent.length)
        budget.onSpent(spent)
      },
    })
    const reads: WorkerReads = createWorkerReads(seat, run)
    const limits = { pointsPerSecond: 100, burst: 200 }
    const limiter = createRateLimiter({
      ...{ clock, cache: createMemoryCacheStore(clock) },
      limitOf: (client) => (client === 'free' ? undefined : limits),
    })
    const budget: SharedBudget = shareBudget(limiter, clock, seat.spend)
    const quota = createSharedQuota(quotas, seat)
    return {
      ...{ runs, reads, budget, refused, told },
      read: (maxAgeMs = 0, wanted: Partial<ReadRequest> = {}, options = { signal }) =>
        reads.read({ ...status, ...wanted }, { timeoutMs: 4_000, maxAgeMs, ...options }),
      watch: (client: string, target: string) =>
        quota.acquire(client, target, (error) => refused.push((error as Error).message)),
      end() {
        seat.leave()
        for (const { reject } of runs) reject(new Error('ended'))
      },
    }
  }
  return { clock, timers, addWorker }
}

/** Lets the primary answer. */
const answers = () => new Promise((resolve) => setImmediate(resolve))

test('equal reads of several workers are one request, whose body all of them get', async () => {
  const { clock, timers, addWorker } = setUp()
  const [first, second] = [addWorker(), addWorker()]
  const readings = [first.read(), second.read(), second.read()]
  await clock.advance(1)
  first.runs[0]?.resolve(body('a'))
  const result = { outcome: body('a'), ageMs: 0, seriesMs: 0 }
  expect(await Promise.all(readings)).toEqual([
    { ...result, isShared: false },
    { ...result, isShared: true },
    { ...result, isShared: true },
  ])
  expect(timers.size).toBe(0)
  await clock.advance(10_000)
  expect([first.runs.length, second.runs.length]).toEqual([1, 0])
})

test('reads of other targets, sources and bodies are other reads', async () => {
  const { addWorker } = setUp()
  const [first, second] = [addWorker(), addWorker()]
  const others = [
    ...[{}, { target: '/other' }, { source: 'elsewhere' }],
    ...[{ body: '{"a":1}' }, { body: '{"a":2}' }],
  ]
  const all = [first, second].flatMap(({ read }) => others.map((other) => read(500, other)))
  await answers()
  expect(first.runs.map(({ read }) => read)).toEqual(
    others.map((other) => ({ ...status, ...other })),
  )
  expect(second.runs).toEqual([])
  for (const [index, { resolve }] of first.runs.entries()) resolve(body(`${index}`))
  const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['0', '1', '2', '3', '4', '0', '1', '2', '3', '4'].map(body))
})

test('the newest outcome answers while it is young enough, for five minutes at most', async () => {
  const { clock, addWorker } = setUp()
  const [first, second] = [addWorker(body('a')), addWorker(body('b'))]
  await first.read()
  await clock.advance(700)
  const kept = { outcome: body('a'), ageMs: 700, seriesMs: 700, isShared: true }
  expect(await second.read(700)).toEqual(kept)
  await second.read(699)
  expect(second.runs).toHaveLength(1)
  await clock.advance(5 * minute)
  await first.read(Number.POSITIVE_INFINITY)
  expect(first.runs).toHaveLength(1)
  await clock.advance(1)
  await first.read(Number.POSITIVE_INFINITY)
  expect(first.runs).toHaveLength(2)
})

test('outcomes are kept in 64 MiB, and the oldest go first', async () => {
  // A body takes up two bytes a character.
  const { runs, read } = setUp().addWorker(body('x'.repeat(2 ** 20)))
  const readFrom = async (from: number, to: number) => {
    for (let index = from; index < to; index += 1) {
      await read(Number.POSITIVE_INFINITY, { target: `/${index}` })
    }
  }
  await readFrom(0, 31)
  await readFrom(0, 1)
  expect(runs).toHaveLength(31)
  await readFrom(31, 33)
  await readFrom(0, 1)
  expect(runs).toHaveLength(33)
  await readFrom(1, 2)
  expect(runs).toHaveLength(34)
})

test('a reading says since when its series of reads goes on', async () => {
  const { clock, addWorker } = setUp()
  const { read } = addWorker(body('a'))
  await read(-1)
  await clock.advance(2 * minute)
  expect((await read(-1)).seriesMs).toBe(2 * minute)
  await clock.advance(2 * minute + 1)
  expect((await read(-1)).seriesMs).toBe(0)
})

test('a read of a worker that ends is given at once to another one that still waits', async () => {
  const { clock, addWorker } = setUp()
  const [first, second, third] = [addWorker(), addWorker(), addWorker()]
  const followed: unknown[] = []
  second.reads.follow(status, (result) => followed.push(result))
  for (const { read } of [first, second]) read().catch(() => {})
  const reading = third.read()
  await clock.advance(500)
  expect(third.runs).toHaveLength(0)
  second.end()
  first.end()
  await clock.advance(0)
  third.runs[0]?.resolve(body('b'))
  expect(await reading).toEqual({ outcome: body('b'), ageMs: 0, seriesMs: 0, isShared: false })
  expect([second.runs, followed]).toEqual([[], []])
})

test('a worker that is stuck holds the others no longer than its request may take', async () => {
  const { clock, addWorker } = setUp()
  const [first, second] = [addWorker(), addWorker()]
  void first.read()
  const reading = second.read()
  await clock.advance(4_999)
  expect(second.runs).toHaveLength(0)
  await clock.advance(1)
  second.runs[0]?.resolve(body('b'))
  expect((await reading).outcome).toEqual(body('b'))
})

test('followers get what another worker reads of their body, until as many of them have left', async () => {
  const { addWorker } = setUp()
  const [first, second, third] = [addWorker(body('a')), addWorker(), addWorker()]
  let news: string[] = []
  const follow = (worker: typeof first, name: string, read = status) =>
    worker.reads.follow(read, ({ isShared }) => news.push(`${name} ${isShared}`))
  follow(first, 'first')
  follow(second, 'second')
  follow(second, 'other', { ...status, body: '{"amount":1}' })
  const leave = [follow(third, 'third'), follow(third, 'again')]
  const newsOf = async (wanted?: Partial<ReadRequest>) => {
    news = []
    await first.read(-1, wanted)
    return news
  }
  expect(await newsOf()).toEqual(['second true', 'third true', 'again true'])
  leave[0]?.()
  expect(await newsOf()).toEqual(['second true', 'again true'])
  leave[1]?.()
  expect(await newsOf()).toEqual(['second true'])
  expect(await newsOf({ body: '{"amount":1}' })).toEqual(['other true'])
  second.end()
  expect(await newsOf()).toEqual([])
})

test('the primary tells a worker of a read until as many calls have ended that', async () => {
  const news: unknown[] = []
  const hub = createSharedHub(fakeClock(), quotas)
  const worker = { run: async () => body('a'), onPeerRead: () => {}, onSpent: () => {} }
  const reader = hub.join(worker)
  const follower = hub.join({ ...worker, onPeerRead: (read) => news.push(read) })
  follower.follow(status)
  follower.follow(status)
  for (const told of [1, 2, 2]) {
    await reader.read(status, -1, 4_000)
    expect(news).toHaveLength(told)
    follower.unfollow(status)
  }
})

test('a worker that does not know the service passes the read on, and the last one says so', async () => {
  const { clock, addWorker } = setUp()
  const workers = [addWorker(), addWorker()]
  const readings = workers.map(({ read }) => read())
  for (const { runs } of workers) {
    await clock.advance(0)
    runs[0]?.resolve(undefined)
  }
  await clock.advance(0)
  // Each then tries by itself.
  for (const [index, outcome] of [undefined, body('c')].entries()) {
    workers[index]?.runs[1]?.resolve(outcome)
  }
  const [fault, found] = await Promise.all(readings)
  expect(fault?.outcome).toMatchObject({ fault: { code: 'UPSTREAM_UNAVAILABLE' } })
  expect(found?.outcome).toEqual(body('c'))
})

test('an abort ends the wait with its reason, and closing makes the wait a request of its own', async () => {
  const { clock, addWorker } = setUp()
  const [first, second] = [addWorker(), addWorker()]
  void first.read()
  const controller = new AbortController()
  const aborted = second.read(0, {}, { signal: controller.signal })
  const reading = second.read()
  await clock.advance(0)
  controller.abort(new Error('left'))
  await expect(aborted).rejects.toThrow('left')
  await second.reads.close()
  second.runs[0]?.resolve(body('d'))
  expect((await reading).outcome).toEqual(body('d'))
})

test('a client may watch as much at all workers together as at one', async () => {
  const { addWorker } = setUp()
  const [first, second] = [addWorker(), addWorker()]
  first.watch('a', '1')
  const release = second.watch('a', '2')
  await answers()
  const leave = second.watch('a', '3')
  await answers()
  // The end of what was refused frees nothing of others.
  leave()
  second.watch('a', '3')()
  await answers()
  const refusal = 'This client watches too many transfers and transactions. The limit is 2.'
  expect([first.refused, second.refused]).toEqual([[], [refusal, refusal]])
  // One target counts once, at whichever worker.
  second.watch('a', '1')
  release()
  first.watch('a', '4')
  await answers()
  expect(first.refused).toEqual([])
})

test('what a worker knows to be too much is refused at once', () => {
  const { watch } = setUp().addWorker()
  watch('a', '1')
  watch('a', '2')
  expect(() => watch('a', '3')).toThrow('This client watches too many')
})

test('all clients together watch no more than the limit, and a worker that ends frees its part', async () => {
  const { addWorker } = setUp()
  const [first, second] = [addWorker(), addWorker()]
  first.watch('a', '1')
  first.watch('b', '2')
  second.watch('c', '3')
  second.watch('d', '4')
  await answers()
  const refusal = 'Too many transfers and transactions are watched. Try again later.'
  expect(second.refused).toEqual([refusal])
  first.end()
  second.watch('d', '4')
  await answers()
  expect(second.refused).toEqual([refusal])
})

test('what a client spends at one worker is gone at the other', async () => {
  const { clock, addWorker } = setUp()
  const [first, second] = [addWorker(), addWorker()]
  expect(first.budget.charge('a', 150)).toBeUndefined()
  first.budget.spend('a', 20)
  first.budget.charge('free', 1_000)
  await clock.advance(100)
  expect([first.budget.left('a'), second.budget.left('a'), second.budget.left('b')]).toEqual([
    40, 30, 200,
  ])
  const refused = { code: 'RATE_LIMITED' }
  expect(second.budget.charge('a', 100)?.extensions).toMatchObject(refused)
  await clock.advance(100)
  // Nobody is told of a refused operation, nor of a client without a limit.
  expect([first.told, second.told]).toEqual([[], [1]])
})

test('what a client spends at both before they know is taken from what it gets later', async () => {
  const { clock, addWorker } = setUp()
  const budgets = [addWorker().budget, addWorker().budget]
  for (const { charge } of budgets) expect(charge('a', 200)).toBeUndefined()
  const left = () => budgets.map((budget) => budget.left('a'))
  await clock.advance(1_000)
  // 400 of 200 points were spent, and 100 have come back.
  expect(left()).toEqual([0, 0])
  await clock.advance(2_000)
  expect(left()).toEqual([100, 100])
})
