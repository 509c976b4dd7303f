import { describe, expect, test } from 'vitest'
import { type CountingUpstream, startCountingUpstream } from '../../../../support/countingUpstream.ts'
import { hashOf, startMember } from '../../../../support/fleetWorld.ts'
import { hasRedis, startRedis } from '../../../../support/redisServer.ts'

const query = `subscription ($hash: String!) {
  transfer(chainId: "fleet-1", hash: $hash, track: false) { state }
}`

// Without chance each transfer is polled once a second: only what is polled twice is more.
const internals = { random: () => 0.5 }

/** How long to wait on a busy machine. */
const patience = { timeout: 10_000, interval: 5 }

const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000))

/** Watches transfers at gateways for some seconds, then ends them. Resolves to the number of polls. */
async function pollsOf(
  upstream: CountingUpstream,
  urls: readonly (string | undefined)[],
  { count = 60, subscribers = 4, forSeconds = 6 } = {},
): Promise<number> {
  upstream.complete(() => false)
  const members = await Promise.all(urls.map((url) => startMember(upstream, url, undefined, {}, internals)))
  try {
    upstream.requests()
    const each = subscribers / members.length
    const hashes = Array.from({ length: count }, (_, number) => hashOf(number))
    // From here, since the first are polled before the last are open.
    const end = seconds(forSeconds)
    const watches = await Promise.all(
      members.flatMap((member) =>
        hashes.flatMap((hash) => Array.from({ length: each }, () => member.watch(query, { hash }))),
      ),
    )
    await end
    const polls = upstream.requests().length
    upstream.complete(() => true)
    const ends = await Promise.all(watches.map(({ done }) => done))
    expect(new Set(ends)).toEqual(new Set(['completed']))
    const states = watches.map(({ events }) => events.map(({ data }) => data.transfer.state))
    for (const seen of states) expect(seen).toEqual(['PENDING', 'COMPLETED_SUCCESS'])
    return polls
  } finally {
    await Promise.all(members.map(({ gateway }) => gateway.close()))
  }
}

