import { isSameAddress } from '#words/addresses/bytes'
import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { isWithdrawal } from '../../indexer/transaction/bridgeSteps.ts'
import { bridgeById } from '../../router/bridges/bridges.ts'
import type { WithdrawalClaims } from '../../router/bridges/defineBridge.ts'
import type { Guidance } from '../../router/bridges/guidance.ts'
import { ibcRecordGuidance } from '../../router/bridges/ibc.ts'
import type { BridgeTransferShape } from '../joined/bridgeTransferShape.ts'
import type { BridgeTransferStateName } from '../recorded/bridgeTransferState.ts'
import { claimableAt, isClaimable } from '../recorded/claim.ts'
import { unlessFaulty } from '../recorded/transferSteps.ts'
import { BridgeTransfer } from '../types/bridgeTransfer.ts'
import { commonGuidance } from './commonGuidance.ts'
import { type GuidanceShape, secondsSince } from './guidanceShape.ts'
import { TransferGuidance } from './guidanceType.ts'

/** What a withdrawal (`isOwn`), or that which brings a refused deposit back, waits for, as far as its claim is known. */
async function claimRow(
  context: Context,
  transfer: BridgeTransferShape,
  { guidance }: WithdrawalClaims,
  isOwn: boolean,
): Promise<Row> {
  const claim = await unlessFaulty(transfer.claim())
  const time = claim ? claimableAt(claim) : null
  if (claim && isClaimable(claim, context.scope.date())) {
    return { guidance: isOwn ? guidance.claimable : guidance.refusedDepositClaimable, time }
  }
  if (isOwn && time !== null && !claim?.isClaimed) {
    return { guidance: time > context.scope.date() ? guidance.claimableLater : guidance.perhapsClaimed, time }
  }
  return { guidance: isOwn ? guidance.withdrawal : guidance.refusedDeposit }
}

/** The guidance for a state, and the moment that it names, in milliseconds since 1970. */
interface Row {
  readonly guidance: Guidance
  readonly time?: number | null
}

/** Whether a contract that sent coins for somebody has them back, or the account that sent them itself. */
async function returnedTo(transfer: BridgeTransferShape): Promise<Guidance> {
  const [{ address }, caller] = await Promise.all([transfer.departure(), transfer.caller()])
  const isOther = address !== null && caller !== null && !isSameAddress(address, caller)
  return isOther ? commonGuidance.returnedToContract : commonGuidance.returned
}

async function findRow(context: Context, transfer: BridgeTransferShape, state: BridgeTransferStateName): Promise<Row> {
  const { route, timeout } = transfer
  const bridge = bridgeById.get(transfer.bridge)
  const claims = bridge?.recorded?.claims
  const mustBeClaimed = isWithdrawal(route)
  switch (state) {
    case 'TIMED_OUT':
    case 'REFUNDED':
      if (await transfer.isReturnedFurther()) return { guidance: ibcRecordGuidance.returnedFurther }
      return { guidance: await returnedTo(transfer) }
    case 'ARRIVED':
      if (claims && mustBeClaimed) return { guidance: claims.guidance.claimed }
      return {
        guidance: (await transfer.reason()) === null ? commonGuidance.arrived : commonGuidance.arrivedWithoutStep,
      }
    case 'PASSED_ON':
      return { guidance: (await transfer.isConfirmed()) ? ibcRecordGuidance.taken : ibcRecordGuidance.passedOn }
    case 'SENT_AGAIN':
      return { guidance: ibcRecordGuidance.sentAgain }
    case 'REFUSED':
      if (claims) return claimRow(context, transfer, claims, false)
      break
    case 'UNKNOWN':
      if (claims && mustBeClaimed) return claimRow(context, transfer, claims, true)
      if (await transfer.isConfirmed()) return { guidance: ibcRecordGuidance.taken }
      break
    case 'ON_THE_WAY':
      if (claims && mustBeClaimed) {
        const claim = await claimRow(context, transfer, claims, true)
        if (claim.time != null) return claim
      }
      break
    default:
      state satisfies never
  }
  const limit = timeout === null ? null : Number(timeout / 1_000_000n)
  if (state !== 'REFUSED' && limit !== null && limit < context.scope.date()) {
    const isUnreceived = state === 'ON_THE_WAY'
    return { guidance: isUnreceived ? ibcRecordGuidance.overdue : ibcRecordGuidance.overdueOrArrived, time: limit }
  }
  const word = state === 'ON_THE_WAY' || state === 'REFUSED' ? bridge?.recorded?.words[state] : undefined
  const row = bridge?.hop.states[word ?? '']
  return { guidance: (mustBeClaimed ? row?.withdrawal : row?.deposit) ?? row?.guidance ?? commonGuidance.unrecorded }
}

/** Of a transfer that went on: what is to be said of the next movement, behind what is known of this one. */
async function onwardGuidance(
  context: Context,
  transfer: BridgeTransferShape,
  state: BridgeTransferStateName,
): Promise<GuidanceShape | null> {
  const [onward, departure, arrival] = await Promise.all([
    unlessFaulty(transfer.onward()),
    transfer.departure(),
    transfer.arrival(),
  ])
  if (!onward) return null
  const next = await findGuidance(context, onward)
  const text = state === 'PASSED_ON' ? '{to} has passed it on.' : ibcRecordGuidance.sentAgain.sentence
  return { ...next, before: { text, from: departure.chainId, to: arrival.chainId, more: next.before } }
}

/** What the owner of a bridge transfer should know of it now. */
export async function findGuidance(context: Context, transfer: BridgeTransferShape): Promise<GuidanceShape> {
  const [state, departure, arrival] = await Promise.all([transfer.state(), transfer.departure(), transfer.arrival()])
  const hasGoneOn = state === 'PASSED_ON' || state === 'SENT_AGAIN'
  const onward = hasGoneOn ? await onwardGuidance(context, transfer, state) : null
  if (onward) return onward
  const { guidance, time = null } = await findRow(context, transfer, state)
  const isBack = guidance === commonGuidance.returned || guidance === commonGuidance.returnedToContract
  const { chainId } = departure
  const sent = await unlessFaulty(departure.place())
  return {
    guidance,
    from: chainId,
    to: isBack ? chainId : arrival.chainId,
    returnsTo: chainId,
    hash: sent?.hash ?? null,
    elapsed: secondsSince(sent?.timestamp ?? null, context.scope.date()),
    time,
  }
}

builder.objectField(BridgeTransfer, 'guidance', (t) =>
  t.field({
    type: TransferGuidance,
    description: 'Advice for its owner, as of now. Costs what its state and both ends cost.',
    complexity: 3 * callCost,
    resolve: (transfer, _args, context) => findGuidance(context, transfer),
  }),
)
