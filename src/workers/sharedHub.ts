import { createReadHub, type ReadCalls, type ReadWorker } from '../fleet/sharedReads/readHub.ts'
import type { Clock } from '../kit/clock/clock.ts'
import type { WatchQuotaOptions } from '../watch/watchQuota.ts'
import { createWatchHub, type WatchCalls } from './sharedQuota.ts'
import type { Spent } from './spending.ts'

/** Calls of a worker to the others, through the primary process. */
export interface SharedCalls extends ReadCalls, WatchCalls {
  /** Reports to the other workers how much clients have spent. */
  spend(spent: Spent): void
}

/** Calls to a worker, for the others. */
export interface SharedWorker extends ReadWorker {
  onSpent(spent: Spent): void
}

/** The state that all workers share: reads, quotas of watching, and the spending of clients. */
export interface SharedHub {
  join(worker: SharedWorker): SharedCalls & {
    /** The process has ended. */
    leave(): void
  }
}

/** Opens the shared state of the workers, in the primary process. */
export function createSharedHub(clock: Clock, quota: WatchQuotaOptions): SharedHub {
  const reads = createReadHub(clock)
  const watches = createWatchHub(quota)
  const workers = new Set<SharedWorker>()
  return {
    join(worker) {
      const { leave: leaveReads, ...readCalls } = reads.join(worker)
      const { leave: leaveWatches, ...watchCalls } = watches.join()
      workers.add(worker)
      return {
        ...readCalls,
        ...watchCalls,
        spend(spent) {
          for (const other of workers) if (other !== worker) other.onSpent(spent)
        },
        leave() {
          workers.delete(worker)
          leaveReads()
          leaveWatches()
        },
      }
    },
  }
}
