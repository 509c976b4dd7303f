import { z } from 'zod'
import { builder, type Context, callCost, Query } from '../../../engine/graphql/builder.ts'
import { liveOf } from '../../../engine/graphql/live.ts'
import { GatewayError, isRetryable } from '../../../engine/upstream/error.ts'
import { post, type UpstreamRequest } from '../../../engine/upstream/request.ts'
import { UpstreamHttpError } from '../../../engine/upstream/upstreamError.ts'
import { decode } from '../../../engine/wire/compiledSchema.ts'
import { isJsonObject, lenientString } from '../../../engine/wire/lenient.ts'
import type { Optional } from '../../../engine/wire/optional.ts'
import { routerOf } from '../../router/routerClient.ts'
import { ifSent } from '../../router/routerFields.ts'
import { newestTransfer, type TransferShape } from '../joined/loadTransfer.ts'
import { statusCall, type TransferStatus, transferRules } from '../reported/readStatus.ts'
import { parseTransferRef, type TransferRef, transferKey } from '../reported/transferRef.ts'
import { Transfer } from '../types/transfer.ts'

const trackBody = z.preprocess((body) => (isJsonObject(body) ? body : {}), z.object({ explorer_link: lenientString }))
type TrackReply = z.output<typeof trackBody>

const trackingCall = (path: string, { chainId, txHash }: TransferRef) =>
  post(path, JSON.stringify({ tx_hash: txHash, chain_id: chainId }), (body) => decode(trackBody, body))

/**
 * Makes the router track a transaction, by the request that `send` sends. Null if the router does not see it on its
 * chain yet.
 */
export async function track(
  ref: TransferRef,
  send: (call: UpstreamRequest<TrackReply>) => Promise<TrackReply | null>,
): Promise<TrackReply | null> {
  try {
    return await send(trackingCall('/v2/tx/track', ref))
  } catch (error) {
    // A chain that the router never tracks has the same status. Only the message is different.
    const isNotVisible = error instanceof UpstreamHttpError && error.status === 404
    if (isNotVisible && !/not supported|unsupported/i.test(error.bodyExcerpt)) return null
    throw error
  }
}

// A transaction that was just sent may not have reached the router's nodes. Tracking can be repeated
// safely, so transient errors are retried too.
async function trackWhenVisible(context: Context, ref: TransferRef): Promise<TrackReply> {
  const { signal, requester } = context.scope
  const { poller, peers } = liveOf(context)
  const router = routerOf(context)
  // Other gateways learn of it, and do not track it again.
  const send = (call: UpstreamRequest<TrackReply>) =>
    peers.isShared ? peers.send(router, call, signal, { maxAgeMs: 0 }) : router.send(call, signal, requester)
  let remainingMs = context.limits.timeoutMs * 0.8
  for (let delayMs = 1_000; ; delayMs *= 1.5) {
    const sent = track(ref, send)
    const tracked = await sent.catch((error: unknown) => {
      if (!isRetryable(error) || remainingMs < delayMs) throw error
      return null
    })
    if (tracked) {
      poller.noteRegistered(transferRules.topic, transferKey(ref))
      return tracked
    }
    remainingMs -= delayMs
    if (remainingMs < 0) throw notVisible()
    await poller.pause(delayMs, signal)
  }
}

const notVisible = () =>
  new GatewayError(
    'UPSTREAM_REJECTED',
    'The router does not see the transaction on its chain yet. Try again when it is included in a block.',
    { service: 'router', reason: 'NOT_VISIBLE_YET' },
  )

interface TrackTransferPayload {
  readonly explorerUrl: Optional<string>
  /** Throws if its state could not be read. */
  readonly transfer: () => TransferShape | null
}

type StatusRead = { readonly status: TransferStatus | null } | { readonly error: unknown }

async function trackTransfer(context: Context, ref: TransferRef): Promise<TrackTransferPayload> {
  const router = routerOf(context)
  const { signal, requester } = context.scope
  const { explorer_link } = await trackWhenVisible(context, ref)
  // Not through the request scope, which may hold a status from before the tracking.
  const readStatus = (): Promise<StatusRead> =>
    router.send(statusCall(ref), signal, requester).then(
      (status) => ({ status }),
      (error: unknown) => ({ error }),
    )
  let read = await readStatus()
  if ('status' in read && read.status?.state === 'ABANDONED') {
    // Some routers resume an abandoned transfer when it is tracked again, others need this request.
    await router.send(trackingCall('/v2/tx/retry_track', ref), signal, requester).catch(() => null)
    read = await readStatus()
  }
  const last = read
  const transfer = () => {
    if ('error' in last) throw last.error
    return newestTransfer(context, ref, last.status)
  }
  return { explorerUrl: explorer_link, transfer }
}

const TrackTransferInput = builder.inputType('TrackTransferInput', {
  description: 'The first transaction of a transfer.',
  fields: (t) => ({
    chainId: t.field({
      type: 'ChainId',
      required: true,
      description: 'The chain that the transaction was sent on.',
    }),
    hash: t.string({
      required: true,
      description: 'Hash of the transaction: hex in any case, with or without 0x, or base58.',
    }),
  }),
})

const TrackTransferPayload = builder.objectRef<TrackTransferPayload>('TrackTransferPayload').implement({
  description: 'The tracked transfer.',
  fields: (t) => ({
    explorerUrl: ifSent(t, 'URL', 'URL in a block explorer.', ({ explorerUrl }) => explorerUrl),
    transfer: t.nullable(
      Transfer,
      'The transfer in its current state. Null if the router has not read the transaction yet.',
      ({ transfer }) => transfer(),
    ),
    query: t.value(Query, 'Read operations, to read again.', () => ({})),
  }),
})

builder.mutationField('trackTransfer', (t) =>
  t.field({
    type: TrackTransferPayload,
    nullable: true,
    description:
      'Makes the router track a transaction, and waits until it is on chain. Safe to repeat. Resumes an abandoned transfer.',
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
