import { isDeepStrictEqual } from 'node:util'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import type { PollTarget } from '../../../polling/poll.ts'
import { badInput } from '../../../upstream/error.ts'
import { UpstreamHttpError } from '../../../upstream/upstreamError.ts'
import { routerOf } from '../routerInput.ts'
import { isStale, statusCall, type TransferStatus } from './readStatus.ts'
import { isTerminal } from './state.ts'
import { track } from './trackTransfer.ts'
import {
  keyOf,
  parseTransferRef,
  Transfer,
  type TransferRef,
  transferArgs,
  transferShape,
  transferTopic,
} from './transfer.ts'

function watchedTransfer(
  context: Context,
  name: TransferRef,
  options: { isTracked: boolean; duration: number | null | undefined },
): PollTarget<TransferStatus> {
  const router = routerOf(context)
  const call = statusCall(name.chainId, name.txHash)
  // A poll outlives the operation that began it, so nothing of its scope may be in here.
  const { network } = context
  return {
    topic: transferTopic,
    key: keyOf(name),
    fetch: (signal) => router.send(call, signal),
    onMissing: options.isTracked
      ? async (signal) => (await track({ network }, name, signal)) !== null
      : undefined,
    expectedMs: options.duration == null ? undefined : options.duration * 1000,
    equals: isDeepStrictEqual,
    isStale,
    isFinal: ({ state }) => isTerminal(state),
    isIrreversible: ({ state }) => isTerminal(state) && state !== 'ABANDONED',
    isFatal,
    messages,
  }
}

/** A request the router will refuse however often it is made. Faults of its own may pass. */
const isFatal = (error: unknown): boolean =>
  error instanceof UpstreamHttpError && (error.status === 400 || error.status === 404)

const messages: PollTarget<TransferStatus>['messages'] = {
  timeout: 'The status request timed out.',
  notFound: 'The router does not know this transaction.',
  stillPending: (deadlineMs) =>
    `The transfer was still pending after ${deadlineMs / 3_600_000} hours. Subscribe again to continue.`,
}

builder.subscriptionField('transfer', (t) =>
  t.field({
    type: Transfer,
    description:
      'A transfer as it is now, then after each change; completes after its terminal state. All who watch one transfer share one poll. Ends with an error when the router does not know the transaction for ten minutes, fails as long, or the transfer takes more than a day.',
    args: {
      ...transferArgs,
      track: t.arg.boolean({
        defaultValue: true,
        description:
          'Whether to have the router track the transaction where it does not yet; without, the stream waits until somebody does.',
      }),
      estimatedDuration: t.arg.int({
        description:
          'Seconds the transfer should take in all, such as `Route.estimatedDuration`; it sets the pace of the polls.',
      }),
    },
    complexity: callCost,
    subscribe: (_root, args, context) => {
      if ((args.estimatedDuration ?? 0) < 0) throw badInput('A duration is 0 seconds or more.')
      const options = { isTracked: args.track ?? true, duration: args.estimatedDuration }
      return context.poller.watch(watchedTransfer(context, parseTransferRef(args), options))
    },
    resolve: (status, args) => transferShape(parseTransferRef(args), status),
  }),
)
