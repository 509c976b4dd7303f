import { loadPeers } from '../../peers/loadPeers.ts'
import type { Log } from '../log.ts'
import type { Tracing } from './tracing.ts'

/**
 * Starts tracing if the standard variables of OpenTelemetry ask for it: an endpoint is set, or
 * `OTEL_TRACES_EXPORTER` is `otlp`. Otherwise nothing is loaded. A failure is logged, and the gateway
 * serves without traces.
 */
export async function openTracing(
  env: Readonly<Record<string, string | undefined>>,
  log: Log,
): Promise<Tracing | undefined> {
  const exporter = env.OTEL_TRACES_EXPORTER || (hasEndpoint(env) ? 'otlp' : 'none')
  if (exporter === 'none' || env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return undefined
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL || env.OTEL_EXPORTER_OTLP_PROTOCOL
  if (exporter !== 'otlp' || (protocol && protocol !== 'http/protobuf')) {
    log.warn('No traces: the only exporter is otlp, with the protocol http/protobuf.')
    return undefined
  }
  try {
    const { openOtlpTracing } = await loadPeers(feature, () => import('./openTelemetry.ts'))
    return openOtlpTracing()
  } catch (error) {
    log.warn({ err: error }, 'No traces.')
    return undefined
  }
}

const feature = {
  name: 'OTEL_TRACES_EXPORTER',
  packages: ['api', 'core', 'exporter-trace-otlp-proto', 'resources', 'sdk-trace-base'].map(
    (name) => `@opentelemetry/${name}`,
  ),
}

const hasEndpoint = (env: Readonly<Record<string, string | undefined>>): boolean =>
  Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT)
