import { isDeepStrictEqual } from 'node:util'
import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { RequestScope } from '../../../engine/upstream/requestScope.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import { proveStatus } from './proof.ts'
import { isProvable, withFirstTransaction } from './provable.ts'
import type { TransferStatus } from './readStatus.ts'
import { isTerminal } from './state.ts'
import type { TransferRef } from './transferRef.ts'

/** How long a poll waits for the records of the chains, in milliseconds. An end by the router is worth more of a wait. */
const patience = { end: 2_000, before: 1_000 }

/** The most polls between two looks at the records while the router says the same. */
const maxWait = 8

/**
 * Proves what a router says of one transfer, for all who watch it. While the router says the same, the records are read again with
 * the second, fourth and eighth poll after it said so, and then with each eighth. Never rejects: while an indexer fails, the router's word counts.
 */
export function createLiveProof(context: LiveContext, ref: TransferRef) {
  let reported: TransferStatus | undefined
  let proven: TransferStatus | undefined
  let polls = 0
  return async (word: TransferStatus, signal: Signal): Promise<TransferStatus> => {
    const status = withFirstTransaction(ref, word)
    if (!isProvable(context, status)) return status
    polls = isDeepStrictEqual(status, reported) ? polls + 1 : 1
    reported = status
    const isDue = polls % maxWait === 0 || (polls < maxWait && (polls & (polls - 1)) === 0)
    const unproven = { ...status, reportedState: status.state }
    if (polls > 1 && !isDue) return proven ?? unproven
    // A poll outlives the operation that started it, and records can come.
    const scope = new RequestScope(signal, context, { client: context.scope.requester.client })
    try {
      const milliseconds = isTerminal(status.state) ? patience.end : patience.before
      proven = await scope.within({ milliseconds }, () => proveStatus({ ...context, scope }, status))
    } catch {
      proven = undefined
    } finally {
      scope.close()
    }
    return proven ?? unproven
  }
}
