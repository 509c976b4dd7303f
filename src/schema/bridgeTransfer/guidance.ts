import { builder, type Context, callCost } from '../../engine/graphql/builder.ts'
import { bridges } from '../router/bridges/bridges.ts'
import { delivered, type Guidance } from '../router/bridges/guidance.ts'
import { opInitFacts } from '../router/bridges/opInit.ts'
import { commonGuidance } from '../router/transfer/commonGuidance.ts'
import { type GuidanceShape, TransferGuidance } from '../router/transfer/guidance.ts'
import { BridgeTransfer } from './bridgeTransfer.ts'
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

async function findRow(transfer: BridgeTransferShape, state: BridgeTransferStateName): Promise<Guidance> {
  const { bridge, way } = transfer
  const isWithdrawal = way?.bridge === 'OPINIT' && way.direction === 'WITHDRAWAL'
  if (state === 'TIMED_OUT' || state === 'REFUNDED') return commonGuidance.returned
  if (state === 'ARRIVED') {
    if (isWithdrawal) return recordGuidance.claimed
    return (await transfer.reason()) === null ? recordGuidance.arrived : recordGuidance.arrivedWithoutStep
  }
  if (state === 'REFUSED' && bridge === 'OPINIT') return recordGuidance.refusedDeposit
  if (state === 'UNKNOWN') return isWithdrawal ? recordGuidance.withdrawal : recordGuidance.unknown
  const word = hopStates[bridge]?.[state] ?? ''
  const row = bridges.find(({ id }) => id === bridge)?.hop.states[word]
  return (isWithdrawal ? row?.withdrawal : row?.deposit) ?? row?.guidance ?? recordGuidance.unknown
}

async function findGuidance(context: Context, transfer: BridgeTransferShape): Promise<GuidanceShape> {
  const [state, departure, arrival] = await Promise.all([transfer.state(), transfer.departure(), transfer.arrival()])
  const guidance = await findRow(transfer, state)
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
