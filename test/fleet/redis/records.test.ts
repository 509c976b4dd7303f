import { describe, expect, test } from 'vitest'
import { createGateway } from '../../../src/gateway.ts'
import { type Clock, systemClock } from '../../../src/kit/clock/clock.ts'
import { startSandbox } from '../../../src/sandbox/sandbox.ts'
import { post } from '../../support/http.ts'
import { metricValue, readMetrics } from '../../support/metricText.ts'
import { hasRedis, startRedis } from '../../support/redisServer.ts'
import { startSlowProxy } from '../../support/slowProxy.ts'

const query = '{ chain(chainId: "galley-1") { block(height: 7) { hash } } }'

/** The hash of a block, as this gateway answers. */
async function hashAt({ url }: { readonly url: string }) {
  const { body } = await post(url, { query })
  expect(body.errors).toBeUndefined()
  return body.data.chain.block.hash
}

/** A sandbox, and how often its indexer was asked for the block. */
async function startWorld() {
  const sandbox = await startSandbox()
  return {
    asked: () => sandbox.requests.filter((line) => /\/blocks\/7$/.test(line)).length,
    start: (url: string, records: boolean, clock?: Clock) =>
      createGateway({ chains: sandbox.indexers, redis: { url, records } }, clock && { clock }),
    [Symbol.asyncDispose]: () => sandbox.close(),
  }
}

/** A clock by which Redis is never late, however busy the machine is. */
const unhurried: Clock = {
  now: () => systemClock.now() / 60,
  date: systemClock.date,
  after: (milliseconds, run) => systemClock.after(milliseconds * 60, run),
}

describe.runIf(hasRedis)('records in Redis', () => {
  test('are read once for all gateways if redis.records is on', async () => {
    await using redis = await startRedis()
    await using world = await startWorld()
    await using first = await world.start(redis.url, true, unhurried)
    const hash = await hashAt(first)
    await using second = await world.start(redis.url, true, unhurried)
    expect([await hashAt(second), world.asked()]).toEqual([hash, 1])
    const [key = '', ...others] = await redis.client.keys('portolan:record:*')
    expect(others).toEqual([])
    expect(await redis.client.pttl(key)).toBeGreaterThan(3_000_000)
    const { text } = await readMetrics(second.metricsUrl)
    expect(metricValue(text, 'portolan_fleet_records_total{result="hit"}')).toBe(1)

    await using third = await world.start(redis.url, false)
    expect([await hashAt(third), world.asked()]).toEqual([hash, 2])

    await redis.client.set(key, '1 0\n{"garbage":')
    await using fourth = await world.start(redis.url, true)
    expect([await hashAt(fourth), world.asked()]).toEqual([hash, 3])
  })

  test('are not waited for while Redis is slow or down', async () => {
    await using redis = await startRedis()
    await using proxy = await startSlowProxy(redis.port)
    await using world = await startWorld()
    await using first = await world.start(redis.url, true)
    const hash = await hashAt(first)
    await using second = await world.start(`redis://127.0.0.1:${proxy.port}`, true)
    proxy.delayMs = 400
    const startedAt = performance.now()
    expect([await hashAt(second), world.asked()]).toEqual([hash, 2])
    expect(performance.now() - startedAt).toBeLessThan(700)
    await redis.stop()
    await using third = await world.start(redis.url, true)
    expect([await hashAt(third), world.asked()]).toEqual([hash, 3])
  })
})
