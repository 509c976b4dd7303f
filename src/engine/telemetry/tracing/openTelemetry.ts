import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Tracing } from './tracing.ts'

/** Tracing over OTLP. The libraries read the standard variables of the process themselves. */
export const openOtlpTracing = (): Tracing => createTracing(new BatchSpanProcessor(new OTLPTraceExporter()))

/** Tracing whose spans a processor receives. */
export function createTracing(processor: SpanProcessor): Tracing {
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'portolan' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('portolan')
  const propagator = new W3CTraceContextPropagator()
  return {
    startOperation(headers) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      const span = tracer.startSpan('GraphQL operation', { kind: SpanKind.SERVER }, parent)
      const context = trace.setSpan(parent, span)
      return {
        startRequest({ service, method, route, retries }) {
          const attributes = {
            'portolan.service': service,
            'http.request.method': method,
            'url.template': route,
            ...(retries > 0 && { 'http.request.resend_count': retries }),
          }
          const options = { kind: SpanKind.CLIENT, attributes }
          const request = tracer.startSpan(`${method} ${route}`, options, context)
          const carrier: Record<string, string> = {}
          propagator.inject(trace.setSpan(context, request), carrier, defaultTextMapSetter)
          return {
            headers: carrier,
            end(outcome) {
              if (/^\d+$/.test(outcome)) {
                request.setAttribute('http.response.status_code', Number(outcome))
              } else {
                request.setAttribute('error.type', outcome)
              }
              if (!/^[23]/.test(outcome)) request.setStatus({ code: SpanStatusCode.ERROR })
              request.end()
            },
          }
        },

        end({ type, name, outcome, cost, requestId }) {
          span.updateName(name === undefined ? type : `${type} ${name}`)
          span.setAttributes({
            'graphql.operation.type': type,
            ...(name !== undefined && { 'graphql.operation.name': name }),
            'portolan.outcome': outcome,
            ...(cost !== undefined && { 'portolan.cost': cost }),
            ...(requestId !== undefined && { 'portolan.request_id': requestId }),
          })
          if (outcome !== 'ok') span.setStatus({ code: SpanStatusCode.ERROR, message: outcome })
          span.end()
        },
      }
    },
    close: () => provider.shutdown(),
  }
}
