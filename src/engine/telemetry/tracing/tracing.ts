import type { IncomingHttpHeaders } from 'node:http'
import { messageOf } from '#kit/errors'
import { loadOptional, type PeerFeature } from '../../../kit/loadOptional.ts'
import type { Trace } from '../../upstream/requester.ts'
import type { Log } from '../log.ts'
import type { OperationEvent } from '../telemetry.ts'

export interface OperationTrace extends Trace {
  /** Ends the span of the operation. Called once. */
  end(event: OperationEvent): void
}

/** Records a span for each operation, and one for each request to an upstream. */
export interface Tracing {
  /** Starts the span of an operation, within the trace that the headers of the request name, if any. */
  startOperation(headers: IncomingHttpHeaders): OperationTrace
  /** Sends the spans that are left. */
  close(): Promise<void>
}

/**
 * Starts tracing if the standard variables of OpenTelemetry ask for it: an endpoint is set, or
 * `OTEL_TRACES_EXPORTER` is `otlp`. Otherwise nothing is loaded. A failure is logged, and the gateway
 * serves without traces.
 */
export async function openTracing(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
  load = () => import('./openTelemetry.ts'),
): Promise<Tracing | undefined> {
  const exporter = env.OTEL_TRACES_EXPORTER || (hasEndpoint(env) ? 'otlp' : 'none')
  if (exporter === 'none' || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (exporter !== 'otlp' || (protocol && protocol !== 'http/protobuf')) {
    log.warn('No traces: the only exporter is otlp, with the protocol http/protobuf.')
    return undefined
  }
  try {
    const { openOtlpTracing } = await loadOptional(tracingFeature, load)
    return openOtlpTracing()
  } catch (error) {
    log.warn(`No traces: ${messageOf(error)}`)
    return undefined
  }
}

/** The optional libraries of traces. */
export const tracingFeature: PeerFeature = {
  name: 'OpenTelemetry',
  packages: ['api@1', 'core@2', 'exporter-trace-otlp-proto@0.223', 'resources@2', 'sdk-trace-base@2'].map(
    (name) => `@opentelemetry/${name}`,
  ),
}

const hasEndpoint = (env: Readonly<Record<string, string | undefined>>): boolean =>
  Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
