import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { isWithdrawal } from '../../indexer/transaction/bridgeSteps.ts'
import { loadWriter } from '../../router/action/actionSummary.ts'
import type { HopStateDefinition } from '../../router/bridges/defineBridge.ts'
import { delivered, type Guidance } from '../../router/bridges/guidance.ts'
import { hopTransfer } from '../joined/hopTransfer.ts'
import type { TransferShape } from '../joined/loadTransfer.ts'
import { provenStatus } from '../joined/proof.ts'
import { sentOfHop, sentOfTransfer } from '../joined/sentStep.ts'
import { hasFailedOnChain } from '../joined/statusOnChain.ts'
import { unlessFaulty } from '../recorded/transferSteps.ts'
import { isHopProvable } from '../reported/provable.ts'
import { beganAt, bridgeByHopKey, type HopBody } from '../reported/readHop.ts'
import type { Release, StartedTransfer } from '../reported/readStatus.ts'
import type { TransferRef } from '../reported/transferRef.ts'
import { isTerminal, outcomeOf, type TransferStateName } from '../reported/transferState.ts'
import { commonGuidance } from './commonGuidance.ts'
import { type GuidanceShape, secondsSince } from './guidanceShape.ts'
import { findGuidance } from './recordGuidance.ts'

/** A leg of a transfer, with its first transaction. */
interface LegShape extends TransferRef {
  readonly leg: StartedTransfer
}

/** The hop that a leg waits for or failed at, or the next one that has not arrived. */
function currentHop({ hops, blocking }: StartedTransfer): HopBody | undefined {
  const hop = blocking === null ? undefined : hops[blocking]
  return hop && hop.state !== 'COMPLETED' ? hop : (hops.find(({ state }) => state !== 'COMPLETED') ?? hop)
}

/** The guidance for a state of a bridge. The two directions of a rollup's bridge are told apart by the transaction that sent it. */
async function bridgeGuidance(context: Context, hop: HopBody, state: HopStateDefinition): Promise<Guidance> {
  if (!bridgeByHopKey.get(hop.kind)?.hop.hasDirections) return state.guidance
  const sent = await sentOfHop(context, hop).catch(() => null)
  const directed = sent && (isWithdrawal(sent.route) ? state.withdrawal : state.deposit)
  return directed ?? state.guidance
}

async function hopGuidance(context: Context, hop: HopBody): Promise<Guidance> {
  const states = bridgeByHopKey.get(hop.kind)?.hop.states ?? {}
  const word = ifReadable(hop.rawState) ?? ''
  const state = Object.hasOwn(states, word) ? states[word] : undefined
  if (state) return bridgeGuidance(context, hop, state)
  const hasBegun = hop.transactions.length > 0 || hop.state !== 'UNKNOWN'
  return hasBegun || word !== '' ? commonGuidance.unknown : commonGuidance.notStarted
}

/** What the records of both chains say of a hop: of an end that they prove, a time limit that has passed, or the time of a claim. Null for the rest. */
async function recordedGuidance(context: Context, hop: HopBody): Promise<GuidanceShape | null> {
  if (!isHopProvable(context, hop)) return null
  const transfer = await hopTransfer(context, hop)
  const isProven = (await transfer.proven()) !== null
  const canHaveTime = transfer.timeout !== null || isWithdrawal(transfer.route)
  const told = isProven || canHaveTime ? await findGuidance(context, transfer) : null
  return isProven || told?.time != null ? told : null
}

