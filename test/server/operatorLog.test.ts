import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import { logSilentUpstreams } from '../../src/engine/telemetry/readiness.ts'
import { createUpstreamHealth } from '../../src/engine/telemetry/upstreamHealth.ts'
import type { Limits } from '../../src/gateway.ts'
import { systemClock } from '../../src/kit/clock/clock.ts'
import { SignalSource } from '../../src/kit/clock/signal.ts'
import { fetchStatus } from '../../src/schema/indexer/chain.ts'
import { fakeClock } from '../support/fakeClock.ts'
import { type LogLine, recordLog, startLoggedGateway } from '../support/gatewayLog.ts'
import { post } from '../support/http.ts'
import { freePort } from '../support/proxy.ts'
import { fakeChain, networkOf } from '../support/testServer.ts'

const status = '{"version":"","commit_hash":"","chain_id":"a-1","height":7}'

const heads = 'query Heads($id: ChainId!) { chain(chainId: $id) { status { height } } }'

/** A gateway for whose clock each answer of its indexer takes a second and a half. */
function startSlow(limits: Partial<Limits>) {
  let late = 0
  const clock = { ...systemClock, now: () => late }
  return startLoggedGateway(
    (_request, response) => {
      late += 1_500
      response.end(status)
    },
    { limits },
    { clock },
  )
}

/** What a slow gateway logs of an operation. */
async function slowLines(query: string, limits: Partial<Limits>) {
  await using world = await startSlow(limits)
  const { body } = await post(world.gateway.url, { query, variables: { id: 'a-1' } })
  expect(body).toEqual({ data: { chain: { status: { height: 7 } } } })
  return world.lines.filter(({ msg }) => msg === 'slow operation')
}

test('a slow operation is logged with name, time, cost and requests, without variables', async () => {
  const lines = await slowLines(heads, { timeoutMs: 4_500 })
  expect(lines).toHaveLength(1)
  const ofEachLine = { time: expect.anything(), pid: process.pid, hostname: expect.anything() }
  expect(lines[0]).toEqual({
    ...{ ...ofEachLine, requestId: expect.any(String), level: 30, msg: 'slow operation' },
    ...{ type: 'query', name: 'Heads', outcome: 'ok' },
    ...{ ms: 1_500, cost: expect.any(Number), upstreamRequests: 1 },
  })
})

test('the operation name is truncated in the log', async () => {
  const query = heads.replace('Heads', 'H'.repeat(300))
  const [line] = await slowLines(query, { timeoutMs: 4_500 })
  expect(line?.name).toBe('H'.repeat(100))
})

test('an operation that takes less than a third of timeoutMs is not logged', async () => {
  expect(await slowLines(heads, { timeoutMs: 4_503 })).toEqual([])
})

test('a slow subscription is not logged', async () => {
  await using world = await startSlow({ timeoutMs: 100 })
  const { body } = await fetch(world.gateway.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { chainHeads { block { height } } }' }),
  })
  await body?.cancel()
  const operation = () => world.lines.find(({ msg }) => msg === 'operation')
  await vi.waitFor(() => expect(operation()).toBeDefined(), 5_000)
  expect(operation()).toMatchObject({ type: 'subscription' })
  expect(world.lines.filter(({ msg }) => msg === 'slow operation')).toEqual([])
})

/** Lines about upstreams that do not answer. */
const isSilent = ({ msg }: LogLine) =>
  ['upstream is down', 'upstream does not respond at the start'].includes(String(msg))

test('at start, each upstream that does not answer is logged', async () => {
  const indexer = createServer((request, response) => {
    response.statusCode = request.url?.startsWith('/broken') ? 500 : 200
    response.end(status)
  })
  await new Promise<void>((resolve) => indexer.listen(0, '127.0.0.1', resolve))
  const { port } = indexer.address() as AddressInfo
  const dead = `http://127.0.0.1:${await freePort()}`
  await using world = await startLoggedGateway(() => {}, {
    probeAtStart: true,
    chains: [
      { chainId: 'alive-1', url: `http://127.0.0.1:${port}`, vm: 'wasm' },
      { chainId: 'broken-1', url: `http://127.0.0.1:${port}/broken`, vm: 'wasm' },
      { chainId: 'dead-1', url: dead, vm: 'wasm' },
    ],
    router: { url: dead },
  })
  const lines = () => world.lines.filter(isSilent)
  await vi.waitFor(() => expect(lines().length).toBeGreaterThanOrEqual(3), 5_000)
  const services = lines().map(({ service, level }) => [service, level])
  expect(services.sort()).toEqual([
    ['broken-1', 40],
    ['dead-1', 40],
    ['router', 40],
  ])
  const broken = lines().find(({ service }) => service === 'broken-1')
  expect(broken?.reason).toContain('500')
  await new Promise((resolve) => indexer.close(resolve))
})

test('a gateway starts while an upstream hangs, and its close logs nothing', async () => {
  const world = await startLoggedGateway(() => {}, { probeAtStart: true })
  await vi.waitFor(() => expect(world.received).toHaveLength(1), 5_000)
  await world[Symbol.asyncDispose]()
  expect(world.lines.filter(isSilent)).toEqual([])
})

test('without probeAtStart, nothing is requested at start', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end(status))
  await post(world.gateway.url, { query: '{ __typename }' })
  expect(world.received).toEqual([])
})

test('an upstream that hangs is logged after two seconds', async () => {
  const clock = fakeClock()
  const { log, lines } = recordLog()
  const network = networkOf(fakeChain('a-1', () => new Promise(() => {})))
  const health = createUpstreamHealth({ clock, log })
  const signal = new SignalSource()
  const probed = logSilentUpstreams(network, { clock, health, fetchStatus }, log, signal)
  await clock.advance(1_999)
  expect(lines).toEqual([])
  await clock.advance(1)
  await probed
  expect(lines).toMatchObject([{ service: 'a-1', reason: 'It did not answer within 2000 ms.' }])
})
