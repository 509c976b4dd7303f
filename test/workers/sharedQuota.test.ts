import { expect, test } from 'vitest'
import { createSharedQuota, createWatchHub } from '../../src/workers/sharedQuota.ts'

const options = { maxTargetsPerClient: 2, maxTargets: 3 }

function createQuotas() {
  const hub = createWatchHub(options)
  const add = () => {
    const seat = hub.join()
    const quota = createSharedQuota(options, seat)
    const refused: string[] = []
    return {
      refused,
      leave: seat.leave,
      watch: (client: string, target: string) =>
        quota.acquire(client, target, (error) => refused.push((error as Error).message)),
    }
  }
  return [add(), add()] as const
}

const answers = () => new Promise((resolve) => setImmediate(resolve))

test('a client may watch as much at all workers together as at one', async () => {
  const [first, second] = createQuotas()
  first.watch('a', '1')
  const release = second.watch('a', '2')
  await answers()
  const leave = second.watch('a', '3')
  await answers()
  leave()
  expect([first.refused, second.refused]).toEqual([
    [],
    ['This client watches too many transfers and transactions. The limit is 2.'],
  ])
  // One target counts once, at whichever worker.
  second.watch('a', '1')
  release()
  first.watch('a', '4')
  await answers()
  expect(first.refused).toEqual([])
})

test('what a worker knows to be too much is refused at once', () => {
  const [first] = createQuotas()
  first.watch('a', '1')
  first.watch('a', '2')
  expect(() => first.watch('a', '3')).toThrow('This client watches too many')
})

test('all clients together watch no more than the limit, and a worker that ends frees its part', async () => {
  const [first, second] = createQuotas()
  first.watch('a', '1')
  first.watch('b', '2')
  second.watch('c', '3')
  second.watch('d', '4')
  await answers()
  expect(second.refused).toEqual([
    'Too many transfers and transactions are watched. Try again later.',
  ])
  first.leave()
  second.watch('d', '4')
  await answers()
  expect(second.refused).toHaveLength(1)
})

test('the end of what was refused frees nothing of others', async () => {
  const [first, second] = createQuotas()
  first.watch('a', '1')
  first.watch('a', '2')
  await answers()
  const release = second.watch('a', '3')
  await answers()
  release()
  second.watch('a', '3')
  await answers()
  expect(second.refused).toHaveLength(2)
})
