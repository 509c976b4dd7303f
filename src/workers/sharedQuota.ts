import { GatewayError, limitExceeded, type RefusingLimit } from '../upstream/error.ts'
import { createWatchQuota, type WatchQuota, type WatchQuotaOptions } from '../watch/watchQuota.ts'

/** Why a client may not watch a target. */
export interface WatchRefusal {
  readonly limit: RefusingLimit
  /** The message for the client. */
  readonly message: string
}

/** Calls of the quota of a worker to the primary process. */
export interface WatchCalls {
  /** Counts that a client watches a target. Resolves to why it may not, if so. */
  watch(id: number, client: string, target: string): Promise<WatchRefusal | undefined>
  /** Ends what was counted with this id. */
  unwatch(id: number): void
}

/**
 * A quota that holds for all workers. If a worker knows that a target is too much, it refuses the target at once. If
 * only the primary knows it, the refusal comes a moment later, when the first state may have been delivered.
 */
export function createSharedQuota(options: WatchQuotaOptions, primary: WatchCalls): WatchQuota {
  const own = createWatchQuota(options)
  let lastId = 0
  return {
    acquire(client, target, onRefused) {
      const release = own.acquire(client, target)
      lastId += 1
      const id = lastId
      primary.watch(id, client, target).then(
        (refusal) => {
          if (!refusal) return
          onRefused?.(limitExceeded(refusal.limit, 'RATE_LIMITED', refusal.message))
        },
        // The primary has ended, and this process is about to.
        () => {},
      )
      return () => {
        release()
        primary.unwatch(id)
      }
    },
  }
}

/** The primary's side of the quotas of all workers. */
export interface WatchHub {
  join(): WatchCalls & {
    /** The process has ended, and watches nothing any more. */
    leave(): void
  }
}

/** Opens the quota of a primary process. */
export function createWatchHub(options: WatchQuotaOptions): WatchHub {
  const quota = createWatchQuota(options)
  return {
    join() {
      const releases = new Map<number, () => void>()
      return {
        async watch(id, client, target) {
          try {
            releases.set(id, quota.acquire(client, target))
            return undefined
          } catch (error) {
            if (!(error instanceof GatewayError)) throw error
            return { limit: error.limit ?? 'watched', message: error.message }
          }
        },
        unwatch(id) {
          releases.get(id)?.()
          releases.delete(id)
        },
        leave() {
          for (const release of releases.values()) release()
          releases.clear()
        },
      }
    },
  }
}
