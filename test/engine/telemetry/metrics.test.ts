import { expect, test } from 'vitest'
import { createMetrics, createNameLabel } from '../../../src/engine/telemetry/metrics/metrics.ts'
import { startLoggedGateway } from '../../support/gatewayLog.ts'
import { post } from '../../support/http.ts'
import { metricValue, readMetrics } from '../../support/metricText.ts'

const block = (height: number) => `{ chain { block(height: ${height}) { hash } } }`

test('the text has a help, a type and valid lines for each metric', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end('null'))
  await post(world.gateway.url, { query: 'query Page { chain { chainId } }' })
  const { families, text } = await readMetrics(world.gateway.metricsUrl)
  for (const line of text.split('\n').filter((line) => line && !line.startsWith('#'))) {
    expect(line).toMatch(/^[a-z_:][a-z0-9_:]*(\{[a-z_]+="[^"]*"(,[a-z_]+="[^"]*")*\})? [-\d.e+NaInf]+$/i)
  }
  for (const [name, type] of families) {
    if (!name.startsWith('portolan_')) continue
    expect(name).toMatch(/^portolan_[a-z_]+$/)
    expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter'])
    if (type === 'histogram') expect(name).toMatch(/_(seconds|points)$/)
  }
  expect(families.size).toBeGreaterThan(30)
})

test('metrics have at most 200 operation names', () => {
  const label = createNameLabel()
  const names = Array.from({ length: 300 }, (_, index) => `Operation${index}`)
  expect(new Set(names.map(label)).size).toBe(201)
  expect(label('Operation0')).toBe('Operation0')
  expect(label('Operation299')).toBe('other')
  expect(label(undefined)).toBe('anonymous')
  expect(createNameLabel()('a'.repeat(65))).toBe('other')
})

test('operations are counted by name, with their cost, and refusals by limit', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end('null'), {
    limits: { maxCost: 100, cacheTtlMs: 0 },
  })
  const ask = (query: string) => post(world.gateway.url, { query })
  await ask('query Page { chain { chainId } }')
  await ask('query Page { chain { chainId } }')
  await ask('{ chain { blocks(first: 100) { nodes { hash } } } }')
  const { text } = await readMetrics(world.gateway.metricsUrl)
  expect(text).toContain('portolan_operations_total{name="Page",type="query",outcome="ok"} 2\n')
  expect(metricValue(text, 'portolan_operation_cost_points_count')).toBe(2)
  expect(text).toContain('portolan_refusals_total{limit="cost"} 1\n')
})

test('upstream requests are counted: shared, repeated, in flight, waiting, and up or down', async () => {
  let failures = 1
  const held: (() => void)[] = []
  await using world = await startLoggedGateway(
    (_request, response) => {
      failures -= 1
      if (failures >= 0) return void response.writeHead(503).end()
      held.push(() => response.writeHead(404).end())
    },
    { maxRequests: 1 },
  )
  const answers = [1, 1, 2].map((height) => post(world.gateway.url, { query: block(height) }))
  const read = async (name: string) => metricValue((await readMetrics(world.gateway.metricsUrl)).text, name)
  const service = '{service="a-1"}'
  await expect.poll(() => held.length).toBe(1)
  await expect.poll(() => read(`portolan_upstream_queue_length${service}`)).toBeGreaterThan(0)
  expect(await read(`portolan_upstream_requests_in_flight${service}`)).toBe(1)
  expect(await read(`portolan_upstream_coalesced_requests_total${service}`)).toBe(1)
  expect(await read(`portolan_upstream_retries_total${service}`)).toBe(1)
  expect(await read(`portolan_upstream_up${service}`)).toBe(1)
  held.shift()?.()
  await expect.poll(() => held.length).toBe(1)
  held.shift()?.()
  await Promise.all(answers)
  expect(await read(`portolan_upstream_queue_wait_seconds_count${service}`)).toBe(3)
  expect(await read(`portolan_upstream_queue_length${service}`)).toBe(0)
  expect(await read('portolan_upstream_request_duration_seconds_count{service="a-1",outcome="404"}')).toBe(2)
})

test('an upstream that fails is down in the metrics', async () => {
  await using world = await startLoggedGateway((request) => request.socket.destroy())
  const read = async (name: string) => {
    const { text } = await readMetrics(world.gateway.metricsUrl)
    return metricValue(text, `${name}{service="a-1"}`)
  }
  expect(await read('portolan_upstream_open_circuits')).toBe(0)
  for (let height = 1; height < 10; height += 1) {
    await post(world.gateway.url, { query: block(height) })
  }
  expect(await read('portolan_upstream_up')).toBe(0)
  expect(await read('portolan_upstream_open_circuits')).toBe(1)
})

test('hits and misses of caches are counted', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end('null'), {
    limits: { cacheTtlMs: 0 },
  })
  for (let count = 0; count < 3; count += 1) {
    await post(world.gateway.url, { query: '{ chain { name } }' })
  }
  const { text } = await readMetrics(world.gateway.metricsUrl)
  expect(metricValue(text, 'portolan_cache_hits_total{cache="documents"}')).toBe(2)
  expect(metricValue(text, 'portolan_cache_misses_total{cache="documents"}')).toBe(1)
  expect(metricValue(text, 'portolan_cache_bytes{cache="documents"}')).toBeGreaterThan(0)
})

test('metrics can be served on a port of their own', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end('null'), {
    metricsPort: 0,
  })
  const { gateway } = world
  expect(new URL(gateway.metricsUrl).port).not.toBe(new URL(gateway.url).port)
  const { text } = await readMetrics(gateway.metricsUrl)
  expect(text).toMatch(/^portolan_build_info\{version="\d+\.\d+\.\d+",node="v\d+/m)
  expect((await fetch(new URL('/metrics', gateway.url))).status).toBe(404)
  expect((await fetch(new URL('/graphql', gateway.metricsUrl))).status).toBe(404)
  await gateway.close()
  await expect(fetch(gateway.metricsUrl)).rejects.toThrow()
})

test('two gateways in one process have separate metrics', async () => {
  const [one, two] = [createMetrics(), createMetrics()]
  one.onRefusal('tokens')
  const refused = 'portolan_refusals_total{limit="tokens"}'
  expect(await one.text()).toContain(`${refused} 1`)
  expect(await two.text()).toContain(`${refused} 0`)
})
