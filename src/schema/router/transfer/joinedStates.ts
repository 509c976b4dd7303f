import { Repeater } from '@repeaterjs/repeater'
import type { GraphQLResolveInfo } from 'graphql'
import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { isSelectedBelow } from '../../../engine/graphql/selection.ts'
import { RequestScope } from '../../../engine/upstream/requestScope.ts'
import type { StateSource } from '../../../engine/watch/stateSource.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import type { CacheRegion } from '../../../kit/cache/region.ts'
import { orAborted, type Signal, SignalSource } from '../../../kit/clock/signal.ts'
import { loadFromChain } from './hopTransaction.ts'
import type { TransferStatus } from './readStatus.ts'
import { isTerminal, outcomeOf } from './state.ts'
import type { TransferRef } from './transfer.ts'
import { hashKey } from './txHash.ts'

/** The seconds before indexers are asked again for parts that the states lack, until a state names more of them. */
const waits = [1, 2, 4, 8, 15, 30, 30, 30, 30, 30, 30]

/** The same for the last state. With the time of the last requests they stay below 30 seconds. */
const lastWaits = [1, 2, 4, 8, 13]

/** The longest wait for the first transaction, in milliseconds. An indexer that lacks it then never gets it. */
const youngMs = 60_000

/** Milliseconds after the end of a transfer until its subscription completes, at the latest. */
const longestMs = 30_000

/** Milliseconds that the fields of an event of a transfer may take. A late field is null, with its error. */
export const eventTimeoutMs = 2_000

/** The fields of transfers and hops that come from their transactions. */
const transactionFields = [
  ...['transaction', 'sender', 'recipient'],
  ...['amountIn', 'denomIn', 'assetIn', 'amountOut', 'denomOut', 'assetOut'],
]

/** Parts of a transfer that can come after its state, and that an operation selects. */
interface LateParts {
  /** From the transactions that indexers have. */
  readonly transactions: boolean
  readonly assetRelease: boolean
  readonly error: boolean
}

interface WatchedTransfer {
  readonly ref: TransferRef
  readonly source: StateSource<TransferStatus>
}

/**
 * The states of a transfer, and each state once more with each selected part that comes after it. An indexer can have a
 * transaction later than the router. A router says that a transfer has failed before it knows where the funds are.
 */
export function statesOf(
  context: LiveContext,
  transfer: WatchedTransfer,
  info: GraphQLResolveInfo,
): AsyncIterableIterator<TransferStatus> {
  const states = context.poller.watch(transfer.source)
  const parts: LateParts = {
    transactions: transactionFields.some((name) => isSelectedBelow(info, name)),
    assetRelease: isSelectedBelow(info, 'assetRelease'),
    error: isSelectedBelow(info, 'error'),
  }
  return Object.values(parts).includes(true) ? withLateParts(states, context, transfer, parts) : states
}

