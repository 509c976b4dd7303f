import { Repeater } from '@repeaterjs/repeater'
import type { GraphQLResolveInfo } from 'graphql'
import type { LiveContext } from '../../../graphql/builder.ts'
import { isSelectedBelow } from '../../../graphql/selection.ts'
import { createRequestScope } from '../../../upstream/requestScope.ts'
import type { StateSource } from '../../../watch/stateSource.ts'
import { hashKey } from '../routerInput.ts'
import { loadFromChain } from './hopTransaction.ts'
import type { TransferStatus } from './readStatus.ts'
import { isTerminal, outcomeOf } from './state.ts'
import type { TransferRef } from './transfer.ts'

/**
 * The delays in milliseconds before services are asked again for parts that the last state lacks. With the time of the
 * last requests they stay below 30 seconds.
 */
const waits = [1_000, 2_000, 4_000, 8_000, 13_000]

/** Milliseconds after the end of a transfer until its subscription completes, at the latest. */
const longestMs = 30_000

/** Milliseconds that the fields of an event of a transfer may take. A late field is null, with its error. */
export const eventTimeoutMs = 2_000

/** Parts of a transfer that can come after its end, and that an operation selects. */
interface LateParts {
  readonly transaction: boolean
  readonly assetRelease: boolean
  readonly error: boolean
}

/** A transfer to watch. */
interface WatchedTransfer {
  readonly ref: TransferRef
  readonly source: StateSource<TransferStatus>
}

/**
 * The states of a transfer, and its last state once more with each selected part that comes after it. A router says
 * that a transfer has ended a moment before the indexer of the last chain has its block, and that it has failed before
 * it knows where the funds are.
 */
export function statesOf(
  context: LiveContext,
  transfer: WatchedTransfer,
  info: GraphQLResolveInfo,
): AsyncIterableIterator<TransferStatus> {
  const states = context.poller.watch(transfer.source)
  const parts: LateParts = {
    transaction: isSelectedBelow(info, 'transaction'),
    assetRelease: isSelectedBelow(info, 'assetRelease'),
    error: isSelectedBelow(info, 'error'),
  }
  return Object.values(parts).includes(true)
    ? withLateParts(states, context, transfer, parts)
    : states
}

const withLateParts = (
  states: AsyncIterableIterator<TransferStatus>,
  context: LiveContext,
  { ref, source }: WatchedTransfer,
  parts: LateParts,
): AsyncIterableIterator<TransferStatus> =>
  new Repeater(async (push, stop) => {
    const ending = new AbortController()
    stop.then(() => {
      ending.abort()
      void states.return?.()
    })
    const { signal } = ending

    /** How many parts are missing. */
    const missingIn = async (status: TransferStatus): Promise<number> => {
      const isWhole = !parts.transaction || (await hasTransactions(context, ref, status, signal))
      return unreported(status, parts) + (isWhole ? 0 : 1)
    }

    /** The last state once more, whenever a part of it has come. */
    const complete = async (last: TransferStatus, missingAtEnd: Promise<number>) => {
      let [status, missing] = [last, await missingAtEnd]
      for (const milliseconds of waits) {
        if (missing === 0) return
        await context.poller.pause(milliseconds, signal)
        if (unreported(status, parts) > 0) {
          const newest = await context.poller.newest(source, status)
          // An abandoned transfer that resumes has ended for this subscription.
          if (isTerminal(newest.state)) status = newest
        }
        const left = await missingIn(status)
        if (left < missing) await push(status)
        missing = Math.min(missing, left)
      }
    }

    let last: TransferStatus | undefined
    // Asked before the state is sent, so that it cannot be there now and have been missing in the event.
    let missing: Promise<number> | undefined
    try {
      for await (const status of states) {
        last = status
        if (isTerminal(status.state)) missing = missingIn(status)
        await push(status)
      }
      if (last && missing) {
        const late = context.poller.pause(longestMs, signal)
        await Promise.race([complete(last, missing), late])
      }
      stop()
    } catch (error) {
      stop(signal.aborted ? undefined : error)
    }
  })

/** How many selected parts of a failure the router has not reported: releases of funds, and reasons. */
const unreported = ({ legs }: TransferStatus, { assetRelease, error }: LateParts): number =>
  legs.reduce((sum, leg) => {
    const isReleaseDue = assetRelease && ['FAILED', 'ABANDONED'].includes(outcomeOf(leg.state))
    const isErrorDue = error && outcomeOf(leg.state) === 'FAILED'
    return (
      sum +
      (isReleaseDue && leg.release?.released !== true ? 1 : 0) +
      (isReleaseDue && leg.release === null ? 1 : 0) +
      (isErrorDue && leg.error === null ? 1 : 0)
    )
  }, 0)

/**
 * Whether the indexers have every transaction of a transfer on chains that this gateway serves. The first one is as
 * old as the transfer: an indexer that still lacks it will not have it in a moment.
 */
async function hasTransactions(
  context: LiveContext,
  { chainId, txHash }: TransferRef,
  { legs }: TransferStatus,
  signal: AbortSignal,
): Promise<boolean> {
  // The responses of an operation are shared for as long as it lives, and these are to change.
  const scope = createRequestScope(signal, context, { client: context.scope.requester.client })
  const hops = legs.flatMap(({ hops: ofLeg }) => ofLeg)
  const named = new Map(
    hops
      .flatMap(({ transactions }) => transactions)
      .filter(
        ({ chain_id, tx_hash }) =>
          tx_hash !== null &&
          context.network.chains.has(chain_id ?? '') &&
          !(chain_id === chainId && hashKey(tx_hash) === hashKey(txHash)),
      )
      .map(({ chain_id, tx_hash }) => [`${chain_id} ${tx_hash}`, { chain_id, tx_hash }]),
  )
  const found = await Promise.all(
    [...named.values()].map(({ chain_id, tx_hash }) =>
      loadFromChain({ ...context, scope }, chain_id, tx_hash).catch(() => null),
    ),
  )
  scope.close()
  return found.every((transaction) => transaction !== null)
}
