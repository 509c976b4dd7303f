import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { isWithdrawal } from '../indexer/transaction/bridgeSteps.ts'
import { bridges } from '../router/bridges/bridges.ts'
import { delivered, type Guidance } from '../router/bridges/guidance.ts'
import { ibcFacts } from '../router/bridges/ibc.ts'
import { opInitFacts } from '../router/bridges/opInit.ts'
import { commonGuidance } from '../router/transfer/commonGuidance.ts'
import { type GuidanceShape, TransferGuidance } from '../router/transfer/guidance.ts'
import { BridgeTransfer } from './bridgeTransfer.ts'
import { claimableAt, isClaimable } from './claim.ts'
import { unlessFaulty } from './movement.ts'
import type { BridgeTransferShape } from './shape.ts'
import type { BridgeTransferStateName } from './state.ts'

const { facts } = commonGuidance

/** The guidance for states that the records of both chains show, and no router. */
const recordGuidance = {
  arrived: { ...facts, ...delivered },
  arrivedWithoutStep: {
    ...facts,
    ...delivered,
    sentence: 'Arrived on {to}. The step after it failed there.',
    nextStep: 'Do that step by hand on {to}.',
  },
  claimed: { ...opInitFacts, ...delivered, sentence: 'Claimed on {to}.' },
  refusedDeposit: {
    ...opInitFacts,
    waitingFor: 'CHALLENGE_PERIOD',
    funds: 'CLAIMABLE',
    returns: 'CLAIM',
    sentence:
      '{to} could not credit the recipient. It comes back as a withdrawal, which has to be claimed on {from} after the challenge period of the bridge.',
    nextStep: 'Claim it on {from} after the challenge period.',
  },
  withdrawal: {
    ...opInitFacts,
    waitingFor: 'CHALLENGE_PERIOD',
    funds: 'UNKNOWN',
    returns: 'NEVER',
    sentence:
      'Burned on {from}. No claim of it on {to} was found. A withdrawal does not arrive by itself: it has to be claimed after the challenge period of the bridge.',
    nextStep: 'Claim it on {to} after the challenge period, unless it has been claimed.',
  },
  claimable: {
    ...opInitFacts,
    waitingFor: 'USER',
    funds: 'CLAIMABLE',
    returns: 'NEVER',
    sentence:
      'Burned on {from}. The challenge period of the bridge ended on {time}, and no claim of it was found on {to}.',
    nextStep: 'Claim it on {to} now.',
  },
  claimableLater: {
    ...opInitFacts,
    waitingFor: 'CHALLENGE_PERIOD',
    funds: 'CLAIMABLE',
    returns: 'NEVER',
    sentence: 'Burned on {from}. It can be claimed on {to} from {time} on. It does not arrive by itself.',
    nextStep: 'Claim it on {to} after {time}.',
  },
  refusedDepositClaimable: {
    ...opInitFacts,
    waitingFor: 'USER',
    funds: 'CLAIMABLE',
    returns: 'CLAIM',
    sentence:
      '{to} could not credit the recipient. It comes back as a withdrawal, whose challenge period ended on {time}. No claim of it was found on {from}.',
    nextStep: 'Claim it on {from} now.',
  },
  overdue: {
    ...ibcFacts,
    waitingFor: 'RELAYER',
    funds: 'RETURNING',
    returns: 'AUTOMATIC',
    sentence:
      'Not delivered to {to}. Its time limit passed on {time}: it can only come back to {from}, and a relayer has to report that there.',
    nextStep: 'Wait. Ask for help if nothing has changed after 24 hours.',
  },
  overdueOrArrived: {
    ...ibcFacts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'AUTOMATIC',
    sentence:
      'Its time limit passed on {time}. Unless it arrived on {to} before that, it can only come back to {from}, and a relayer has to report that there.',
    nextStep:
      'Look at the account on {to}. If it is not there, wait, and ask for help if it is not back after 24 hours.',
  },
  /** Coins that only passed through a chain came back to it. */
  returnedFurther: {
    ...ibcFacts,
    waitingFor: 'RELAYER',
    funds: 'RETURNING',
    returns: 'AUTOMATIC',
    sentence: 'Not delivered to {to}. {from} returns it to the chain that it came from.',
    nextStep: 'Wait, and look at the account that sent it first.',
  },
  taken: {
    ...ibcFacts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence:
      '{to} told {from} that it succeeded, and was asked to pass it on. No record that was read shows where it is.',
    nextStep: 'Look at the account on the last chain.',
  },
  passedOn: {
    ...ibcFacts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: '{to} has passed it on to another chain. No record that was read shows what became of it there.',
    nextStep: 'Look at the account on the last chain.',
  },
  sentAgain: {
    ...ibcFacts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'Not received on {to} in time. {from} has sent it again.',
    nextStep: 'Look at the account on {to}.',
  },
  unknown: {
    ...facts,
    waitingFor: 'UNKNOWN',
    funds: 'UNKNOWN',
    returns: 'UNKNOWN',
    sentence: 'Sent from {from}. No record that was read shows whether it arrived on {to}.',
    nextStep: 'Look at the account on {to}.',
  },
} satisfies Record<string, Guidance>

