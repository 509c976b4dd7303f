import { expect, test } from 'vitest'
import { createUpstreamHealth } from '../../src/engine/telemetry/upstreamHealth.ts'
import { deferred } from '../support/deferred.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { recordLog, startLoggedGateway } from '../support/gatewayLog.ts'
import { post } from '../support/http.ts'

const blocks = '{ chain { blocks(first: 1) { nodes { height } } } }'

/** Health on a clock that the test moves, and its log. */
function startHealth() {
  const clock = fakeClock()
  const record = recordLog()
  const health = createUpstreamHealth({ log: record.log, clock })
  const attempt = (outcome: string, cause?: string) => health.onAttempt({ service: 'a-1', outcome, seconds: 0, cause })
  return { ...record, health, clock, attempt }
}

test('an outage logs two lines: start with cause, end with count', async () => {
  const { attempt, clock, lines, health } = startHealth()
  expect(health.of('a-1')).toEqual({ status: 'unknown' })
  attempt('200')
  for (let count = 0; count < 1_000; count += 1) attempt('UPSTREAM_UNAVAILABLE', 'ECONNREFUSED')
  expect(health.of('a-1').status).toBe('down')
  await clock.advance(42_000)
  attempt('200')
  attempt('200')
  expect(lines.map(({ msg }) => msg)).toEqual(['upstream is down', 'upstream is up again'])
  expect(lines[0]).toMatchObject({ level: 40, service: 'a-1', cause: 'ECONNREFUSED' })
  expect(lines[1]).toMatchObject({ level: 30, service: 'a-1', seconds: 42, failedRequests: 1_000 })
  expect(health.of('a-1')).toEqual({
    status: 'up',
    seconds: 0,
    lastFault: { code: 'UPSTREAM_UNAVAILABLE', secondsAgo: 42 },
  })
})

test('a flapping upstream is one outage, and is degraded', async () => {
  const { attempt, clock, lines, health } = startHealth()
  for (let round = 0; round < 100; round += 1) {
    for (let count = 0; count < 3; count += 1) attempt('503')
    attempt('200')
    await clock.advance(100)
  }
  expect(lines).toHaveLength(1)
  expect(health.of('a-1').status).toBe('degraded')
  await clock.advance(5_000)
  attempt('200')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ failedRequests: 300 })
  expect(health.of('a-1').status).toBe('up')
})

test.each(['500', '404', '400', '200'])('status %s is not an outage', (status) => {
  const { attempt, lines, health } = startHealth()
  for (let count = 0; count < 10; count += 1) attempt(status)
  expect(lines).toEqual([])
  expect(health.of('a-1').status).toBe('up')
})

test('fifty requests to a dead indexer log one warning', async () => {
  await using world = await startLoggedGateway((request) => request.socket.destroy())
  for (let count = 0; count < 50; count += 1) {
    const { body } = await post(world.gateway.url, { query: blocks })
    expect(body.errors[0].extensions.code).toBe('UPSTREAM_UNAVAILABLE')
  }
  expect(world.above(20).map(({ msg }) => msg)).toEqual(['upstream is down'])
})

test('a missing router is not an upstream fault', async () => {
  await using world = await startLoggedGateway((request) => request.socket.destroy())
  const { body } = await post(world.gateway.url, { query: '{ bridges { name } }' })
  expect(body.errors[0]).toMatchObject({
    message: 'No router is configured.',
    extensions: { code: 'NOT_CONFIGURED', service: 'router' },
  })
  expect(world.above(20)).toEqual([])
})

test('a client that disconnects is not an upstream fault', async () => {
  const controller = new AbortController()
  const left = deferred<void>()
  await using world = await startLoggedGateway((_request, response) => {
    response.once('close', () => left.resolve(undefined))
    controller.abort()
  })
  const answer = fetch(`${world.gateway.url}?query=${encodeURIComponent(blocks)}`, {
    signal: controller.signal,
  })
  await expect(answer).rejects.toThrow()
  await left.promise
  await expect.poll(() => world.lines.some(({ msg }) => msg === 'operation')).toBe(true)
  expect(world.above(20)).toEqual([])
  expect(world.lines.find(({ msg }) => msg === 'operation')).toMatchObject({ outcome: 'CANCELLED' })
})

test('equal upstream errors are logged once a minute with a count', async () => {
  const clock = fakeClock()
  await using world = await startLoggedGateway(
    (_request, response) => void response.writeHead(500).end('no'),
    {},
    { clock },
  )
  const ask = () => post(world.gateway.url, { query: blocks })
  for (let count = 0; count < 5; count += 1) await ask()
  expect(world.above(30)).toHaveLength(1)
  await clock.advance(60_000)
  await ask()
  expect(world.above(30)).toHaveLength(2)
  expect(world.above(30)[1]).toMatchObject({ msg: 'upstream error', repeated: 4 })
  // A connection that a client keeps open is cut by this clock.
  const closed = world.gateway.close()
  await clock.advance(10_000)
  await closed
})

test('upstream error text is logged on one line with secrets redacted', async () => {
  const key = 'sk-live-0123456789abcdef'
  const headers = { authorization: `Bearer ${key}`, 'x-version': '2' }
  await using world = await startLoggedGateway(
    ({ headers: { authorization } }, response) =>
      void response.writeHead(401).end(`${'2 '.repeat(90)}\u001b[31mkey ${authorization}\n${key} is not valid`),
    { headers },
  )
  await post(world.gateway.url, { query: blocks })
  const [line] = world.above(30)
  expect(line?.bodyExcerpt).toBe(`${'2 '.repeat(90)} [31mkey [redacted] `.slice(0, 200))
  expect(JSON.stringify(world.lines)).not.toMatch(/sk-|live|abcdef|\\u001b/)
})

test('a response that is not JSON is not logged', async () => {
  await using world = await startLoggedGateway((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"a": sk-live-0123456789')
  })
  await post(world.gateway.url, { query: blocks })
  expect(world.above(30)).toHaveLength(1)
  expect(JSON.stringify(world.lines)).not.toContain('sk-')
})
