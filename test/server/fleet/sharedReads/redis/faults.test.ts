import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { type CountingUpstream, startCountingUpstream } from '../../../../support/countingUpstream.ts'
import { hashOf, type Member, startMember } from '../../../../support/fleetWorld.ts'
import { post } from '../../../../support/http.ts'
import { hasRedis, startRedis } from '../../../../support/redisServer.ts'
import { startSlowProxy } from '../../../../support/slowProxy.ts'

const query = `subscription ($hash: String!) {
  transfer(chainId: "fleet-1", hash: $hash, track: false) { state }
}`
const count = 20
const down = 'fleet: Redis cannot be used'
const up = 'fleet: Redis is used'
const within = { timeout: 45_000 }

const garbage = [
  ['HTTP', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ['bytes', '\u0000\u0001\u0002\r\n'],
  ['wrong types', '+OK\r\n:1\r\n*-1\r\n$3\r\nabc\r\n'],
  ['numbers', ':1\r\n'],
  ['nulls', '$-1\r\n'],
] as const

const watchAll = async (members: readonly Member[]) =>
  Promise.all(
    members.flatMap((member) =>
      Array.from({ length: count }, (_, number) => member.watch(query, { hash: hashOf(number) })),
    ),
  )

const started = async (watches: Awaited<ReturnType<typeof watchAll>>) =>
  vi.waitFor(() => expect(watches.every(({ events }) => events.length > 0)).toBe(true), within)

/** Ends all transfers. Each listener has to get that. */
async function completeAll(upstream: CountingUpstream, watches: Awaited<ReturnType<typeof watchAll>>) {
  upstream.complete(() => true)
  const ends = await Promise.all(watches.map(({ done }) => done))
  expect(new Set(ends)).toEqual(new Set(['completed']))
  for (const { events } of watches) {
    expect(events.map(({ data }) => data.transfer.state)).toEqual(['PENDING', 'COMPLETED_SUCCESS'])
  }
}

/** Polls of each transfer in some seconds. */
async function pollsPerSecond(upstream: CountingUpstream, seconds = 3): Promise<number> {
  upstream.requests()
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  return upstream.requests().length / count / seconds
}

/** A query that takes no longer than without Redis, and says nothing of it. */
async function expectQuery({ gateway }: Member) {
  const startedAt = performance.now()
  const { status, body } = await post(gateway.url, {
    query: '{ chain(chainId: "fleet-1") { chainId } service { version } }',
  })
  expect([status, body.errors]).toEqual([200, undefined])
  expect(performance.now() - startedAt).toBeLessThan(1_000)
}

const linesOf = ({ log }: Member, text: string) => log.filter(({ msg }) => String(msg).startsWith(text))

// Most only wait for real programs, so they run at once. Those that judge how quick Redis is run alone.
describe.runIf(hasRedis).concurrent('a fleet whose Redis', { timeout: 120_000 }, () => {
  test.sequential('restarts loses no events, and shares polls again', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url)
    await using second = await startMember(upstream, redis.url)
    const members = [first, second]
    const watches = await watchAll(members)
    await started(watches)
    await redis.stop()
    await Promise.all(members.map((member) => member.logged(down)))
    const alone = await pollsPerSecond(upstream)
    for (const member of members) await expectQuery(member)
    const response = await fetch(new URL('/ready', first.gateway.url))
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { status: 'ready', fleet: { status: 'down', reason: expect.any(String) } },
    ])
    await redis.start()
    const isBack = (member: Member) => expect(linesOf(member, up).length).toBeGreaterThan(1)
    await Promise.all(members.map((member) => vi.waitFor(() => isBack(member), within)))
    // One interval of each transfer.
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const together = await pollsPerSecond(upstream)
    expect(together / alone).toBeLessThan(0.7)
    await completeAll(upstream, watches)
    // On a busy machine Redis can be late once more, which is said once too.
    const isSaidOnce = (member: Member) => expect(linesOf(member, down)).toHaveLength(linesOf(member, up).length - 1)
    await Promise.all(members.map((member) => vi.waitFor(() => isSaidOnce(member), within)))
  })

  test('starts late uses it once it is up', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await redis.stop()
    await using member = await startMember(upstream, redis.url)
    await member.logged(down)
    const watches = await watchAll([member])
    await started(watches)
    await redis.start()
    await member.logged(up)
    await completeAll(upstream, watches)
    expect(linesOf(member, down)).toHaveLength(1)
  })

  test('is full does not use it until it has memory', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis('--maxmemory-policy', 'noeviction')
    await using first = await startMember(upstream, redis.url)
    await using second = await startMember(upstream, redis.url)
    const watches = await watchAll([first, second])
    await started(watches)
    await redis.client.config('SET', 'maxmemory', '1')
    await Promise.all([first.logged(down), second.logged(down)])
    // On a busy machine one of them can find it slow before it finds it full.
    const reasons = [first, second].flatMap((each) => linesOf(each, down)).map(({ reason }) => reason)
    expect(reasons).toContain('OOM')
    await expectQuery(first)
    expect(await pollsPerSecond(upstream)).toBeGreaterThan(0.5)
    await redis.client.config('SET', 'maxmemory', '0')
    await vi.waitFor(() => expect(linesOf(first, up)).toHaveLength(2), within)
    await completeAll(upstream, watches)
  })

  test.sequential('is slow does not use it until it is fast', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using proxy = await startSlowProxy(redis.port)
    const url = `redis://127.0.0.1:${proxy.port}`
    await using first = await startMember(upstream, url)
    await using second = await startMember(upstream, url)
    const watches = await watchAll([first, second])
    await started(watches)
    proxy.delayMs = 100
    await expectQuery(first)
    await Promise.all([first.logged(down), second.logged(down)])
    expect(linesOf(first, down)[0]).toMatchObject({ reason: 'it is too slow' })
    await expectQuery(first)
    expect(await pollsPerSecond(upstream)).toBeGreaterThan(0.5)
    proxy.delayMs = 0
    await vi.waitFor(() => expect(linesOf(first, up)).toHaveLength(2), within)
    await completeAll(upstream, watches)
  })

  test('hangs does not use it until it answers', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using member = await startMember(upstream, redis.url)
    const watches = await watchAll([member])
    await started(watches)
    process.kill(redis.pid, 'SIGSTOP')
    try {
      await member.logged(down)
      expect(await pollsPerSecond(upstream)).toBeGreaterThan(0.5)
    } finally {
      process.kill(redis.pid, 'SIGCONT')
    }
    await vi.waitFor(() => expect(linesOf(member, up)).toHaveLength(2), within)
    await completeAll(upstream, watches)
  })

  test.each(garbage)('starts to send garbage (%s) does not use it until that stops', async (_name, text) => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using proxy = await startSlowProxy(redis.port)
    await using member = await startMember(upstream, `redis://127.0.0.1:${proxy.port}`)
    const watches = await watchAll([member])
    await Promise.all([started(watches), member.logged(up)])
    proxy.garbage = text
    await member.logged(down)
    await expectQuery(member)
    expect(await pollsPerSecond(upstream)).toBeGreaterThan(0.5)
    proxy.garbage = undefined
    await vi.waitFor(() => expect(linesOf(member, up)).toHaveLength(2), within)
    await completeAll(upstream, watches)
  })

  test.each(garbage)('sends garbage (%s) does not use it', async (_name, text) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => void socket.write(text))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      await using upstream = await startCountingUpstream()
      await using member = await startMember(upstream, `redis://:s3cret@127.0.0.1:${port}`)
      const watches = await watchAll([member])
      await started(watches)
      await member.logged(down)
      await expectQuery(member)
      await completeAll(upstream, watches)
      expect(linesOf(member, down)).toHaveLength(1)
      expect(JSON.stringify(member.log)).not.toContain('s3cret')
    } finally {
      server.close()
    }
  })
})
