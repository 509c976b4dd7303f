import { createReadHub, type ReadCalls, type ReadWorker } from '../fleet/sharedReads/readHub.ts'
import type { Clock } from '../kit/clock/clock.ts'
import type { WatchQuotaOptions } from '../watch/watchQuota.ts'
import { createWatchHub, type WatchCalls } from './sharedQuota.ts'
import type { Spent } from './spending.ts'

/** What a worker asks of the others, through the primary process. */
export interface SharedCalls extends ReadCalls, WatchCalls {
  /** Tells the other workers what clients have spent. */
  spend(spent: Spent): void
}

/** What a worker is told and asked for the others. */
export interface SharedWorker extends ReadWorker {
  onSpent(spent: Spent): void
}

/** What all workers share: reads, quotas of watching, and what clients spend. */
export interface SharedHub {
  join(worker: SharedWorker): SharedCalls & {
    /** The process has ended. */
    leave(): void
  }
}

/** Opens what workers share, in the primary process. */
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
