import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { GatewayInternals, Limits } from '../../../../src/gateway.ts'
import { createGateway } from '../../../../src/gateway.ts'
import { fakeClock } from '../../../support/fakeClock.ts'
import { metricValue, readMetrics } from '../../../support/metricText.ts'
import { hashOf } from '../../../support/routerWorld.ts'

/** A gateway on a clock of the test, over a router that answers as the function says: never, where it is undefined. */
async function start(
  answer: (path: string) => { status: number; headers?: Record<string, string> } | undefined,
  limits: Partial<Limits> = {},
  poller: GatewayInternals['poller'] = {},
) {
  const clock = fakeClock()
  const asked: number[] = []
  const router = createServer((request, response) => {
    asked.push(clock.now())
    const answered = answer(request.url?.split('?')[0] ?? '')
    if (answered) response.writeHead(answered.status, answered.headers).end('{}')
  })
  await new Promise<void>((done) => router.listen(0, '127.0.0.1', done))
  const gateway = await createGateway(
    {
      chains: [{ chainId: 'a-1', url: 'http://127.0.0.1:9' }],
      router: { url: `http://127.0.0.1:${(router.address() as AddressInfo).port}` },
      limits,
    },
    { clock, server: { drain: 0 }, poller },
  )
  const send = (query: string, accept = 'application/json', signal: AbortSignal | null = null) =>
    fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept },
      body: JSON.stringify({ query }),
      signal,
    })
  return {
    ...{ clock, asked, send, gateway },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      router.closeAllConnections()
      await new Promise((done) => router.close(done))
    },
  }
}

const nextTurn = () => new Promise((done) => setImmediate(done))

test('portolan_poll_late_seconds is the time that a poll has waited', async () => {
  await using world = await start(() => undefined, { upstreamTimeoutMs: 60_000 }, { concurrency: 1 })
  const metric = async (name: string) => {
    const { text } = await readMetrics(new URL('/metrics', world.gateway.url).href)
    return metricValue(text, name)
  }
  expect(await metric('portolan_poll_late_seconds')).toBe(0)
  const leaving = new AbortController()
  const watched = ['00', '01'].map((end) =>
    world
      .send(
        `subscription { transfer(chainId: "a-1", hash: "${hashOf(end)}") { state } }`,
        'text/event-stream',
        leaving.signal,
      )
      .catch(() => 'left'),
  )
  while ((await metric('portolan_polls')) !== 2 || world.asked.length === 0) {
    await world.clock.advance(0)
  }
  await world.clock.advance(3_000)
  expect([world.asked.length, await metric('portolan_poll_late_seconds')]).toEqual([1, 3])
  leaving.abort()
  await Promise.all(watched)
})

test.each([
  ['seconds', () => '7'],
  ['a date', (now: number) => new Date(now + 7_000).toUTCString()],
])('Retry-After in %s of the router is passed on as retryAfter', async (_, after) => {
  await using world = await start(() => ({
    status: 429,
    headers: { 'retry-after': after(world.clock.now()) },
  }))
  const answered = world.send(
    `{ transfer(chainId: "a-1", hash: "${hashOf('00')}") { state } chain(chainId: "a-1") { chainId } }`,
  )
  while (world.asked.length === 0) await nextTurn()
  const ended = answered.then(() => true)
  while (!(await Promise.race([ended, world.clock.advance(500)])));
  const { data, errors } = await (await answered).json()
  expect(data).toEqual({ transfer: null, chain: { chainId: 'a-1' } })
  expect(errors).toMatchObject([{ path: ['transfer'], extensions: { service: 'router', retryAfter: 7 } }])
})
