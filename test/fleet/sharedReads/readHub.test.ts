import { expect, test } from 'vitest'
import { createReadHub, type ReadHub } from '../../../src/fleet/sharedReads/readHub.ts'
import type {
  Outcome,
  ReadRequest,
  ReadResult,
} from '../../../src/fleet/sharedReads/sharedReads.ts'
import { fakeClock } from '../../support/fakeClock.ts'

const minute = 60_000

const readOf = (target: string, source = 'router@here'): ReadRequest => ({
  ...{ service: 'router', source, target, route: '/status' },
})
const status = readOf('/status')
const body = (text: string): Outcome => ({ body: text })

/** A worker of a hub that answers each read with `answer`, and notes what it was asked and told. */
function join(
  hub: ReadHub,
  answer: (read: ReadRequest) => Promise<Outcome | undefined> = async () => body('a'),
) {
  const runs: string[] = []
  const news: ReadResult[] = []
  const seat = hub.join({
    run(read) {
      runs.push(`${read.source} ${read.target}`)
      return answer(read)
    },
    onPeerRead: (_read, result) => news.push(result),
  })
  const read = (wanted = status, maxAgeMs = Number.POSITIVE_INFINITY) =>
    seat.read(wanted, maxAgeMs, 4_000)
  return { seat, runs, news, read }
}

test('reads of other targets and other sources are other reads', async () => {
  const worker = join(createReadHub(fakeClock()))
  for (const read of [status, readOf('/other'), readOf('/status', 'router@elsewhere'), status])
    await worker.read(read)
  expect(worker.runs).toEqual([
    'router@here /status',
    'router@here /other',
    'router@elsewhere /status',
  ])
})

test('an outcome is kept for five minutes', async () => {
  const clock = fakeClock()
  const worker = join(createReadHub(clock))
  await worker.read()
  await clock.advance(5 * minute)
  await worker.read()
  expect(worker.runs).toHaveLength(1)
  await clock.advance(1)
  await worker.read()
  expect(worker.runs).toHaveLength(2)
})

test('outcomes are kept in 64 MiB, and the oldest go first', async () => {
  const text = 'x'.repeat(2 ** 20)
  const worker = join(createReadHub(fakeClock()), async () => body(text))
  // A body takes up two bytes a character.
  const reads = Array.from({ length: 33 }, (_, index) => readOf(`/${index}`))
  for (const read of reads.slice(0, 31)) await worker.read(read)
  await worker.read(reads[0])
  expect(worker.runs).toHaveLength(31)
  for (const read of reads.slice(31)) await worker.read(read)
  await worker.read(reads[0])
  expect(worker.runs).toHaveLength(33)
  await worker.read(reads[1])
  expect(worker.runs).toHaveLength(34)
})

test('a worker gets the news of a read until it has unfollowed it as often as it followed it', async () => {
  const hub = createReadHub(fakeClock())
  const [reader, follower] = [join(hub), join(hub)]
  follower.seat.follow(status)
  follower.seat.follow(status)
  const newsAfterRead = async () => {
    follower.news.length = 0
    await reader.read(status, -1)
    return follower.news.length
  }
  expect(await newsAfterRead()).toBe(1)
  follower.seat.unfollow(status)
  expect(await newsAfterRead()).toBe(1)
  follower.seat.unfollow(status)
  expect(await newsAfterRead()).toBe(0)
})

test('a worker that has ended is neither told nor asked', async () => {
  const clock = fakeClock()
  const hub = createReadHub(clock)
  let answer = (_outcome: Outcome | undefined) => {}
  const first = join(hub, () => new Promise((resolve) => (answer = resolve)))
  const [second, third] = [join(hub), join(hub)]
  second.seat.follow(status)
  const readings = [first, second, third].map((worker) => worker.read())
  second.seat.leave()
  answer(undefined)
  expect((await readings[2])?.outcome).toEqual(body('a'))
  expect([second.runs, second.news, third.runs.length]).toEqual([[], [], 1])
})

test('one worker sends a request, and no other one after it', async () => {
  const clock = fakeClock()
  const hub = createReadHub(clock)
  const [first, second] = [join(hub), join(hub)]
  await Promise.all([first.read(), second.read()])
  await clock.advance(10_000)
  expect([first.runs.length, second.runs.length]).toEqual([1, 0])
})

test('a reading says since when its series of reads goes on', async () => {
  const clock = fakeClock()
  const worker = join(createReadHub(clock))
  await worker.read(status, -1)
  await clock.advance(2 * minute)
  expect((await worker.read(status, -1))?.seriesMs).toBe(2 * minute)
  await clock.advance(2 * minute + 1)
  expect((await worker.read(status, -1))?.seriesMs).toBe(0)
})

test('no timer is left of a read that has ended', async () => {
  const clock = fakeClock()
  let timers = 0
  const counting: typeof clock = {
    ...clock,
    after(milliseconds, run) {
      timers += 1
      const cancel = clock.after(milliseconds, run)
      return () => {
        timers -= 1
        cancel()
      }
    },
  }
  await join(createReadHub(counting)).read()
  expect(timers).toBe(0)
})