async function legGuidance(context: Context, { leg, chainId, txHash }: LegShape): Promise<GuidanceShape> {
  const outcome = outcomeOf(leg.state)
  const last = leg.hops.at(-1)
  const hop = outcome === 'SUCCEEDED' ? last : currentHop(leg)
  const shown = hop ?? last
  const release = ifReadable(leg.release)
  const releaseChain = ifReadable(release?.chainId)
  const whole = {
    from: chainId,
    to: ifReadable(last?.toChainId),
    returnsTo: releaseChain,
    hash: txHash,
    elapsed: null,
  }
  const recorded = shown ? ((await unlessFaulty(recordedGuidance(context, shown))) ?? null) : null
  if (outcome === 'SUCCEEDED') {
    const { arrivedWithoutStep } = commonGuidance
    if (recorded?.guidance === arrivedWithoutStep) return recorded
    // The records follow coins that went on from the last hop.
    if (recorded?.guidance.funds === 'DELIVERED' && whole.to !== releaseChain) return recorded
    if (!release || releaseChain === null) return { ...whole, guidance: { ...commonGuidance.facts, ...delivered } }
    return {
      ...whole,
      to: releaseChain,
      coins: await writtenRelease(context, release),
      guidance: releaseGuidance(release, last && whole.to === releaseChain),
    }
  }
  if (recorded) return recorded
  if (release && isTerminal(leg.state)) {
    const isBack = releaseChain === chainId
    const coins = isBack ? await returnedCoins(context, { leg, chainId, txHash }, release) : ''
    const isAtEnd = releaseChain !== null && releaseChain === whole.to
    if (isAtEnd) return { ...whole, coins: await writtenRelease(context, release), guidance: endOf(leg, release) }
    const ended = isBack ? commonGuidance.returned : commonGuidance.released
    return { ...whole, to: releaseChain, coins, guidance: release.released ? ended : commonGuidance.releasing }
  }
  if (outcome === 'ABANDONED') return { ...whole, guidance: commonGuidance.abandoned }
  if (leg.state === 'UNTRACKED') return { ...whole, guidance: commonGuidance.untracked }
  if (!hop) {
    if (await unlessFaulty(hasFailedOnChain(context, { chainId, txHash })))
      return { ...whole, guidance: commonGuidance.notSent }
    const isUnseen = leg.state === 'SUBMITTED'
    const noHop = outcome === 'FAILED' ? commonGuidance.failed : commonGuidance.unknown
    return { ...whole, guidance: isUnseen ? commonGuidance.unseen : noHop }
  }
  const fromChainId = ifReadable(hop.fromChainId)
  return {
    guidance: await hopGuidance(context, hop),
    from: fromChainId,
    to: ifReadable(hop.toChainId),
    // Earlier hops can have exchanged the asset, and then it does not return to where it was.
    returnsTo: hop === leg.hops[0] ? fromChainId : null,
    hash: ifReadable(hop.transactions[0]?.tx_hash ?? null),
    elapsed: secondsSince(beganAt(hop), context.scope.date()),
  }
}

/** The guidance for a release after a success. `isLast` says whether it is on the chain of the last hop, if there is one. */
function releaseGuidance({ released }: Release, isLast: boolean | undefined): Guidance {
  if (!released) return commonGuidance.toBeReleased
  if (isLast === undefined) return commonGuidance.releasedThere
  return isLast ? commonGuidance.arrivedAs : commonGuidance.releasedElsewhere
}

/** The guidance for a release on the last chain, though the transfer has not succeeded. */
function endOf({ state }: StartedTransfer, { released }: Release): Guidance {
  if (!released) return commonGuidance.releasingAtEnd
  return outcomeOf(state) === 'FAILED' ? commonGuidance.releasedAtEnd : commonGuidance.releasedThere
}

/** What is back on the first chain, behind a colon. Empty if that is the coin which was sent, as far as is known. */
async function returnedCoins(context: Context, { leg: { hops }, ...ref }: LegShape, release: Release): Promise<string> {
  const sent = (await unlessFaulty(sentOfTransfer(context, ref))) ?? null
  const denom = sent?.exchangedDenom ?? sent?.sourceDenom ?? null
  const first = bridgeByHopKey.get(hops[0]?.kind ?? '')?.recorded
  const isSame = denom === null ? first?.returnsSameCoin : denom === ifReadable(release.denom)
  return isSame ? '' : writtenRelease(context, release)
}

/** The released amount behind a colon, such as `: 5 INIT`. Empty if the router does not report it. */
async function writtenRelease(context: Context, { chainId, denom, amount }: Release): Promise<string> {
  const [readChain, readDenom, readAmount] = [ifReadable(chainId), ifReadable(denom), ifReadable(amount)]
  if (readChain === null || typeof readDenom !== 'string' || typeof readAmount !== 'bigint') return ''
  return `: ${(await loadWriter(context, readChain))({ denom: readDenom, amount: readAmount })}`
}

/** What the router says, by the state that it reports. */
const reportedTexts: Readonly<Record<TransferStateName, string>> = {
  SUBMITTED: 'The router has not seen the transaction yet.',
  UNTRACKED: 'The router does not follow it.',
  PENDING: 'The router says that it is on its way.',
  PENDING_ERROR: 'The router says that it failed, and that the funds are not released yet.',
  COMPLETED_SUCCESS: 'The router says that it arrived.',
  COMPLETED_ERROR: 'The router says that it failed.',
  ABANDONED: 'The router has stopped tracking it.',
  UNKNOWN: 'The router reports a state that this gateway does not know.',
}

/** The guidance for the first leg in the state of the whole, and what the router says if the records prove otherwise. */
export async function transferGuidance(context: Context, transfer: TransferShape): Promise<GuidanceShape> {
  const { chainId, txHash } = transfer
  const status = await provenStatus(context, transfer)
  const { state, reportedState = state } = status
  const whole: StartedTransfer = { ...status, hops: [], blocking: null }
  const leg = status.legs.find((each) => each.state === state) ?? status.legs[0] ?? whole
  const contradiction = reportedState === state ? null : reportedTexts[reportedState]
  return { ...(await legGuidance(context, { leg, chainId, txHash })), contradiction }
}
