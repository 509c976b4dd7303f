import { describe, expect, test } from 'vitest'
import { startCountingUpstream } from '../../../support/countingUpstream.ts'
import { startMember } from '../../../support/fleetWorld.ts'
import { post } from '../../../support/http.ts'
import { hasRedis, startRedis } from '../../../support/redisServer.ts'

const down = 'fleet: Redis cannot be used'
const within = { timeout: 20_000 }

/** What a client gets back while a test runs is less than an operation costs. */
const rateLimit = { pointsPerSecond: 0.05, burst: 600 }

/** Sends an operation of two points as a client. Gives whether it was answered. */
async function isAnswered(url: string, client: string): Promise<boolean> {
  const headers = { 'x-forwarded-for': client }
  const { status, body } = await post(url, { query: '{ service { version } }' }, headers)
  expect([200, 429]).toContain(status)
  return body.errors === undefined
}

/** Asks the gateways in turn until none of them answers. Gives how many times they did. */
async function answersOf(urls: readonly string[], client: string): Promise<number> {
  let answers = 0
  for (;;) {
    let isRefused = true
    for (const url of urls) {
      if (!(await isAnswered(url, client))) continue
      answers += 1
      isRefused = false
    }
    if (isRefused) return answers
  }
}

describe.runIf(hasRedis)('rate limits of a fleet', () => {
  test('use one bucket per client at all gateways', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url, {}, { rateLimit })
    await using second = await startMember(upstream, redis.url, {}, { rateLimit })
    const urls = [first.gateway.url, second.gateway.url]
    const one = await answersOf(urls.slice(0, 1), '203.0.113.1')
    expect(one).toBeGreaterThan(50)

    const both = await answersOf(urls, '203.0.113.2')
    expect(both).toBeGreaterThanOrEqual(one - 5)
    expect(both).toBeLessThan(1.3 * one)

    // What it has spent at one gateway is known at the other once it has come there.
    const [, other = ''] = urls
    await isAnswered(other, '203.0.113.1')
    await expect.poll(() => isAnswered(other, '203.0.113.1'), within).toBe(false)
    const keys = await redis.client.keys('portolan:bucket:*')
    expect(keys).toHaveLength(2)
    for (const key of keys) expect(await redis.client.pttl(key)).toBeGreaterThan(0)
  })

  test('are per gateway while Redis is down, and shared again after', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url, {}, { rateLimit })
    await using second = await startMember(upstream, redis.url, {}, { rateLimit })
    const members = [first, second]
    const urls = members.map(({ gateway }) => gateway.url)
    const one = await answersOf(urls.slice(0, 1), '203.0.113.1')
    await redis.stop()
    await Promise.all(members.map((member) => member.logged(down)))
    expect(await answersOf(urls, '203.0.113.2')).toBeGreaterThanOrEqual(2 * one - 10)
    // A client that was refused stays so.
    expect(await isAnswered(first.gateway.url, '203.0.113.1')).toBe(false)

    await redis.start()
    for (const { log } of members) {
      const ups = () => log.filter(({ msg }) => msg === 'fleet: Redis is used')
      await expect.poll(() => ups().length, within).toBe(2)
    }
    expect(await answersOf(urls, '203.0.113.3')).toBeLessThan(1.3 * one)
  })

  test('do not delay operations while Redis hangs', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using member = await startMember(upstream, redis.url, {}, { rateLimit })
    process.kill(redis.pid, 'SIGSTOP')
    try {
      const startedAt = performance.now()
      for (let count = 0; count < 20; count += 1) {
        expect(await isAnswered(member.gateway.url, '203.0.113.1')).toBe(true)
      }
      // A command of Redis is given up after half a second.
      expect(performance.now() - startedAt).toBeLessThan(20 * 250)
    } finally {
      process.kill(redis.pid, 'SIGCONT')
    }
  })
})
