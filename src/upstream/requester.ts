import type { QueueRequester } from '../kit/queue/roundRobin.ts'
import type { RequestBudget } from './requestBudget.ts'
import type { Trace } from './trace.ts'

/** The sender of a request. Compared by identity: each operation is one requester. */
export interface Requester extends QueueRequester {
  /** Sent to upstreams as `X-Request-Id`. A request that several requesters share has the id of the first. */
  readonly requestId?: string | undefined
  /** The trace that its requests are part of, if it is traced. */
  readonly trace?: Trace | undefined
  readonly budget?: RequestBudget
}