describe.runIf(hasRedis)('transfers at two gateways with Redis', () => {
  test('take as many polls as at one gateway, within its cap of concurrent polls', async () => {
    await using upstream = await startCountingUpstream()
    await using other = await startCountingUpstream()
    await using redis = await startRedis()
    upstream.latencyMs = 50
    other.latencyMs = 50
    // At the same time: a busy machine polls less often.
    const [fleet, alone] = await Promise.all([pollsOf(upstream, [redis.url, redis.url]), pollsOf(other, [undefined])])
    // Within a tenth on a quiet machine. Timers of a busy one come so late in such a short time that it is more:
    // sharedPace.test.ts has the exact bound. Without a fleet, it would be twice as many.
    expect(fleet / alone).toBeLessThan(1.2)
    expect(fleet / alone).toBeGreaterThan(0.5)
    expect(upstream.mostInFlight.router).toBeLessThanOrEqual(32)
  })

  test('take at most 130 polls in four seconds for 240 watchers', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    const all = { count: 30, subscribers: 8, forSeconds: 4 }
    const polls = await pollsOf(upstream, [redis.url, redis.url], all)
    // Four of each transfer.
    expect(polls).toBeGreaterThanOrEqual(60)
    expect(polls).toBeLessThanOrEqual(130)
  })

  test('end for all watchers with the refusal to track them, after one request each', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url)
    await using second = await startMember(upstream, redis.url)
    upstream.latencyMs = 300
    upstream.status = 400
    const hash = hashOf(1)
    const tracking = query.replace(', track: false', '')
    const watches = await Promise.all([first, second].map((member) => member.watch(tracking, { hash })))
    const ends = await Promise.all(watches.map(({ done }) => done))
    for (const end of ends) expect(end).toMatchObject({ code: 'UPSTREAM_REJECTED' })
    // Each gateway asks its indexer for the transaction, too.
    const asked = upstream.requests().filter((request) => request.includes('/v2/'))
    expect(asked).toEqual(['POST /v2/tx/track', expect.stringContaining('GET /v2/tx/status')])
  })

  test('are tracked by one request each', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url)
    await using second = await startMember(upstream, redis.url)
    upstream.knowsTracked = true
    const hashes = Array.from({ length: 40 }, (_, number) => hashOf(number))
    const tracking = query.replace(', track: false', '')
    const startedAt = performance.now()
    const watches = await Promise.all(
      hashes.flatMap((hash) => [first, second].map((member) => member.watch(tracking, { hash }))),
    )
    const haveBegun = () => watches.every(({ events }) => events.length === 1)
    await expect.poll(haveBegun, patience).toBe(true)
    const requests = upstream.requests()
    expect(requests.filter((request) => request === 'POST /v2/tx/track')).toHaveLength(40)
    // One after the tracking. Some may already have been polled again, all once a second.
    const seconds = Math.floor((performance.now() - startedAt) / 1_000)
    const polls = requests.filter((request) => request.startsWith('GET /v2/tx/status'))
    expect(polls.length).toBeGreaterThanOrEqual(40)
    expect(polls.length).toBeLessThan(60 + 40 * seconds)
    await Promise.all(watches.map(({ leave }) => leave()))
  })

  test('are shown to a late watcher at the other gateway without a request', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url, undefined, {}, internals)
    await using second = await startMember(upstream, redis.url, undefined, {}, internals)
    const early = await first.watch(query, { hash: hashOf(1) })
    await expect.poll(() => early.events.length, patience).toBe(1)
    upstream.requests()
    // Right after a poll, so that the next one is due a second later.
    await expect.poll(() => upstream.requests(), patience).toHaveLength(1)
    const polledAt = performance.now()
    const late = await second.watch(query, { hash: hashOf(1) })
    await expect.poll(() => late.events.length, patience).toBe(1)
    const due = Math.floor((performance.now() - polledAt) / 900)
    expect(upstream.requests().length).toBeLessThanOrEqual(due)
    await Promise.all([early.leave(), late.leave()])
  })

  test('are polled again after the lease of a dead process expires', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using member = await startMember(upstream, redis.url)
    const early = await member.watch(query, { hash: hashOf(1) })
    await expect.poll(() => early.events.length, patience).toBe(1)
    await early.leave()
    const [key = ''] = await redis.client.keys('portolan:read:*')
    await redis.client.del(key)
    await redis.client.set(key.replace(':read:', ':lease:'), 'one that died', 'PX', 2_000)
    upstream.requests()
    const startedAt = performance.now()
    const late = await member.watch(query, { hash: hashOf(1) })
    await expect.poll(() => late.events.length, patience).toBe(1)
    const takenMs = performance.now() - startedAt
    expect(takenMs).toBeGreaterThan(1_500)
    expect(takenMs).toBeLessThan(4_000)
    expect(upstream.requests()).toHaveLength(1)
    await late.leave()
  })

  test('complete if Redis contains garbage', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url)
    await using second = await startMember(upstream, redis.url)
    const watches = await Promise.all([first, second].map((member) => member.watch(query, { hash: hashOf(1) })))
    await expect.poll(() => watches.every(({ events }) => events.length === 1), patience).toBe(true)
    const keys = await redis.client.keys('portolan:read:*')
    expect(keys).toHaveLength(1)
    const [key = ''] = keys
    const channel = key.replace(':read:', ':news:')
    const garbage = ['', '{', 'null', '{"v":1}', '{"v":2,"at":-1}\n', '{"v":2,"at":9e15,"by":7}\n']
    for (const text of garbage) {
      await redis.client.set(key, text)
      await redis.client.publish(channel, text)
    }
    await redis.client.del(key)
    await redis.client.lpush(key, 'a list')
    upstream.complete(() => true)
    expect(await Promise.all(watches.map(({ done }) => done))).toEqual(['completed', 'completed'])
    for (const { events } of watches) {
      expect(events.at(-1)?.data.transfer.state).toBe('COMPLETED_SUCCESS')
    }
  })

  test('leave no Redis connection after their gateway is closed', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    const connections = async () => {
      const info = await redis.client.info('clients')
      return Number(/connected_clients:(\d+)/.exec(info)?.[1])
    }
    const before = await connections()
    const { gateway } = await startMember(upstream, redis.url)
    expect(await connections()).toBeGreaterThan(before)
    await gateway.close()
    await expect.poll(connections, patience).toBe(before)
  })

  test('share the cursor key, and /ready shows Redis', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url)
    await using second = await startMember(upstream, redis.url)
    // On a busy machine Redis can be too late for the first attempt. With the second one, the key is shared.
    await Promise.all([first, second].map((member) => member.logged('fleet: Redis is used')))
    const signature = first.gateway.shared.signer.sign('test', 'data')
    expect(second.gateway.shared.signer.verify('test', 'data', signature)).toBe(true)
    const response = await fetch(new URL('/ready', first.gateway.url))
    expect(await response.json()).toMatchObject({ fleet: { status: 'up' } })
    const metrics = await (await fetch(first.gateway.metricsUrl)).text()
    expect(metrics).toContain('portolan_fleet_up 1')
  })
})
