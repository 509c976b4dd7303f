import { expect, test } from 'vitest'
import { createReadHub } from '../../../src/fleet/sharedReads/readHub.ts'
import type {
  Outcome,
  ReadRequest,
  ReadResult,
  RunRead,
} from '../../../src/fleet/sharedReads/sharedReads.ts'
import { createWorkerReads } from '../../../src/fleet/sharedReads/workerReads.ts'
import { type FakeClock, fakeClock } from '../../support/fakeClock.ts'

const status: ReadRequest = {
  service: 'router',
  source: 'router',
  target: '/status?hash=1',
  route: '/status',
}

/** A primary process and its workers, without the processes between them. */
function createMachine(clock: FakeClock = fakeClock()) {
  const hub = createReadHub(clock)
  return {
    clock,
    addWorker() {
      const runs: { resolve(outcome: Outcome | undefined): void; reject(error: Error): void }[] = []
      const run: RunRead = () =>
        new Promise((resolve, reject) => {
          runs.push({ resolve, reject })
        })
      const { signal } = new AbortController()
      const seat = hub.join({
        run: (read, timeoutMs) => run(read, { signal, timeoutMs }),
        onPeerRead: (read, result) => reads.onPeerRead(read, result),
      })
      const reads = createWorkerReads(seat, run)
      return {
        runs,
        reads,
        read: (maxAgeMs = 0, options: { signal?: AbortSignal } = {}) =>
          reads.read(status, { signal, timeoutMs: 4_000, maxAgeMs, ...options }),
        die() {
          seat.leave()
          for (const { reject } of runs) reject(new Error('ended'))
        },
      }
    },
  }
}

const body = (text: string): Outcome => ({ body: text })

test('equal reads of several workers are one request, whose body all of them get', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second] = [addWorker(), addWorker()]
  const readings = [first.read(), second.read(), second.read()]
  await clock.advance(1)
  expect([first.runs.length, second.runs.length]).toEqual([1, 0])
  first.runs[0]?.resolve(body('a'))
  expect(await Promise.all(readings)).toEqual([
    { outcome: body('a'), ageMs: 0, seriesMs: 0, isShared: false },
    { outcome: body('a'), ageMs: 0, seriesMs: 0, isShared: true },
    { outcome: body('a'), ageMs: 0, seriesMs: 0, isShared: true },
  ])
})

test('a request with a body is another read than one without, and than one with another body', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second] = [addWorker(), addWorker()]
  const { signal } = new AbortController()
  const options = { signal, timeoutMs: 4_000, maxAgeMs: 500 }
  const bodies = [undefined, '{"a":1}', '{"a":2}']
  const all = [first, second].flatMap(({ reads }) =>
    bodies.map((sent) => reads.read({ ...status, body: sent }, options)),
  )
  await clock.advance(1)
  expect([first.runs.length, second.runs.length]).toEqual([3, 0])
  for (const [index, { resolve }] of first.runs.entries()) resolve(body(`${index}`))
  const outcomes = (await Promise.all(all)).map(({ outcome }) => outcome)
  expect(outcomes).toEqual(['0', '1', '2', '0', '1', '2'].map(body))
})

test('the newest outcome answers while it is young enough', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second] = [addWorker(), addWorker()]
  const reading = first.read()
  await clock.advance(0)
  first.runs[0]?.resolve(body('a'))
  await reading
  await clock.advance(700)
  expect(await second.read(700)).toEqual({
    outcome: body('a'),
    ageMs: 700,
    seriesMs: 700,
    isShared: true,
  })
  void second.read(699)
  await clock.advance(0)
  expect(second.runs).toHaveLength(1)
})

test('a read of a worker that dies is given at once to another one that waits', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second] = [addWorker(), addWorker()]
  first.read().catch(() => {})
  const reading = second.read()
  await clock.advance(500)
  expect(second.runs).toHaveLength(0)
  first.die()
  await clock.advance(0)
  second.runs[0]?.resolve(body('b'))
  expect(await reading).toEqual({ outcome: body('b'), ageMs: 0, seriesMs: 0, isShared: false })
})

test('a worker that is stuck holds the others no longer than its request may take', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second] = [addWorker(), addWorker()]
  void first.read()
  const reading = second.read()
  await clock.advance(4_999)
  expect(second.runs).toHaveLength(0)
  await clock.advance(1)
  second.runs[0]?.resolve(body('b'))
  expect((await reading).outcome).toEqual(body('b'))
})

test('followers get what another worker reads, but not what answers them already', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second, third] = [addWorker(), addWorker(), addWorker()]
  const results: string[] = []
  const note = (name: string) => (result: ReadResult) => results.push(`${name} ${result.isShared}`)
  first.reads.follow(status, note('first'))
  second.reads.follow(status, note('second'))
  const leave = third.reads.follow(status, note('third'))
  leave()
  const reading = first.read()
  await clock.advance(0)
  first.runs[0]?.resolve(body('a'))
  await reading
  expect(results).toEqual(['second true'])
  second.die()
  const again = first.read()
  await clock.advance(0)
  first.runs[1]?.resolve(body('b'))
  await again
  expect(results).toHaveLength(1)
})

test('a follower of a request with a body gets the results of that body only', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second] = [addWorker(), addWorker()]
  const { signal } = new AbortController()
  const bodies: string[] = []
  for (const sent of ['{"amount":1}', '{"amount":2}'])
    second.reads.follow({ ...status, body: sent }, () => bodies.push(sent))
  const read = { ...status, body: '{"amount":2}' }
  const sent = first.reads.read(read, { signal, timeoutMs: 4_000, maxAgeMs: 500 })
  await clock.advance(0)
  first.runs[0]?.resolve(body('a'))
  await sent
  expect(bodies).toEqual(['{"amount":2}'])
})

test('a worker that does not know the service passes the read on, and the last one says so', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second] = [addWorker(), addWorker()]
  const readings = [first.read(), second.read()]
  await clock.advance(0)
  first.runs[0]?.resolve(undefined)
  await clock.advance(0)
  second.runs[0]?.resolve(undefined)
  await clock.advance(0)
  // Each then tries by itself.
  first.runs[1]?.resolve(undefined)
  second.runs[1]?.resolve(body('c'))
  const [fault, found] = await Promise.all(readings)
  expect(fault?.outcome).toMatchObject({ fault: { code: 'UPSTREAM_UNAVAILABLE' } })
  expect(found?.outcome).toEqual(body('c'))
})

test('an abort ends the wait with its reason, and closing makes the wait a request of its own', async () => {
  const { clock, addWorker } = createMachine()
  const [first, second] = [addWorker(), addWorker()]
  void first.read()
  const controller = new AbortController()
  const aborted = second.read(0, { signal: controller.signal })
  const reading = second.read()
  await clock.advance(0)
  controller.abort(new Error('left'))
  await expect(aborted).rejects.toThrow('left')
  await second.reads.close()
  second.runs[0]?.resolve(body('d'))
  expect((await reading).outcome).toEqual(body('d'))
})
