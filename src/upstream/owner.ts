import type { QueueOwner } from '../kit/queue/lane.ts'
import type { RequestBudget } from './requestBudget.ts'
import type { Trace } from './trace.ts'

/** The sender of a request. Told apart by identity: each operation is one owner. */
export interface Owner extends QueueOwner {
  /** Sent to upstreams as `X-Request-Id`. A request that several owners share has the id of the first. */
  readonly requestId?: string | undefined
  /** The trace that its requests are part of, if it is traced. */
  readonly trace?: Trace | undefined
  /** Counts what its requests cause. */
  readonly budget?: RequestBudget
}
