import { z } from 'zod'
import type { CacheStore } from '../../cache/cache.ts'
import type { Clock } from '../../clock/clock.ts'
import { withDeadline } from '../../clock/deadline.ts'
import type { Network } from '../../upstream/network.ts'
import { get } from '../../upstream/request.ts'

/** Milliseconds in which an indexer must answer. */
const probeTimeoutMs = 2_000

/** Milliseconds between probes, so that readiness checks cannot be used to overload the indexers. */
const ttlMs = 5_000

const statusRequest = get('/status', z.unknown())

/** Returns a check that is true while at least one indexer answers. */
export function createReadiness(
  { chains }: Network,
  { cache, clock }: { cache: CacheStore; clock: Clock },
): () => Promise<boolean> {
  const cached = cache.open<boolean>({ name: 'readiness', maxEntries: 1, ttlMs })

  const probe = () =>
    Promise.any(
      [...chains.values()].map(async ({ indexer }) => {
        const options = { milliseconds: probeTimeoutMs }
        const status = await withDeadline(clock, options, (deadline) =>
          indexer.send(statusRequest, deadline),
        )
        if (status === null) throw new Error(`${indexer.service} has no status`)
      }),
    ).then(
      () => true,
      () => false,
    )

  return () => cached.fetch('isReady', probe)
}
