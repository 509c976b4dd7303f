import { SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { expect, test } from 'vitest'
import { createTracing } from '../../src/engine/telemetry/tracing/openTelemetry.ts'
import { openTracing } from '../../src/engine/telemetry/tracing/tracing.ts'
import { recordLog, startLoggedGateway } from '../support/gatewayLog.ts'
import { post } from '../support/http.ts'

const query = 'query Page { chain { block(height: 7) { hash } } }'
const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'

/** A gateway whose spans are kept in memory. Its indexer fails once, then finds nothing. */
async function startTraced() {
  const exporter = new InMemorySpanExporter()
  let requests = 0
  const world = await startLoggedGateway(
    (_request, response) => {
      requests += 1
      response.writeHead(requests === 1 ? 503 : 404).end('[NOT_FOUND] block not found')
    },
    { tracing: createTracing(new SimpleSpanProcessor(exporter)) },
  )
  return { ...world, exporter, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

test('an operation is a span of the client trace, with a span per upstream request', async () => {
  await using world = await startTraced()
  await post(world.gateway.url, { query }, { traceparent: `00-${traceId}-${parentId}-01`, 'x-request-id': 'id-1' })
  const spans = world.exporter.getFinishedSpans()
  const operation = spans.find(({ name }) => name === 'query Page')
  const requests = spans.filter(({ name }) => name.startsWith('GET '))
  expect(spans).toHaveLength(3)
  expect(spans.map((span) => span.spanContext().traceId)).toEqual([traceId, traceId, traceId])
  expect(operation?.parentSpanContext?.spanId).toBe(parentId)
  expect(operation?.attributes).toMatchObject({
    'graphql.operation.type': 'query',
    'graphql.operation.name': 'Page',
    'portolan.outcome': 'ok',
    'portolan.cost': expect.any(Number),
    'portolan.request_id': 'id-1',
  })
  expect(operation?.resource.attributes['service.name']).toBe('portolan')
  expect(requests.map(({ attributes }) => attributes)).toMatchObject([
    { 'portolan.service': 'a-1', 'http.response.status_code': 503 },
    { 'http.response.status_code': 404, 'http.request.resend_count': 1 },
  ])
  expect(requests[0]?.status.code).toBe(SpanStatusCode.ERROR)
  expect(requests[0]?.attributes['url.template']).toContain('*')
  for (const request of requests) {
    expect(request.parentSpanContext?.spanId).toBe(operation?.spanContext().spanId)
  }
  expect(world.received.map(({ headers }) => headers.traceparent)).toEqual(
    requests.map((request) => `00-${traceId}-${request.spanContext().spanId}-01`),
  )
})

test('an operation without a trace starts one, and an error has its code', async () => {
  await using world = await startTraced()
  await post(world.gateway.url, { query: '{ nothing }' })
  const [span, ...others] = world.exporter.getFinishedSpans()
  expect(others).toEqual([])
  expect(span?.parentSpanContext).toBeUndefined()
  expect(span?.status).toEqual({
    code: SpanStatusCode.ERROR,
    message: 'GRAPHQL_VALIDATION_FAILED',
  })
})

test('without tracing, upstreams receive no trace context', async () => {
  await using world = await startLoggedGateway((_request, response) => void response.end('null'))
  await post(world.gateway.url, { query }, { traceparent: `00-${traceId}-${parentId}-01` })
  expect(world.received.length).toBeGreaterThan(0)
  expect(world.received.map(({ headers }) => headers.traceparent)).toEqual(world.received.map(() => undefined))
})

test.each([
  [{}, false, 0],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }, true, 0],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true, 0],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_TRACES_EXPORTER: 'none' }, false, 0],
  [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'true' }, false, 0],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, false, 1],
  [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, false, 1],
])('with %j, tracing is enabled: %s', async (env, isOn, warnings) => {
  const { log, lines } = recordLog()
  const tracing = await openTracing(env, log)
  expect(tracing !== undefined).toBe(isOn)
  expect(lines).toHaveLength(warnings)
  await tracing?.close()
})
