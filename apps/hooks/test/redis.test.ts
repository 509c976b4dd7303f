import { writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../../../src/testing.ts'
import { hasRedis, type RedisServer, startRedis } from '../../../test/support/redisServer.ts'
import { runHooks } from '../src/cli.ts'
import { createPost } from '../src/post/post.ts'
import { openRedisStore, type SharedStore } from '../src/redis/redisStore.ts'
import { runShared } from '../src/redis/runShared.ts'
import { createChain, createRandom } from './support/chain.ts'
import { createIo, type TestIo } from './support/clock.ts'
import { activityDocument, secret, startFolder, toHook } from './support/hook.ts'
import { type Answer, accept, type Receiver, startReceiver } from './support/receiver.ts'

const testWithRedis = test.skipIf(!hasRedis)

const prefix = 'test'
const leaseKey = 'test:{treasury}:lease'

/** A Redis that keeps its data when it is started again. */
async function startServer(): Promise<RedisServer> {
  const redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always')
  onTestFinished(() => redis[Symbol.asyncDispose]())
  await redis.client.connect()
  return redis
}

const nextTurn = () => new Promise<void>((done) => setImmediate(done))

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await nextTurn()
}

/** A process that sends the events of a hook over a chain of so many records. */
async function startProcess(redis: RedisServer, receiver: Receiver, count: number) {
  // A wait lets others run, and no time pass.
  const own = createIo(nextTurn, createRandom(1))
  const io = { ...own.io, wait: nextTurn }
  const store = await openRedisStore({ url: redis.url, prefix, io })
  onTestFinished(() => store[Symbol.dispose]())
  const client = createChain(count, createRandom(2))
  const post = createPost({ allowsPrivate: true, ports: [] })
  const ended = runShared(toHook({ url: receiver.url }), { io, client, post, store })
  return { ...own, store, ended }
}

/** Fails if two messages are ever under way at once. */
function oneAtATime(answer: Answer): Answer {
  let underWay = 0
  return (message, response, request) => {
    underWay += 1
    response.on('close', () => {
      underWay -= 1
    })
    if (underWay > 1) response.writeHead(400).end()
    else answer(message, response, request)
  }
}

const indexesOf = ({ received }: Receiver) =>
  received.map(({ body }) => Number(JSON.parse(body).data.node.id.replace('record-', '')))
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

testWithRedis('of two processes one sends, and the other continues where it stops', async () => {
  const redis = await startServer()
  let onThird = () => {}
  const answer = oneAtATime((message, response, request) => {
    accept(message, response, request)
    if (message.body.includes('record-3"')) onThird()
  })
  await using receiver = await startReceiver(answer)
  const one = await startProcess(redis, receiver, 6)
  onThird = one.stop
  await until(() => receiver.received.length > 0)
  const other = await startProcess(redis, receiver, 6)
  await Promise.all([one.ended, other.ended])
  const indexes = indexesOf(receiver)
  // What was under way when it stopped comes again.
  expect([...new Set(indexes)]).toEqual(upTo(6))
  expect(indexes).toEqual(indexes.toSorted())
  expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(6)
  expect((await other.store.load('treasury')).isEnded).toBe(true)
  expect(await redis.client.exists(leaseKey)).toBe(0)
})

testWithRedis('a process that dies is followed by another one once its lease has ended', async () => {
  const redis = await startServer()
  await using receiver = await startReceiver((message, response, request) => {
    // The first process never hears that its second event was taken.
    if (!isDead && message.body.includes('record-2')) isDead = true
    else accept(message, response, request)
  })
  let isDead = false
  const dead = await startProcess(redis, receiver, 4)
  await until(() => isDead)
  const other = await startProcess(redis, receiver, 4)
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  expect(indexesOf(receiver)).toEqual([1, 2])
  await redis.client.pexpire(leaseKey, 1)
  await other.ended
  expect(indexesOf(receiver)).toEqual([1, 2, 2, 3, 4])
  const ids = receiver.received.map(({ id }) => id)
  expect(ids[1]).toBe(ids[2])
  dead.stop()
  await dead.ended
})

testWithRedis('a process that has lost its lease writes nothing any more, and stops', async () => {
  const redis = await startServer()
  const own = createIo()
  using store = await openRedisStore({ url: redis.url, prefix, io: own.io })
  const first = await store.take('treasury')
  if (!first) throw new Error('The hook is free.')
  await first.save('treasury', { cursor: 'a' })
  expect(await store.take('treasury')).toBeUndefined()
  expect(await redis.client.pttl(leaseKey)).toBeGreaterThan(20_000)
  // It was stalled for longer than its lease.
  await redis.client.del(leaseKey)
  const second = await store.take('treasury')
  await second?.save('treasury', { cursor: 'b' })
  await expect(first.save('treasury', { cursor: 'a' })).rejects.toThrow('Another process has taken treasury.')
  expect(await store.load('treasury')).toEqual({ cursor: 'b' })
  expect(first.signal.aborted).toBe(false)
  own.advance(5_000)
  await until(() => first.signal.aborted)
  expect(second?.signal.aborted).toBe(false)
  await first[Symbol.asyncDispose]()
  expect(await store.take('treasury')).toBeUndefined()
  await second?.[Symbol.asyncDispose]()
  await using third = await store.take('treasury')
  expect(third).toBeDefined()
})

/** The time of a lease moves by so many renewals, each of which is answered or fails. */
async function renew(own: TestIo, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    own.advance(5_000)
    for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  }
}

