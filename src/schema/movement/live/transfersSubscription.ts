import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { nodeId } from '../../../engine/graphql/node.ts'
import { badInput, GatewayError, limitExceeded } from '../../../engine/upstream/error.ts'
import { mapIterator, mergeLatest } from '../../../engine/watch/iterators.ts'
import { type TransferShape, transferShape } from '../joined/loadTransfer.ts'
import { parseTransferRef, refOfKey, type TransferRef, transferKey } from '../reported/transferRef.ts'
import { Transfer, transferFields } from '../types/transfer.ts'
import { checkDuration, eventTimeoutMs, watchTransfer } from './transferSubscription.ts'

/** The new state of one of several transfers, or the error that its watch ended with. */
type Update = { readonly transfer: TransferShape } | { readonly error: unknown }

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

/** The transfer with this id. A text that is no id of a transfer is an error of its own. */
function refOfId(id: string): WatchedRef {
  const [type, key] = Buffer.from(id, 'base64').toString().split(/:(.*)/s)
  try {
    if (type !== 'Transfer' || !key) throw badInput('No id of a transfer.', 'INVALID_ID')
    return refOfKey(key)
  } catch (fault) {
    return { chainId: '', hash: id, badId: id.slice(0, maxShown), fault }
  }
}

/** A transfer to watch, or one that cannot be. `duration` is in seconds. */
type WatchedRef = (TransferRef & { readonly duration?: number | null | undefined }) | RefusedRef

/** A transfer that cannot be watched, as the client wrote it, and why. */
interface RefusedRef {
  readonly chainId: string
  readonly hash: string
  /** The id that the client sent, if it is not the id of a transfer. */
  readonly badId?: string
  readonly fault: unknown
}

/** The hash of a transfer, as the client wrote it if it cannot be watched. */
const hashOf = (ref: WatchedRef): string => ('fault' in ref ? ref.hash : ref.txHash)

function watchedRef(input: typeof TransferInput.$inferInput): WatchedRef {
  const { chainId, hash, estimatedDurationSeconds } = input
  try {
    return { ...parseTransferRef(input), duration: checkDuration(estimatedDurationSeconds) }
  } catch (fault) {
    return { chainId, hash, fault }
  }
}

/** The transfers to watch, each once. Throws `BAD_USER_INPUT` if there are none or too many. */
function parseRefs(
  { limits }: Context,
  ids: readonly string[],
  inputs: readonly (typeof TransferInput.$inferInput)[],
): WatchedRef[] {
  const { maxPageSize } = limits
  const count = ids.length + inputs.length
  if (count === 0) throw badInput('Set `ids` or `inputs`.')
  if (count > maxPageSize) {
    throw limitExceeded('nodes', 'BAD_USER_INPUT', `At most ${maxPageSize} transfers are allowed.`)
  }
  const refs = [...ids.map(refOfId), ...inputs.map(watchedRef)]
  return [...new Map(refs.map((ref) => [`${ref.chainId} ${hashOf(ref)}`, ref])).values()]
}

/** The transfer that an event is about. */
const keyOfUpdate = (event: unknown): unknown =>
  typeof event === 'object' && event !== null && 'key' in event ? event.key : undefined

/** An iterator that fails at once. */
async function* failed<T>(fault: unknown): AsyncGenerator<T> {
  yield* []
  throw fault
}

/** Characters of what a client sent that its error repeats. */
const maxShown = 100

/** The error of a transfer, with a message that names it. */
function toNamedError(ref: WatchedRef, error: unknown): unknown {
  if (!(error instanceof GatewayError)) return error
  const { chainId } = ref
  const hash = hashOf(ref)
  const badId = 'fault' in ref ? ref.badId : undefined
  const { code, message, service, reason, upstreamMessage, info, retryAfter, limit } = error
  const id = 'fault' in ref ? {} : { id: nodeId('Transfer', transferKey(ref)) }
  const name = badId === undefined ? `Transfer ${hash} of ${chainId}` : `Transfer ${badId}`
  return new GatewayError(code, `${name}: ${message}`, {
    ...(service !== undefined && { service }),
    upstreamReason: reason,
    upstreamMessage,
    info,
    retryAfter,
    limit,
    transfer: badId === undefined ? { ...id, chainId, hash: hash.slice(0, maxShown) } : { id: badId },
    cause: error,
  })
}

builder.subscriptionField('transfers', (t) =>
  t.field({
    type: Transfer,
    nullable: true,
    description:
      'The state of each transfer, then each change of its selection. Each ends as in `transfer`, and none waits for another. Completes when all have ended or failed. Null, with an error that names the transfer, if one fails.',
    args: {
      ids: t.arg.idList({ description: 'IDs of transfers, as in `Transfer.id`.' }),
      inputs: t.arg({
        type: [TransferInput],
        description: 'Transfers by their first transactions. With `ids`, at most `service.limits.maxPageSize`.',
      }),
      track: t.arg.boolean({
        required: true,
        defaultValue: true,
        description: 'Make the router track the transactions.',
      }),
    },
    complexity: ({ ids, inputs }) => callCost * ((ids?.length ?? 0) + (inputs?.length ?? 0)),
    extensions: { eventTimeoutMs, isState: true, eventKey: keyOfUpdate, eventsAtOnce: 200 },
    subscribe(_root, { ids, inputs, track }, subscription, info) {
      const context = liveOf(subscription)
      const refs = parseRefs(context, ids ?? [], inputs ?? [])
      return mergeLatest<WatchedRef, Update>(
        refs,
        (ref) => {
          if ('fault' in ref) return failed<Update>(ref.fault)
          const options = { isTracked: track, duration: ref.duration }
          return mapIterator(watchTransfer(context, ref, options, info), (status) => ({
            transfer: transferShape(ref, status),
          }))
        },
        (error) => ({ error }),
      )
    },
    resolve({ key, value }) {
      if ('error' in value) throw toNamedError(key, value.error)
      return value.transfer
    },
  }),
)
