import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { liveOf } from '../../../graphql/live.ts'
import { nodeId } from '../../../graphql/node.ts'
import { badInput, GatewayError, limitExceeded } from '../../../upstream/error.ts'
import { mapIterator } from '../../../watch/mapIterator.ts'
import { mergeLatest } from '../../../watch/mergeLatest.ts'
import { eventTimeoutMs, statesOf } from './joinedStates.ts'
import type { TransferStatus } from './readStatus.ts'
import {
  keyOf,
  parseTransferRef,
  refOfKey,
  Transfer,
  type TransferRef,
  transferFields,
  transferShape,
} from './transfer.ts'
import { checkDuration, transferTarget } from './transferSubscription.ts'

/** A new status of one of several transfers, or the error that its watch ended with. */
type Update = { readonly status: TransferStatus } | { readonly error: unknown }

const TransferInput = builder.inputType('TransferInput', {
  description: 'A transfer, by its first transaction.',
  fields: (t) => ({
    chainId: t.field(transferFields.chainId),
    hash: t.string(transferFields.hash),
    estimatedDurationSeconds: t.int({
      description: 'Expected duration in seconds, as in `transfer`.',
    }),
  }),
})

function refOfId(id: string): TransferRef {
  const [type, key] = Buffer.from(id, 'base64').toString().split(/:(.*)/s)
  if (type !== 'Transfer' || !key) throw badInput('`ids` must be IDs of transfers.', 'INVALID_ID')
  return refOfKey(key)
}

/** A transfer to watch, as the client wrote it. `duration` is in seconds. */
interface WatchedRef extends TransferRef {
  readonly duration?: number | null | undefined
  /** Why it cannot be watched. */
  readonly fault?: unknown
}

function watchedRef(input: typeof TransferInput.$inferInput): WatchedRef {
  const { chainId, hash, estimatedDurationSeconds } = input
  try {
    return { ...parseTransferRef(input), duration: checkDuration(estimatedDurationSeconds) }
  } catch (fault) {
    return { chainId, txHash: hash, fault }
  }
}

/** The transfers to watch, each spelling once. Throws `BAD_USER_INPUT` if there are none or too many. */
function refsOf(
  { limits }: Context,
  ids: readonly string[],
  inputs: readonly (typeof TransferInput.$inferInput)[],
): WatchedRef[] {
  const { maxNodes } = limits
  const count = ids.length + inputs.length
  if (count === 0) throw badInput('Set `ids` or `inputs`.')
  if (count > maxNodes) {
    throw limitExceeded('nodes', 'BAD_USER_INPUT', `At most ${maxNodes} transfers are allowed.`)
  }
  const refs = [...ids.map(refOfId), ...inputs.map(watchedRef)]
  return [...new Map(refs.map((ref) => [`${ref.chainId} ${ref.txHash}`, ref])).values()]
}

/** An iterator that fails at once. */
async function* failed<T>(fault: unknown): AsyncGenerator<T> {
  yield* []
  throw fault
}

/** The error of a transfer, with a message that names it. */
function errorOf(ref: WatchedRef, error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error
  const { chainId, txHash } = ref
  const { code, message, service, reason, upstreamMessage, info, retryAfter, limit } = error
  const id = ref.fault === undefined ? { id: nodeId('Transfer', keyOf(ref)) } : {}
  return new GatewayError(code, `Transfer ${txHash} of ${chainId}: ${message}`, {
    ...(service !== undefined && { service }),
    ...{ upstreamReason: reason, upstreamMessage, info, retryAfter, limit },
    transfer: { ...id, chainId, hash: txHash.slice(0, 100) },
    cause: error,
  })
}

builder.subscriptionField('transfers', (t) =>
  t.field({
    type: Transfer,
    nullable: true,
    description:
      'The state of each transfer, then each change of one. Each ends as in `transfer`, and late parts repeat its terminal state. Completes when all have ended or failed. Null, with an error that names the transfer, if one fails.',
    args: {
      ids: t.arg.idList({ description: 'IDs of transfers, as in `Transfer.id`.' }),
      inputs: t.arg({
        type: [TransferInput],
        description:
          'Transfers by their first transactions. With `ids`, at most `service.limits.maxNodes`.',
      }),
      track: t.arg.boolean({
        required: true,
        defaultValue: true,
        description: 'Make the router track the transactions.',
      }),
    },
    complexity: ({ ids, inputs }) => callCost * ((ids?.length ?? 0) + (inputs?.length ?? 0)),
    extensions: { eventTimeoutMs },
    subscribe(_root, { ids, inputs, track }, subscription, info) {
      const context = liveOf(subscription)
      const refs = refsOf(context, ids ?? [], inputs ?? [])
      return mergeLatest<WatchedRef, Update>(
        refs,
        (ref) => {
          if (ref.fault !== undefined) return failed<Update>(ref.fault)
          const options = { isTracked: track, duration: ref.duration }
          const source = transferTarget(context, ref, options)
          return mapIterator(statesOf(context, { ref, source }, info), (status) => ({ status }))
        },
        (error) => ({ error }),
      )
    },
    resolve({ key, value }) {
      if ('error' in value) throw errorOf(key, value.error)
      return transferShape(key, value.status)
    },
  }),
)