/** The states of hops whose rows say the same of a transfer that is known by its records. */
const hopStates: Readonly<Record<string, Partial<Record<BridgeTransferStateName, string>>>> = {
  IBC: { ON_THE_WAY: 'TRANSFER_PENDING', REFUSED: 'TRANSFER_PENDING_ERROR' },
  EUREKA: { ON_THE_WAY: 'TRANSFER_PENDING', REFUSED: 'TRANSFER_PENDING_ERROR' },
  OPINIT: { ON_THE_WAY: 'OPINIT_TRANSFER_SENT' },
}

/** What a withdrawal (`isOwn`), or that which brings a refused deposit back, waits for, as far as its claim is known. */
async function claimRow(context: Context, transfer: BridgeTransferShape, isOwn: boolean): Promise<Row> {
  const claim = await unlessFaulty(transfer.claim())
  const time = claim ? claimableAt(claim) : null
  if (claim && isClaimable(claim, context.scope.date())) {
    return { guidance: isOwn ? recordGuidance.claimable : recordGuidance.refusedDepositClaimable, time }
  }
  if (isOwn && time !== null && time > context.scope.date()) {
    return { guidance: recordGuidance.claimableLater, time }
  }
  return { guidance: isOwn ? recordGuidance.withdrawal : recordGuidance.refusedDeposit }
}

/** The guidance for a state, and the moment that it names, in milliseconds since 1970. */
interface Row {
  readonly guidance: Guidance
  readonly time?: number | null
}

async function findRow(context: Context, transfer: BridgeTransferShape, state: BridgeTransferStateName): Promise<Row> {
  const { bridge, way, timeout } = transfer
  const mustBeClaimed = isWithdrawal(way)
  switch (state) {
    case 'TIMED_OUT':
    case 'REFUNDED':
      return {
        guidance: (await transfer.isReturnedFurther()) ? recordGuidance.returnedFurther : commonGuidance.returned,
      }
    case 'ARRIVED':
      if (mustBeClaimed) return { guidance: recordGuidance.claimed }
      return {
        guidance: (await transfer.reason()) === null ? recordGuidance.arrived : recordGuidance.arrivedWithoutStep,
      }
    case 'PASSED_ON':
      return { guidance: (await transfer.isConfirmed()) ? recordGuidance.taken : recordGuidance.passedOn }
    case 'SENT_AGAIN':
      return { guidance: recordGuidance.sentAgain }
    case 'REFUSED':
      if (bridge === 'OPINIT') return claimRow(context, transfer, false)
      break
    case 'UNKNOWN':
      if (mustBeClaimed) return claimRow(context, transfer, true)
      if (await transfer.isConfirmed()) return { guidance: recordGuidance.taken }
      break
    case 'ON_THE_WAY':
      break
    default:
      state satisfies never
  }
  const limit = timeout === null ? null : Number(timeout / 1_000_000n)
  if (state !== 'REFUSED' && limit !== null && limit < context.scope.date()) {
    const isUnreceived = state === 'ON_THE_WAY'
    return { guidance: isUnreceived ? recordGuidance.overdue : recordGuidance.overdueOrArrived, time: limit }
  }
  const word = hopStates[bridge]?.[state] ?? ''
  const row = bridges.find(({ id }) => id === bridge)?.hop.states[word]
  return { guidance: (mustBeClaimed ? row?.withdrawal : row?.deposit) ?? row?.guidance ?? recordGuidance.unknown }
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
  const text = state === 'PASSED_ON' ? '{to} has passed it on.' : recordGuidance.sentAgain.sentence
  return { ...next, before: { text, from: departure.chainId, to: arrival.chainId, more: next.before } }
}

/** What the owner of a bridge transfer should know of it now. */
export async function findGuidance(context: Context, transfer: BridgeTransferShape): Promise<GuidanceShape> {
  const [state, departure, arrival] = await Promise.all([transfer.state(), transfer.departure(), transfer.arrival()])
  const hasGoneOn = state === 'PASSED_ON' || state === 'SENT_AGAIN'
  const onward = hasGoneOn ? await onwardGuidance(context, transfer, state) : null
  if (onward) return onward
  const { guidance, time = null } = await findRow(context, transfer, state)
  const isBack = guidance === commonGuidance.returned
  const { chainId } = departure
  const sent = await unlessFaulty(departure.place())
  const timestamp = sent?.timestamp ?? null
  const elapsed =
    timestamp === null ? null : Math.max(0, Math.floor((context.scope.date() - Date.parse(timestamp)) / 1_000))
  return {
    guidance,
    from: chainId,
    to: isBack ? chainId : arrival.chainId,
    returnsTo: chainId,
    hash: sent?.hash ?? null,
    elapsed,
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
