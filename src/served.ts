import type { Gateway, GatewayOptions } from './gateway.ts'
import type { Log } from './server/observability/log.ts'

/** What `serve` runs, in one process or in several. */
export type Served = Pick<Gateway, 'url' | 'metricsUrl' | 'updateChains' | 'close'>

/** What it serves, and how. */
export interface ServeOptions extends Omit<GatewayOptions, 'log' | 'tracing'> {
  readonly port: number
  readonly host: string
  readonly logLevel: string
  readonly logFormat: 'auto' | 'json' | 'pretty'
  readonly log: Log
}
