import type { Log } from '../../engine/telemetry/log.ts'
import type { Metrics } from '../../engine/telemetry/metrics/metrics.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { Clients } from '../clients/clients.ts'
import type { OperationServices } from '../operation/operationServices.ts'
import type { Backpressure } from './backpressure.ts'
import type { Compression } from './compression.ts'
import type { ConnectionQuota } from './connections.ts'
import type { HttpCaching } from './httpCaching.ts'
import type { Liveness } from './liveness.ts'
import type { ResponseCache } from './responseCache.ts'

/** What HTTP and WebSockets need besides what the way of an operation does. It is made once for a server. */
export interface TransportServices extends OperationServices, Clients, Pick<Metrics, 'onRefusal'> {
  readonly clock: Clock
  readonly log: Log
  /** Origins whose web pages may use the graph. */
  readonly allowedOrigins: '*' | readonly string[]
  /** Whole answers, which are sent again. */
  readonly answers: ResponseCache
  readonly caching: HttpCaching
  readonly compression: Compression
  readonly backpressure: Backpressure
  readonly liveness: Liveness
  /** Counts what each client has open: WebSockets, the operations on them, and event streams. */
  readonly quota: ConnectionQuota
}
