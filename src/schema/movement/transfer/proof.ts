import type { Context } from '../../../engine/graphql/builder.ts'
import { finalStateOf } from '../../../engine/graphql/finalState.ts'
import type { Awaitable } from '../../../kit/awaitable.ts'
import { withinShare } from '../../indexer/accounts/chainShare.ts'
import type { BridgeTransferShape, LegShape } from '../bridgeTransfer/bridgeTransferShape.ts'
import { hopTransfer } from '../bridgeTransfer/hopTransfer.ts'
import type { BridgeTransferStateName } from '../bridgeTransfer/state.ts'
import { unlessFaulty } from '../bridgeTransfer/transferSteps.ts'
import type { HopStateName } from './hopState.ts'
import type { TransferShape } from './loadTransfer.ts'
import { indexedSend, isHopProvable, isProvable } from './provable.ts'
import type { HopBody } from './readHop.ts'
import { type Release, type StartedTransfer, type TransferStatus, transferRules } from './readStatus.ts'
import { combineStates, outcomeOf } from './state.ts'
import { transferKey } from './transferRef.ts'

// A router follows transfers from afar: it can be late, stop, or call delivered what a chain has refused. Where the records of
// both chains prove an end, that counts, and the router's word stands beside it.

/** What the records of both chains prove of a hop. */
interface HopProof {
  readonly transfer: BridgeTransferShape
  readonly state: BridgeTransferStateName
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

/** Null if nothing is proven. Rejects if an indexer fails, or is late. */
async function proveHop(context: Context, hop: HopBody): Promise<HopProof | null> {
  const first = indexedSend(context, hop)
  if (!first || !isHopProvable(context, hop)) return null
  const prove = async () => {
    const transfer = await hopTransfer(context, hop)
    const state = await transfer.proven()
    return state && { transfer, state }
  }
  return withinShare(context, first.chain.chainId, prove, share)
}

/** The status with what the records of the chains prove, and the router's word beside it. */
export async function proveStatus(context: Context, status: TransferStatus): Promise<TransferStatus> {
  const legs = await Promise.all(status.legs.map((leg) => proveLeg(context, leg)))
  const reported = { ...status, legs, reportedState: status.state }
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

async function proveLeg(context: Context, leg: StartedTransfer): Promise<StartedTransfer> {
  const proofs = await Promise.all(leg.hops.map((hop) => unlessFaulty(proveHop(context, hop))))
  const hops = leg.hops.map((hop, index) => ({
    ...hop,
    reportedState: hop.state,
    state: hopStates[proofs[index]?.state ?? 'UNKNOWN'] ?? hop.state,
  }))
  const known = { ...leg, hops, reportedState: leg.state }
  // What was sent again has not failed, whatever the router says of the hop.
  const failedAt = proofs.findIndex((proof) => proof && hopStates[proof.state] === 'FAILED')
  const failure = proofs[failedAt]
  if (failure) return { ...known, blocking: failedAt, ...(await failureOf(leg, failure)) }
  const last = proofs.at(-1)
  const hasArrived = last?.state === 'ARRIVED' && leg.state !== 'COMPLETED_SUCCESS' && (await last.transfer.isKept())
  if (!hasArrived) return known
  const release = toRelease(await last.transfer.arrival())
  return { ...known, state: 'COMPLETED_SUCCESS', blocking: null, error: null, release }
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
  if (transfer.bridge === 'OPINIT') {
    return { error, state: 'COMPLETED_ERROR', release: toRelease(await transfer.departure(), false) }
  }
  // The router can know the end of what no record shows yet.
  if (outcomeOf(leg.state) === 'FAILED') return { error, state: leg.state, release: leg.release }
  return { error, state: 'PENDING_ERROR', release: null }
}

const toRelease = ({ chainId, denom, amount }: LegShape, released = true): Release => ({
  ...{ chainId, denom, amount },
  released,
})

const proofs = new WeakMap<TransferShape, Promise<TransferStatus>>()

/** The status of a transfer as far as the records of the chains prove it. They are read once, and only where they can prove something. */
export function provenStatus(context: Context, transfer: TransferShape): Awaitable<TransferStatus> {
  const { status } = transfer
  if (!isProvable(context, status)) return status
  const proof = proofs.get(transfer) ?? learnProof(context, transfer)
  proofs.set(transfer, proof)
  return proof
}

/** Reads the records, and tells those who watch the transfer. */
async function learnProof(context: Context, transfer: TransferShape): Promise<TransferStatus> {
  const proven = await proveStatus(context, transfer.status)
  finalStateOf(context, transferRules, transferKey(transfer), proven)
  return proven
}
