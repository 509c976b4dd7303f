import { createClient } from 'graphql-ws'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startCountingUpstream } from '../../../../support/countingUpstream.ts'
import { hashOf, startMember } from '../../../../support/fleetWorld.ts'
import { compileProgram, killPrograms, serveProgram } from '../../../../support/program.ts'
import { hasRedis, startRedis } from '../../../../support/redisServer.ts'

beforeAll(compileProgram, 240_000)

const leave: (() => unknown)[] = []
afterEach(() => {
  for (const end of leave.splice(0)) end()
  killPrograms()
})

const query = (number: number) =>
  `subscription { transfer(chainId: "fleet-1", hash: "${hashOf(number)}", track: false) { state } }`

/** Transfers, each watched by one subscriber. */
const count = 2_000
const sockets = 20

describe.runIf(hasRedis)('a fleet of processes', () => {
  test('loses no final state when one is killed, and keeps its cap of polls', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    const start = () =>
      serveProgram([], {
        INDEXERS: `fleet-1=${upstream.url}`,
        ROUTER_URL: upstream.url,
        REDIS_URL: redis.url,
        RATE_LIMIT: '0',
        MAX_OPEN_PER_CLIENT: '100000',
        UPSTREAM_CONCURRENCY: 'router=64',
      })
    const gateways = await Promise.all([start(), start()])
    const [killed, survivor] = gateways
    if (!killed || !survivor) throw new Error('no gateways')
    let isKilled = false
    const seen = new Set<number>()
    const completed = new Map<number, number>()
    const clients = Array.from({ length: sockets }, (_, index) =>
      createClient({
        url: () => (isKilled || index % 2 ? survivor.url : killed.url).replace('http', 'ws'),
        webSocketImpl: WebSocket,
        retryAttempts: 20,
        retryWait: () => new Promise((resolve) => setTimeout(resolve, 100)),
        shouldRetry: () => true,
      }),
    )
    leave.push(...clients.map((client) => () => client.dispose()))
    const done = Promise.all(
      Array.from({ length: count }, async (_, number) => {
        const client = clients[number % sockets]
        for await (const { data, errors } of client?.iterate({ query: query(number) }) ?? []) {
          if (errors) throw new Error(JSON.stringify(errors))
          seen.add(number)
          if (Object(data).transfer.state === 'COMPLETED_SUCCESS') {
            completed.set(number, performance.now())
          }
        }
      }),
    )
    await expect.poll(() => seen.size, { timeout: 60_000 }).toBe(count)
    upstream.mostInFlight.router = 0
    isKilled = true
    killed.child.kill('SIGKILL')
    await killed.exited
    const endedAt = performance.now()
    upstream.complete(() => true)
    await done
    await Promise.all(clients.map((client) => client.dispose()))
    expect(completed.size).toBe(count)
    expect(Math.max(...completed.values()) - endedAt).toBeLessThan(20_000)
    expect(upstream.mostInFlight.router).toBeLessThanOrEqual(32)
  }, 180_000)
})

describe.runIf(hasRedis)('the head of a chain in a fleet', () => {
  test('is polled once per interval for two gateways, and both get each block', async () => {
    await using upstream = await startCountingUpstream()
    await using redis = await startRedis()
    await using first = await startMember(upstream, redis.url)
    await using second = await startMember(upstream, redis.url)
    const document = 'subscription { blocks(chainId: "fleet-1") { node { height } } }'
    const watches = await Promise.all([first, second].map((member) => member.watch(document)))
    const heads = () => upstream.requests().filter((line) => line.includes('limit=10')).length
    await expect.poll(heads).toBeGreaterThan(0)
    const grow = setInterval(() => {
      upstream.height += 1
    }, 1_000)
    const startedAt = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 8_000))
    const polls = heads()
    const seconds = (performance.now() - startedAt) / 1_000
    clearInterval(grow)
    expect(polls / seconds).toBeLessThanOrEqual(1.15)
    const last = upstream.height
    for (const { events } of watches) {
      await expect.poll(() => events.at(-1)?.data.blocks.node.height, { timeout: 10_000 }).toBe(last)
      const heights = events.map(({ data }) => data.blocks.node.height)
      expect(heights).toEqual(heights.map((_, index) => last - heights.length + 1 + index))
    }
    await Promise.all(watches.map(({ leave }) => leave()))
  })
})
