import { z } from 'zod'
import { builder, type Context, callCost } from '../../../graphql/builder.ts'
import { GatewayError } from '../../../upstream/error.ts'
import { isJsonObject, lenientString } from '../../../upstream/lenient.ts'
import { post } from '../../../upstream/request.ts'
import { isTransient, UpstreamHttpError } from '../../../upstream/upstreamError.ts'
import { routerHash, routerOf } from '../routerInput.ts'
import { statusCall } from './readStatus.ts'
import {
  parseTransferRef,
  preferFinalState,
  Transfer,
  type TransferRef,
  type TransferShape,
} from './transfer.ts'

const tracked = z.preprocess(
  (body) => (isJsonObject(body) ? body : {}),
  z.object({ explorer_link: lenientString }),
)
type Tracked = z.output<typeof tracked>

const trackingCall = (path: string, { chainId, txHash }: TransferRef) =>
  post(
    path,
    JSON.stringify({ tx_hash: routerHash(chainId, txHash), chain_id: chainId }),
    (body) => tracked.parse(body),
    { is404Error: true },
  )

/** Tells the router to track a transaction. Null while the router cannot see it on its chain. */
export async function track(
  { network }: Pick<Context, 'network'>,
  name: TransferRef,
  signal: AbortSignal,
): Promise<Tracked | null> {
  try {
    return await routerOf({ network }).send(trackingCall('/v2/tx/track', name), signal)
  } catch (error) {
    // The same status says that the chain will never be tracked; only the words tell the two apart.
    const isUnseen = error instanceof UpstreamHttpError && error.status === 404
    if (isUnseen && !/not supported|unsupported/i.test(error.bodyExcerpt)) return null
    throw error
  }
}

// A transaction sent a moment ago is on no node yet that the router asks. As tracking may be repeated,
// a fault that may pass is waited out likewise.
async function trackWhenSeen(context: Context, name: TransferRef): Promise<Tracked> {
  const { signal } = context.scope
  let left = context.limits.timeoutMs * 0.8
  for (let wait = 1_000; ; wait *= 1.5) {
    const found = await track(context, name, signal).catch((error: unknown) => {
      if (!isTransient(error) || left < wait) throw error
      return null
    })
    if (found) return found
    left -= wait
    if (left < 0) throw unseen()
    await context.poller.pause(wait, signal)
  }
}

const unseen = () =>
  new GatewayError(
    'UPSTREAM_REJECTED',
    'The router cannot see the transaction on its chain yet; try again when it is in a block.',
    { service: 'router', reason: 'NOT_VISIBLE_YET' },
  )

interface TrackTransferPayload {
  readonly explorerLink: string | null
  readonly transfer: TransferShape | null
}

async function trackTransfer(context: Context, name: TransferRef): Promise<TrackTransferPayload> {
  const router = routerOf(context)
  const { signal } = context.scope
  const { explorer_link } = await trackWhenSeen(context, name)
  // Not by the scope: what it was asked before the tracking is no longer so.
  const look = () => router.send(statusCall(name.chainId, name.txHash), signal).catch(() => null)
  const found = await look()
  if (found?.state !== 'ABANDONED') {
    return { explorerLink: explorer_link, transfer: preferFinalState(context, name, found) }
  }
  // Some routers take up an abandoned transfer when tracked once more, others by a call of its own.
  await router.send(trackingCall('/v2/tx/retry_track', name), signal).catch(() => null)
  return { explorerLink: explorer_link, transfer: preferFinalState(context, name, await look()) }
}

const TrackTransferInput = builder.inputType('TrackTransferInput', {
  description: 'The transaction that starts a transfer.',
  fields: (t) => ({
    chainId: t.string({ required: true, description: 'The chain it was sent on.' }),
    txHash: t.string({
      required: true,
      description: 'Its hash: hex in any case, with or without 0x, or base58.',
    }),
  }),
})

const TrackTransferPayload = builder
  .objectRef<TrackTransferPayload>('TrackTransferPayload')
  .implement({
    description: 'A transfer the router tracks from now on.',
    fields: (t) => ({
      explorerLink: t.exposeString('explorerLink', {
        nullable: true,
        description: 'The page of its transaction in a block explorer.',
      }),
      transfer: t.expose('transfer', {
        type: Transfer,
        nullable: true,
        description: 'The transfer as it is now; null for a moment while the router reads it.',
      }),
    }),
  })

builder.mutationField('trackTransfer', (t) =>
  t.field({
    type: TrackTransferPayload,
    description:
      'Has the router track a transaction, waiting for it to appear on chain for as long as a mutation may take. Repeating it is harmless, and takes up an abandoned transfer again.',
    args: {
      input: t.arg({
        type: TrackTransferInput,
        required: true,
        description: 'The transaction to track.',
      }),
    },
    complexity: callCost,
    resolve: (_root, { input }, context) => trackTransfer(context, parseTransferRef(input)),
  }),
)
