import { z } from 'zod'
import type { Network } from '../../upstream/network.ts'
import { get } from '../../upstream/request.ts'

/** Milliseconds an indexer has to answer. */
const patience = 2_000

/** Milliseconds a finding is kept, so that probes cannot be used to press the indexers. */
const freshness = 5_000

const statusCall = get('/status', z.unknown())

/** Tells whether at least one indexer answers. */
export function createReadiness(
  { chains }: Network,
  now: () => number = () => performance.now(),
): () => Promise<boolean> {
  let finding: { at: number; isReady: Promise<boolean> } | undefined

  const ask = () =>
    Promise.any(
      [...chains.values()].map(async ({ indexer }) => {
        if ((await indexer.send(statusCall, AbortSignal.timeout(patience))) === null) {
          throw new Error(`${indexer.service} has no status`)
        }
      }),
    ).then(
      () => true,
      () => false,
    )

  return () => {
    if (!finding || now() - finding.at >= freshness) finding = { at: now(), isReady: ask() }
    return finding.isReady
  }
}
