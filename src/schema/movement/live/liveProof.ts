import { isDeepStrictEqual } from 'node:util'
import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { inScopeOfItsOwn } from '../../../engine/graphql/live.ts'
import { isDoublingTurn } from '../../../kit/clock/doublingTurns.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import { proveStatus } from '../joined/proof.ts'
import { isProvable, withFirstTransaction } from '../reported/provable.ts'
import type { TransferStatus } from '../reported/readStatus.ts'
import type { TransferRef } from '../reported/transferRef.ts'
import { isTerminal } from '../reported/transferState.ts'

/** How long a poll waits for the records of the chains, in milliseconds. An end by the router is worth more of a wait. */
const patience = { end: 2_000, before: 1_000 }

/**
 * How long an end that only the router tells waits for the records, in milliseconds: an indexer is some seconds behind its chain. One
 * that only fails is asked again a few times.
 */
const endPatience = { unrecorded: 15_000, unread: 5_000 }

/** The most polls between two looks at the records while the router says the same. */
const maxWait = 8

/**
 * Proves what a router says of one transfer, for all who watch it. While the router says the same, the records are read again with
 * the second, fourth and eighth poll after it said so, and then with each eighth. An end that the records can still prove or
 * contradict waits for them, and they are read with each poll. Never rejects: while an indexer fails, the router's word counts.
 */
export function createLiveProof(context: LiveContext, ref: TransferRef) {
  let reported: TransferStatus | undefined
  let proven: TransferStatus | undefined
  let polls = 0
  let endedAt: number | undefined
  let patienceMs = endPatience.unread
  return async (word: TransferStatus, signal: Signal): Promise<TransferStatus> => {
    const status = withFirstTransaction(ref, word)
    if (!isProvable(context, ref, status)) return status
    polls = isDeepStrictEqual(status, reported) ? polls + 1 : 1
    reported = status
    const isEnd = isTerminal(status.state)
    const unproven: TransferStatus = {
      ...{ ...status, reportedState: status.state },
      ...(isEnd && { isUnproven: true, isUnread: true }),
    }
    const isHeld = () => endedAt !== undefined && context.clock.now() < endedAt + patienceMs
    if (!isDoublingTurn(polls, maxWait) && !isHeld()) return proven ?? unproven
    try {
      const milliseconds = isEnd ? patience.end : patience.before
      proven = await inScopeOfItsOwn(context, signal, (own) =>
        own.scope.within({ milliseconds }, () => proveStatus(own, ref, status)),
      )
    } catch {
      proven = undefined
    }
    const known = proven ?? unproven
    if (!isTerminal(known.state) || (proven && !proven.isUnproven)) return known
    endedAt ??= context.clock.now()
    if (!known.isUnread) patienceMs = endPatience.unrecorded
    return isHeld() ? held(known) : known
  }
}

/** A status whose end waits for the records. */
const held = (status: TransferStatus): TransferStatus => ({
  ...status,
  ...{ state: 'PENDING', release: null, error: null, isHeld: true },
  legs: status.legs.map((leg) =>
    isTerminal(leg.state) ? { ...leg, state: 'PENDING', release: null, error: null } : leg,
  ),
})
