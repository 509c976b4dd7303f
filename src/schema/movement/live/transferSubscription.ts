import type { GraphQLResolveInfo } from 'graphql'
import { builder, callCost, type LiveContext } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { badInput, isUpstreamFault } from '../../../engine/upstream/error.ts'
import { UpstreamHttpError } from '../../../engine/upstream/upstreamError.ts'
import type { StateSource } from '../../../engine/watch/stateSource.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import { routerOf } from '../../router/routerClient.ts'
import { transferShape } from '../joined/loadTransfer.ts'
import { searchedStatus, statusCall, type TransferStatus, transferRules } from '../reported/readStatus.ts'
import { parseTransferRef, type TransferRef, transferKey } from '../reported/transferRef.ts'
import { isTerminal, unknownToRouter } from '../reported/transferState.ts'
import { Transfer, transferArgs } from '../types/transfer.ts'
import { firstTransaction } from './firstTransaction.ts'
import { withLateGuidance } from './lateGuidance.ts'
import { lateKinds, lateParts } from './lateParts.ts'
import { createLiveProof } from './liveProof.ts'
import { track } from './trackTransfer.ts'

/** Milliseconds that the fields of an event of a transfer may take. A late field is null, with its error. */
export const eventTimeoutMs = 2_000

/** Checks the expected duration of a transfer, in seconds. Throws `BAD_USER_INPUT`. */
export function checkDuration(seconds: number | null | undefined): number | null | undefined {
  if ((seconds ?? 0) >= 0) return seconds
  throw badInput('`estimatedDurationSeconds` must be 0 or more.')
}

interface WatchOptions {
  /** Whether the router is asked to track it. */
  readonly isTracked: boolean
  /** How long it is expected to take, in seconds. */
  readonly duration: number | null | undefined
}

/** The states of a transfer, each again when something has changed that an operation selects of it. */
export function watchTransfer(
  context: LiveContext,
  ref: TransferRef,
  options: WatchOptions,
  info: GraphQLResolveInfo,
): AsyncIterableIterator<TransferStatus> {
  const late = lateKinds(info)
  const states = context.poller.watch(transferTarget(context, ref, options, late))
  return late.has('time') ? withLateGuidance(context, ref, states) : states
}

/** The target of polls for the status of a transfer, and for what an operation selects of it. */
function transferTarget(
  context: LiveContext,
  ref: TransferRef,
  options: WatchOptions,
  late: ReadonlySet<string>,
): StateSource<TransferStatus> {
  const router = routerOf(context)
  const call = statusCall(ref)
  // A poll outlives the operation that started it, so it must not use the scope of that operation.
  const { peers } = context
  const first = firstTransaction(context, ref)
  const prove = createLiveProof(context, ref)
  /** A transaction that failed on its chain has sent nothing, and records can prove the end of another: a router need not know it. */
  const provenOnChain = async (signal: Signal) => {
    await first.look(signal)
    return first.status && prove(first.status, signal)
  }
  const endedOnChain = async (signal: Signal) => {
    const status = await provenOnChain(signal)
    return status && isTerminal(status.state) ? status : null
  }
  let isTold = false
  /** A router that fails cannot tell the end, nor at first what follows from the first transaction. Rejects with its error otherwise. */
  const withoutRouter = async (error: unknown, signal: Signal): Promise<TransferStatus> => {
    if (!isUpstreamFault(error)) throw error
    const status = await provenOnChain(signal)
    if (!status || (isTold && !isTerminal(status.state))) throw error
    isTold = true
    return status
  }
  return {
    ...transferRules,
    key: transferKey(ref),
    client: context.scope.requester.client,
    fetch: (signal, look) => peers.send<TransferStatus | null>(router, call, signal, look),
    follow: (listener) => peers.follow<TransferStatus | null>(router, call, listener),
    async conclude(reading, signal) {
      if ('error' in reading && !isNotKnown(reading.error)) return withoutRouter(reading.error, signal)
      const status = 'value' in reading ? reading.value : null
      return isKnown(status) ? prove(status, signal) : endedOnChain(signal)
    },
    register: options.isTracked
      ? async (signal, look) => (await track(ref, (call) => peers.send(router, call, signal, look))) !== null
      : undefined,
    unknown: (search) => searchedStatus(search, first.status),
    expectedMs: options.duration == null ? undefined : options.duration * 1000,
    late: late.size > 0 ? lateParts(context, ref, late) : undefined,
    isFatal: isRefusal,
    messages,
  }
}

/** Whether the router will not track a transaction, so that asking again cannot help. Its other errors are transient. */
const isRefusal = (error: unknown): boolean =>
  error instanceof UpstreamHttpError && (error.status === 400 || error.status === 404)

// The contract names no answer for a transaction that the router does not know, or does not know yet. So none of those
// that routers give is an end: none at all, 404, 400, and the state that they call unknown.

const isKnown = (status: TransferStatus | null): status is TransferStatus =>
  status !== null && status.rawState !== unknownToRouter

const isNotKnown = (error: unknown): boolean => error instanceof UpstreamHttpError && error.status === 400

const messages: StateSource<TransferStatus>['messages'] = {
  timeout: 'The status request timed out.',
  notFound: 'The router does not know this transaction.',
  stillPending: (deadlineMs) =>
    `The transfer was still pending after ${deadlineMs / 3_600_000} hours. Subscribe again to continue.`,
}

builder.subscriptionField('transfer', (t) =>
  t.field({
    type: Transfer,
    description:
      'The state of a transfer, then each change of the selection. Completes after the end, at most 30 seconds later while a selected part is missing. Fails after ten minutes without the router or the transaction, or a day.',
    args: {
      ...transferArgs,
      track: t.arg.boolean({
        required: true,
        defaultValue: true,
        description: 'Make the router track the transaction, once for all who watch it. Else wait until it is tracked.',
      }),
      estimatedDurationSeconds: t.arg.int({
        description: 'Expected duration in seconds, as in `Route`: polls are more frequent around its end.',
      }),
    },
    complexity: callCost,
    extensions: { eventTimeoutMs, isState: true },
    subscribe: (_root, args, subscription, info) => {
      const context = liveOf(subscription)
      const duration = checkDuration(args.estimatedDurationSeconds)
      const options = { isTracked: args.track, duration }
      const ref = parseTransferRef(args)
      return watchTransfer(context, ref, options, info)
    },
    resolve: (status, args) => transferShape(parseTransferRef(args), status),
  }),
)
