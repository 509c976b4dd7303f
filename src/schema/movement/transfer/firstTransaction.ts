import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { RequestScope } from '../../../engine/upstream/requestScope.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import type { TransferStatus } from './readStatus.ts'
import { statusOnChain } from './statusOnChain.ts'
import type { TransferRef } from './transferRef.ts'

/** How long a poll waits for an indexer, in milliseconds. */
const patienceMs = 1_000

/** The first transaction of a watched transfer. */
export interface FirstTransaction {
  /** The status that follows from it. Null until it has been found. */
  readonly status: TransferStatus | null
  /**
   * Looks for it, with the first, second, fourth, eighth … call. Its promise never rejects: while an indexer
   * fails, the transaction is not found.
   */
  look(signal: Signal): Promise<void>
}

/** Looks for a first transaction, for all who watch its transfer. */
export function firstTransaction(context: LiveContext, ref: TransferRef): FirstTransaction {
  let status: TransferStatus | null = null
  let calls = 0
  return {
    get status() {
      return status
    },
    async look(signal) {
      calls += 1
      if (status || (calls & (calls - 1)) !== 0 || !context.network.chains.has(ref.chainId)) return
      // A poll outlives the operation that started it, and a missing transaction can come.
      const scope = new RequestScope(signal, context, { client: context.scope.requester.client })
      try {
        status = await scope.within({ milliseconds: patienceMs }, () => statusOnChain({ ...context, scope }, ref))
      } catch {
        // It may be there.
      } finally {
        scope.close()
      }
    },
  }
}
