import { Repeater } from '@repeaterjs/repeater'
import type { LiveContext } from '../../../graphql/builder.ts'
import { createRequestScope } from '../../../upstream/requestScope.ts'
import { hashKey } from '../routerInput.ts'
import { loadFromChain } from './hopTransaction.ts'
import type { TransferStatus } from './readStatus.ts'
import { isTerminal } from './state.ts'
import type { TransferRef } from './transfer.ts'

/**
 * The delays in milliseconds before indexers are asked again for transactions that the last state lacks: 30
 * seconds in all.
 */
const waits = [1_000, 2_000, 4_000, 8_000, 15_000]

/** Milliseconds that the fields of an event of a transfer may take. A late field is null, with its error. */
export const eventTimeoutMs = 2_000

/**
 * The states of a transfer, and its last state once more when the indexers have all of its transactions. A router
 * says that a transfer has ended a moment before the indexer of the last chain has its block.
 */
export const withTransactions = (
  states: AsyncIterableIterator<TransferStatus>,
  context: LiveContext,
  ref: TransferRef,
): AsyncIterableIterator<TransferStatus> =>
  new Repeater(async (push, stop) => {
    const ending = new AbortController()
    stop.then(() => {
      ending.abort()
      void states.return?.()
    })
    const { signal } = ending
    let last: TransferStatus | undefined
    // Asked before the state is sent, so that it cannot be there now and have been missing in the event.
    let isWhole: Promise<boolean> | undefined
    try {
      for await (const status of states) {
        last = status
        if (isTerminal(status.state)) isWhole = hasTransactions(context, ref, status, signal)
        await push(status)
      }
      const isMissing = last && isWhole && !(await isWhole)
      if (last && isMissing && (await becomesWhole(context, ref, last, signal))) await push(last)
      stop()
    } catch (error) {
      stop(signal.aborted ? undefined : error)
    }
  })

/** Whether the indexers have all transactions within the sum of `waits`. Rejects when the signal aborts. */
async function becomesWhole(
  context: LiveContext,
  ref: TransferRef,
  status: TransferStatus,
  signal: AbortSignal,
): Promise<boolean> {
  for (const milliseconds of waits) {
    await context.poller.pause(milliseconds, signal)
    if (await hasTransactions(context, ref, status, signal)) return true
  }
  return false
}

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
