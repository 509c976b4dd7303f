import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { openSharedPort, type SharedPort } from '../../src/workers/sharedPort.ts'
import { fakeClock } from '../support/fakeClock.ts'

let port: SharedPort | undefined
const clients: Socket[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
  port?.close()
})

/** A shared port where four connections may wait, each for ten seconds. */
async function setUp(options: { readonly isProxy?: boolean } = {}) {
  const clock = fakeClock()
  const refused: string[] = []
  const opened = await openSharedPort({
    ...{ port: 0, host: '127.0.0.1', maxConnections: 4, maxWaitMs: 10_000, clock },
    isProxy: () => options.isProxy ?? true,
    onRefusal: (limit) => refused.push(limit),
    onError: () => {},
  })
  port = opened
  /** Connects, and resolves to the client's own port once the connection is accepted. */
  const dial = async (waiting = opened.waiting + 1) => {
    const client = connect(Number(new URL(opened.origin).port), '127.0.0.1')
    clients.push(client.resume())
    await once(client, 'connect')
    await expect.poll(() => opened.waiting).toBe(waiting)
    return { client, name: client.localPort }
  }
  /** A worker at the port, and the clients whose connections it was given. */
  const join = () => {
    const given: (number | undefined)[] = []
    const worker = opened.join(({ remotePort }) => given.push(remotePort))
    return { ...worker, given }
  }
  return { opened, clock, refused, dial, join }
}

test('connections made while nobody serves wait, and the oldest comes first', async () => {
  const { opened, dial, join, refused } = await setUp()
  const first = await dial()
  const second = await dial()
  expect(opened.waiting).toBe(2)
  const worker = join()
  expect(worker.given).toEqual([first.name])
  worker.received()
  expect(worker.given).toEqual([first.name, second.name])
  worker.received()
  expect([opened.waiting, refused]).toEqual([0, []])
})

test('a busy worker is given nothing more until it has the connection before', async () => {
  const { opened, dial, join } = await setUp()
  const busy = join()
  const other = join()
  const first = await dial(0)
  await expect.poll(() => busy.given).toEqual([first.name])
  const second = await dial(0)
  await expect.poll(() => other.given).toEqual([second.name])
  other.received()
  const third = await dial(0)
  await expect.poll(() => other.given).toEqual([second.name, third.name])
  await dial(1)
  expect([busy.given.length, opened.waiting]).toEqual([1, 1])
})

test('a worker that ends loses no connection that it did not have yet', async () => {
  const { opened, dial, join } = await setUp()
  const first = join()
  const { client, name } = await dial(0)
  await expect.poll(() => first.given).toEqual([name])
  first.leave()
  expect(opened.waiting).toBe(1)
  const second = join()
  expect(second.given).toEqual([name])
  // The last descriptor of the connection is closed here, so that the client sees its end.
  second.received()
  await expect.poll(() => client.closed).toBe(true)
})

test('a worker that has ended is given nothing, and nothing that it had comes back', async () => {
  const { opened, dial, join } = await setUp()
  const worker = join()
  await dial(0)
  await expect.poll(() => worker.given.length).toBe(1)
  worker.received()
  worker.leave()
  expect(opened.waiting).toBe(0)
  await dial(1)
  expect(worker.given).toHaveLength(1)
})

test('a connection that waits too long is closed and counted as a refusal', async () => {
  const { opened, clock, dial, join, refused } = await setUp()
  const { client } = await dial()
  await clock.advance(5_000)
  const later = await dial()
  await clock.advance(4_999)
  expect([opened.waiting, refused]).toEqual([2, []])
  await clock.advance(1)
  await expect.poll(() => client.closed).toBe(true)
  expect([opened.waiting, refused]).toEqual([1, ['busy']])
  const worker = join()
  expect(worker.given).toEqual([later.name])
  await clock.advance(60_000)
  expect(refused).toEqual(['busy'])
})

test('no more connections wait than are allowed, and no address holds all of them', async () => {
  const all = await setUp()
  for (let count = 1; count <= 4; count += 1) await all.dial()
  const { client: fifth } = await all.dial(4)
  await expect.poll(() => fifth.closed).toBe(true)
  expect([all.opened.waiting, all.refused]).toEqual([4, ['connections']])
  all.opened.close()

  const one = await setUp({ isProxy: false })
  for (let count = 1; count <= 3; count += 1) await one.dial()
  const { client: fourth } = await one.dial(3)
  await expect.poll(() => fourth.closed).toBe(true)
  expect([one.opened.waiting, one.refused]).toEqual([3, ['connections']])
})

test('a port that stops refuses who connects, and gives workers what waits', async () => {
  const { opened, dial, join } = await setUp()
  const { name } = await dial()
  opened.stop()
  const late = connect(Number(new URL(opened.origin).port), '127.0.0.1')
  const [error] = await once(late, 'error')
  expect(error.code).toBe('ECONNREFUSED')
  expect(join().given).toEqual([name])
})

test('a port that closes ends what waits', async () => {
  const { opened, clock, dial, refused } = await setUp()
  const { client } = await dial()
  opened.close()
  await expect.poll(() => client.closed).toBe(true)
  await clock.advance(60_000)
  expect(refused).toEqual([])
})

test('a port in use rejects as a server does', async () => {
  const { opened, clock } = await setUp()
  const { port: taken } = new URL(opened.origin)
  const again = openSharedPort({
    ...{ port: Number(taken), host: '127.0.0.1', maxConnections: 4, maxWaitMs: 1, clock },
    ...{ isProxy: () => true, onRefusal: () => {}, onError: () => {} },
  })
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
})
