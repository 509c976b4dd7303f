import type { Context } from '../../../engine/graphql/builder.ts'
import { finalStateOf } from '../../../engine/graphql/finalState.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import type { Awaitable } from '../../../kit/awaitable.ts'
import { withinShare } from '../../indexer/accounts/chainShare.ts'
import { bridgeById } from '../../router/bridges/bridges.ts'
import type { BridgeTransferStateName } from '../recorded/bridgeTransferState.ts'
import { isYoung, unlessFaulty } from '../recorded/transferSteps.ts'
import type { HopStateName } from '../reported/hopState.ts'
import { canHaveFailed, indexedSend, isHopProvable, isProvable } from '../reported/provable.ts'
import type { HopBody } from '../reported/readHop.ts'
import {
  failedStatus,
  type Release,
  type StartedTransfer,
  type TransferStatus,
  transferRules,
} from '../reported/readStatus.ts'
import { type TransferRef, transferKey } from '../reported/transferRef.ts'
import { combineStates, isTerminal, outcomeOf } from '../reported/transferState.ts'
import type { BridgeTransferShape, LegShape, TransactionReference } from './bridgeTransferShape.ts'
import { hopTransfer } from './hopTransfer.ts'
import type { TransferShape } from './loadTransfer.ts'
import { hasFailedOnChain } from './statusOnChain.ts'

// A router follows transfers from afar: it can be late, stop, or call delivered what a chain has refused. Where the records of
// both chains prove an end, that counts, and the router's word stands beside it.

/** What the records of both chains prove of a hop. */
interface HopProof {
  readonly transfer: BridgeTransferShape
  /** Null if they prove nothing yet. */
  readonly state: BridgeTransferStateName | null
}

/** The state of a hop that follows from what is proven of its coins. Undefined if they are still on their way. */
const hopStates: Readonly<Partial<Record<BridgeTransferStateName, HopStateName>>> = {
  ARRIVED: 'COMPLETED',
  PASSED_ON: 'COMPLETED',
  REFUSED: 'FAILED',
  REFUNDED: 'FAILED',
  TIMED_OUT: 'FAILED',
}

/** The share of the time for an operation that the records of a hop may take. Then the word of the router counts. */
const share = 0.3

/** Null for a hop whose records are not read. Rejects if an indexer fails, or is late. */
async function proveHop(context: Context, hop: HopBody): Promise<HopProof | null> {
  const first = indexedSend(context, hop)
  if (!first || !isHopProvable(context, hop)) return null
  const prove = async () => {
    const transfer = await hopTransfer(context, hop)
    return { transfer, state: await transfer.proven() }
  }
  return withinShare(context, first.chain.chainId, prove, share)
}

/**
 * The status with what the records of the chains prove, and the router's word beside it. A first transaction that failed on its
 * chain has sent nothing, whatever the router says.
 */
export async function proveStatus(
  context: Context,
  first: TransferRef,
  status: TransferStatus,
): Promise<TransferStatus> {
  const { state: reportedState, rawState, error } = status
  if (canHaveFailed(context, first, status) && (await unlessFaulty(hasFailedOnChain(context, first)))) {
    return { ...failedStatus, rawState, reportedState, error: error ?? failedStatus.error }
  }
  const proofs = await Promise.all(status.legs.map((leg) => proveLeg(context, leg)))
  const legs = proofs.map(({ leg }) => leg)
  const reported = {
    ...{ ...status, legs, reportedState },
    ...(proofs.some(({ isOpen }) => isOpen) && { isUnproven: true as const }),
    ...(proofs.some(({ isUnread }) => isUnread) && { isUnread: true as const }),
    ...(proofs.some(({ place }) => place && isYoung(context, place)) && { isYoung: true as const }),
  }
  const isProven = legs.some(({ state, release }, index) => {
    const before = status.legs[index]
    return state !== before?.state || release !== before.release
  })
  if (!isProven) return reported
  return {
    ...reported,
    state: combineStates(legs.map(({ state }) => state)),
    release: legs.find(({ release }) => release)?.release ?? null,
    error: legs.find(({ error }) => error)?.error ?? null,
  }
}

/** A leg as far as it is proven. It is open if the router says that it has ended, and records to come can prove or contradict that. */
interface LegProof {
  readonly leg: StartedTransfer
  readonly isOpen: boolean
  /** Whether the records could not all be read. */
  readonly isUnread?: boolean
  /** The transaction that proves its end. */
  readonly place?: TransactionReference | null
}