const withLateParts = (
  states: AsyncIterableIterator<TransferStatus>,
  context: LiveContext,
  { ref, source }: WatchedTransfer,
  parts: LateParts,
): AsyncIterableIterator<TransferStatus> =>
  new Repeater(async (push, stop) => {
    const { clock } = context
    const beganAt = clock.now()
    /** How often indexers were asked for the parts that are missing, and how many those were. */
    let [asked, awaited] = [0, 0]
    const leaving = new SignalSource()
    let newer = new SignalSource()
    stop.then(() => {
      leaving.abort()
      newer.abort()
      void states.return?.()
    })

    const missingIn = async (status: TransferStatus, signal: Signal): Promise<number> => {
      const isYoung = clock.now() - beganAt < youngMs
      const first = isYoung ? [{ chain_id: ref.chainId, tx_hash: ref.txHash }] : []
      const others = transactionsOf(status)
        .map(({ chain_id, tx_hash }) => ({
          chain_id: ifReadable(chain_id),
          tx_hash: ifReadable(tx_hash),
        }))
        .filter(({ chain_id, tx_hash }) => !isFirst(ref, chain_id, tx_hash))
      const transactions = parts.transactions ? await missingTransactions(context, [...first, ...others], signal) : 0
      return unreported(status, parts) + transactions
    }

    /** The status, or at the end a newer one of the router, if that lacks something. */
    const asKnown = async (status: TransferStatus): Promise<TransferStatus> => {
      if (!isTerminal(status.state) || unreported(status, parts) === 0) return status
      const newest = await context.poller.finalStates.newest(source, status)
      // An abandoned transfer that resumes has ended for this subscription.
      return isTerminal(newest.state) ? newest : status
    }

    /** Sends a state again whenever a part of it has come. */
    const follow = async (state: TransferStatus, missingFirst: Promise<number>, signal: Signal) => {
      let [status, missing] = [state, await missingFirst]
      if (missing > awaited) asked = 0
      awaited = missing
      const isLast = isTerminal(state.state)
      const pauses = isLast ? lastWaits : waits.slice(asked)
      for (const seconds of pauses) {
        if (missing === 0 || signal.aborted) return
        await context.poller.pause(1_000 * seconds, signal)
        if (!isLast) asked += 1
        status = await asKnown(status)
        const left = await missingIn(status, signal)
        if (left < missing && !signal.aborted) await push(status)
        missing = Math.min(missing, left)
        awaited = missing
      }
    }

    try {
      let following: Promise<void> | undefined
      for await (const status of states) {
        newer.abort()
        newer = new SignalSource()
        const signal = newer
        // Asked before the state is sent, so that a part cannot be there now and have been missing in the event.
        const missing = missingIn(status, signal)
        following = follow(status, missing, signal)
        following.catch(() => {})
        await push(status)
      }
      if (following) {
        const late = context.poller.pause(longestMs, leaving)
        await Promise.race([following, late])
      }
      stop()
    } catch (error) {
      stop(leaving.aborted ? undefined : error)
    }
  })

/** How many selected parts of a failure the router has not reported: releases of funds, and reasons. */
const unreported = ({ legs }: TransferStatus, { assetRelease, error }: LateParts): number =>
  legs.reduce((sum, leg) => {
    const isReleaseDue = assetRelease && ['FAILED', 'ABANDONED'].includes(outcomeOf(leg.state))
    const isErrorDue = error && outcomeOf(leg.state) === 'FAILED'
    return (
      sum +
      (isReleaseDue && ifReadable(leg.release)?.released !== true ? 1 : 0) +
      (isReleaseDue && leg.release === null ? 1 : 0) +
      (isErrorDue && leg.error === null ? 1 : 0)
    )
  }, 0)

const transactionsOf = ({ legs }: TransferStatus) =>
  legs.flatMap(({ hops }) => hops).flatMap(({ transactions }) => transactions)

const isFirst = ({ chainId, txHash }: TransferRef, id: string | null, hash: string | null) =>
  id === chainId && hash !== null && hashKey(hash) === hashKey(txHash)

/** A transaction as a state of a transfer names it. */
interface NamedTransaction {
  readonly chain_id: string | null
  readonly tx_hash: string | null
}

/** Whether indexers have transactions, for all watchers of a transfer: each asks about once a second at most. */
const indexed: CacheRegion<boolean> = {
  name: 'indexed transactions',
  maxEntries: 10_000,
  ttlMs: 900,
}

/** How many of these transactions the indexers of this gateway do not have yet. Those of other chains do not count. */
async function missingTransactions(
  context: LiveContext,
  named: readonly NamedTransaction[],
  signal: Signal,
): Promise<number> {
  const served = named.filter(({ chain_id, tx_hash }) => tx_hash !== null && context.network.chains.has(chain_id ?? ''))
  const distinct = new Map(served.map((each) => [`${each.chain_id} ${hashKey(each.tx_hash ?? '')}`, each]))
  const found = await Promise.all(
    [...distinct].map(([key, transaction]) =>
      orAborted(
        context.scope.cached(indexed, key, (_fetch, ending) => isIndexed(context, transaction, ending)),
        signal,
      ).catch(() => false),
    ),
  )
  return found.filter((isFound) => !isFound).length
}

async function isIndexed(
  context: LiveContext,
  { chain_id, tx_hash }: NamedTransaction,
  signal: Signal,
): Promise<boolean> {
  // The responses of an operation are shared for as long as it lives, and these are to change.
  const scope = new RequestScope(signal, context, { client: context.scope.requester.client })
  try {
    return (await loadFromChain({ ...context, scope }, chain_id, tx_hash)) !== null
  } finally {
    scope.close()
  }
}