testWithRedis('a lease is renewed, and given up before it ends if Redis is gone', async () => {
  const redis = await startServer()
  const own = createIo()
  using store = await openRedisStore({ url: redis.url, prefix, io: own.io })
  await using lease = await store.take('treasury')
  await redis.client.pexpire(leaseKey, 10_000)
  await renew(own, 1)
  await until(async () => (await redis.client.pttl(leaseKey)) > 20_000)
  await redis.stop()
  await renew(own, 3)
  expect(lease?.signal.aborted).toBe(false)
  await renew(own, 2)
  expect(lease?.signal.aborted).toBe(true)
})

testWithRedis('hooks go on once Redis is there again', async () => {
  const redis = await startServer()
  let isGone = false
  await using receiver = await startReceiver(async (message, response, request) => {
    if (!isGone && message.body.includes('record-2')) {
      isGone = true
      await redis.stop()
    }
    accept(message, response, request)
  })
  const own = await startProcess(redis, receiver, 4)
  await until(() => own.lines.some((line) => line.includes('its state cannot be read or written')))
  await redis.start()
  await redis.client.ping()
  // The lease of before is kept too.
  await redis.client.del(leaseKey)
  await own.ended
  expect(indexesOf(receiver)).toEqual([1, 2, 2, 3, 4])
  expect(own.lines.join('\n')).not.toContain(redis.url)
})

/** A file of one hook, and what runs commands on it. */
async function startFile(
  redis: RedisServer,
  receiver: Receiver,
  folder: { fileOf(name: string): string },
  url = 'http://127.0.0.1:1/graphql',
) {
  const config = folder.fileOf('hooks.json')
  const variables = { address: 'init1wllqcgh04444mr53tegtrkdlc970awqhddazg3' }
  const hooks = [{ name: 'treasury', url: receiver.url, secret, document: activityDocument, variables }]
  writeFileSync(config, JSON.stringify({ url, allowPrivate: true, hooks }))
  const out: string[] = []
  const own = createIo()
  const command = async (...argv: string[]) => {
    out.length = 0
    own.advance(0)
    const io = { ...own.io, env: { STATE: redis.url }, out: (text: string) => void out.push(text) }
    const code = await runHooks([...argv, '--config', config, '--state', 'env:STATE', '--prefix', prefix], io)
    return { code, out: out.join(''), err: own.lines.at(-1) }
  }
  return command
}

testWithRedis('a parked hook is skipped while its process runs, and the event is kept', async () => {
  const redis = await startServer()
  using folder = startFolder()
  await using receiver = await startReceiver((message, response, request) =>
    message.body.includes('record-2') ? response.writeHead(410).end() : accept(message, response, request),
  )
  const command = await startFile(redis, receiver, folder)
  const own = await startProcess(redis, receiver, 3)
  await until(() => own.lines.some((line) => line.startsWith('treasury: parked since')))
  expect((await command('status')).out).toMatch(/^treasury: parked since .* status 410\n$/)
  let skipped = await command('skip', 'treasury')
  // The process looks at it now and then.
  while (skipped.code !== 0) skipped = await command('skip', 'treasury')
  expect(skipped.out).toMatch(/^treasury continues after evt_.*\.\n$/)
  await own.ended
  expect(indexesOf(receiver)).toEqual([1, 2, 3])
  const { out } = await command('skipped', 'treasury')
  expect(JSON.parse(out)).toMatchObject({ reason: 'status 410', record: { data: { node: { id: 'record-2' } } } })
  expect(own.lines.filter((line) => line.includes('parked since'))).toHaveLength(1)
})

testWithRedis('a hook that a process works on cannot be replayed meanwhile', async () => {
  const redis = await startServer()
  using folder = startFolder()
  await using receiver = await startReceiver()
  const command = await startFile(redis, receiver, folder)
  using store: SharedStore = await openRedisStore({ url: redis.url, prefix, io: createIo().io })
  await using _lease = await store.take('treasury')
  const refused = await command('replay', 'treasury', '--from', 'a')
  expect(refused).toMatchObject({ code: 1, err: 'Another process sends the events of treasury. Stop it first.' })
})

testWithRedis('a cursor that the gateway does not know is refused, and the hook stays where it is', async () => {
  const redis = await startServer()
  await using world = await startTestGateway()
  using folder = startFolder()
  await using receiver = await startReceiver()
  const command = await startFile(redis, receiver, folder, world.url)
  using store: SharedStore = await openRedisStore({ url: redis.url, prefix, io: createIo().io })
  {
    await using lease = await store.take('treasury')
    await lease?.save('treasury', { hasBegun: true, cursor: 'good' })
  }
  const { code, err } = await command('replay', 'treasury', '--from', 'garbage')
  expect(code).toBe(1)
  expect(err).toMatch(
    /^treasury cannot continue after this cursor, and stays where it is\. .*cursor.*\(BAD_USER_INPUT\)$/,
  )
  expect(await store.load('treasury')).toEqual({ hasBegun: true, cursor: 'good' })
})

testWithRedis('without a Redis at its URL it ends with 1, and does not name the URL', async () => {
  const redis = await startServer()
  using folder = startFolder()
  await using receiver = await startReceiver()
  const command = await startFile(redis, receiver, folder)
  await redis.stop()
  expect(await command('run')).toEqual({ code: 1, out: '', err: 'Redis cannot be reached (ECONNREFUSED).' })
})