async function proveLeg(context: Context, leg: StartedTransfer): Promise<LegProof> {
  const proofs = await Promise.all(leg.hops.map((hop) => unlessFaulty(proveHop(context, hop))))
  const hops = leg.hops.map((hop, index) => ({
    ...hop,
    reportedState: hop.state,
    state: hopStates[proofs[index]?.state ?? 'UNKNOWN'] ?? hop.state,
  }))
  const known = { ...leg, hops, reportedState: leg.state }
  // What was sent again has not failed, whatever the router says of the hop.
  const failedAt = proofs.findIndex((proof) => proof?.state && hopStates[proof.state] === 'FAILED')
  const failure = proofs[failedAt]
  if (failure) {
    const place = await failurePlace(failure)
    return { leg: { ...known, blocking: failedAt, ...(await failureOf(leg, failure)) }, isOpen: false, place }
  }
  const last = leg.hops.at(-1)
  const end = await unlessFaulty(endOf(proofs.at(-1)))
  if (end?.state && hopStates[end.state] === 'FAILED') {
    return { leg: { ...known, ...(await failureOf(leg, end)) }, isOpen: false, place: await failurePlace(end) }
  }
  if (end?.state === 'ARRIVED' && (await end.transfer.isKept())) {
    const arrival = await end.transfer.arrival()
    const isDelivered = leg.state === 'COMPLETED_SUCCESS' && end === proofs.at(-1)
    const release = isDelivered ? releaseOf(leg, arrival) : toRelease(arrival)
    const delivered: StartedTransfer = { ...known, state: 'COMPLETED_SUCCESS', blocking: null, error: null, release }
    return { leg: delivered, isOpen: false, place: await arrival.place() }
  }
  // A router can take the coins for delivered where another movement has taken them on.
  if (end && end !== proofs.at(-1) && isTerminal(leg.state)) {
    return { leg: { ...known, state: 'PENDING', release: null }, isOpen: false }
  }
  const isOpen = isTerminal(leg.state) && last !== undefined && canBeProven(context, last, proofs.at(-1))
  const isUnread = isOpen && (await proofs.at(-1)?.transfer.canReadMore()) !== false
  return { leg: known, isOpen, isUnread }
}

/** The transaction that shows that coins came back, or else that they were refused. */
async function failurePlace({ transfer }: HopProof): Promise<TransactionReference | null> {
  const end = (await transfer.refund()) ?? (await transfer.arrival())
  return end.place()
}

/** The last movement by which coins went on, or the same one if they did not. */
async function endOf(proof: HopProof | null | undefined): Promise<HopProof | null> {
  if (!proof) return null
  let end = proof
  while (end.state === 'PASSED_ON' || end.state === 'SENT_AGAIN') {
    const transfer = await end.transfer.onward()
    if (!transfer) break
    end = { transfer, state: await transfer.proven() }
  }
  return end
}

/** Whether records to come can prove what became of a hop: the transaction that sent it is indexed, and the chain that it goes to. */
function canBeProven(context: Context, hop: HopBody, proof: HopProof | null | undefined): boolean {
  if (!context.network.chains.has(ifReadable(hop.toChainId) ?? '') || !isHopProvable(context, hop)) return false
  return proof ? proof.state === null && proof.transfer.route !== null : proof === undefined
}

/** What follows for a leg from a hop that was not delivered. */
async function failureOf(
  leg: StartedTransfer,
  { transfer, state }: HopProof,
): Promise<Pick<StartedTransfer, 'state' | 'release' | 'error'>> {
  const message = (await unlessFaulty(transfer.reason())) ?? null
  const error = leg.error ?? (message === null ? null : { type: null, message, details: null })
  // What is on its way back further is released nowhere yet.
  if (state !== 'REFUSED' && !(await transfer.isReturnedFurther())) {
    const refund = await transfer.refund()
    return { error, state: 'COMPLETED_ERROR', release: refund ? toRelease(refund) : leg.release }
  }
  // A deposit that a rollup refused comes back as a withdrawal: nothing more happens before somebody claims it.
  if (bridgeById.get(transfer.bridge)?.recorded?.claims) {
    return { error, state: 'COMPLETED_ERROR', release: toRelease(await transfer.departure(), false) }
  }
  // The router can know the end of what no record shows yet.
  if (outcomeOf(leg.state) === 'FAILED') return { error, state: leg.state, release: leg.release }
  return { error, state: 'PENDING_ERROR', release: null }
}

/** What the router released, unless the records show that its account got another amount of it. */
function releaseOf({ release }: StartedTransfer, arrival: LegShape): StartedTransfer['release'] {
  const told = ifReadable(release ?? null)
  const isOther =
    told !== null && ifReadable(told.denom) === arrival.denom && ifReadable(told.amount) !== arrival.amount
  return isOther && arrival.amount !== null ? toRelease(arrival) : release
}

const toRelease = ({ chainId, denom, amount }: LegShape, released = true): Release => ({
  ...{ chainId, denom, amount },
  released,
})

const proofs = new WeakMap<TransferShape, Promise<TransferStatus>>()

/** The status of a transfer as far as the records of the chains prove it. They are read once, and only where they can prove something. */
export function provenStatus(context: Context, transfer: TransferShape): Awaitable<TransferStatus> {
  const { status } = transfer
  if (!isProvable(context, transfer, status)) return status
  const proof = proofs.get(transfer) ?? learnProof(context, transfer)
  proofs.set(transfer, proof)
  return proof
}

/** Reads the records, and tells those who watch the transfer. */
async function learnProof(context: Context, transfer: TransferShape): Promise<TransferStatus> {
  const proven = await proveStatus(context, transfer, transfer.status)
  finalStateOf(context, transferRules, transferKey(transfer), proven)
  return proven
}
