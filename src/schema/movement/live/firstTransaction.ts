import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { inScopeOfItsOwn } from '../../../engine/graphql/live.ts'
import { isDoublingTurn } from '../../../kit/clock/doublingTurns.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import { statusOnChain } from '../joined/statusOnChain.ts'
import type { TransferStatus } from '../reported/readStatus.ts'
import type { TransferRef } from '../reported/transferRef.ts'

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
      if (status || !isDoublingTurn(calls) || !context.network.chains.has(ref.chainId)) return
      try {
        status = await inScopeOfItsOwn(context, signal, (own) =>
          own.scope.within({ milliseconds: patienceMs }, () => statusOnChain(own, ref)),
        )
      } catch {
        // It may be there.
      }
    },
  }
}
