import { limitExceeded } from '../upstream/error.ts'

/** Bounds what clients watch: each target that is watched is polled. */
export interface WatchQuota {
  /**
   * Counts that a client watches a target, once for all its listeners. Returns a function that ends it.
   * Throws `RATE_LIMITED` if the client, or all clients together, watch too many targets.
   */
  acquire(client: string, target: string): () => void
}

/** How many targets may be watched. */
export interface WatchQuotaOptions {
  readonly maxTargetsPerClient: number
  /** By all clients. A target that many of them watch counts once. */
  readonly maxTargets: number
}

/** Creates a quota. */
export function createWatchQuota(options: WatchQuotaOptions): WatchQuota {
  const { maxTargetsPerClient, maxTargets } = options
  /** How often each client watches each target. */
  const byClient = new Map<string, Map<string, number>>()
  const all = new Map<string, number>()

  return {
    acquire(client, target) {
      const own = byClient.get(client) ?? new Map<string, number>()
      if (!own.has(target) && own.size >= maxTargetsPerClient) {
        throw limitExceeded(
          'watched_per_client',
          'RATE_LIMITED',
          `This client watches too many transfers and transactions. The limit is ${maxTargetsPerClient}.`,
        )
      }
      if (!all.has(target) && all.size >= maxTargets) {
        throw limitExceeded(
          'watched',
          'RATE_LIMITED',
          'Too many transfers and transactions are watched. Try again later.',
        )
      }
      byClient.set(client, own)
      increment(own, target)
      increment(all, target)
      return () => {
        decrement(own, target)
        decrement(all, target)
        if (own.size === 0) byClient.delete(client)
      }
    },
  }
}

const increment = (counts: Map<string, number>, key: string) =>
  void counts.set(key, (counts.get(key) ?? 0) + 1)

function decrement(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 0) - 1
  if (left > 0) counts.set(key, left)
  else counts.delete(key)
}
