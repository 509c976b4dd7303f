import type { Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { isWithdrawal } from '../../indexer/transaction/bridgeSteps.ts'
import { loadWriter } from '../../router/action/actionSummary.ts'
import type { HopStateDefinition } from '../../router/bridges/defineBridge.ts'
import { delivered, type Guidance } from '../../router/bridges/guidance.ts'
import { loadFromChain } from '../transfer/hopTransaction.ts'
import { beganAt, bridgeByHopKey, type HopBody } from '../transfer/readHop.ts'
import type { Leg, Release } from '../transfer/readStatus.ts'
import { sentOfHop } from '../transfer/sentAmounts.ts'
import { isTerminal, outcomeOf } from '../transfer/state.ts'
import { hasFailed } from '../transfer/statusOnChain.ts'
import type { TransferRef, TransferShape } from '../transfer/transfer.ts'
import { commonGuidance } from './commonGuidance.ts'
import { type GuidanceShape, secondsSince } from './guidanceShape.ts'

/** A leg of a transfer, with its first transaction. */
interface LegShape extends TransferRef {
  readonly leg: Leg
}

/** The hop that a leg waits for or failed at, or the next one that has not arrived. */
function currentHop({ hops, blocking }: Leg): HopBody | undefined {
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

/** Whether the first transaction of a transfer failed on its chain, so that it sent nothing. Unknown counts as no. */
async function hasFailedOnChain(context: Context, { chainId, txHash }: TransferRef): Promise<boolean> {
  const found = await loadFromChain(context, chainId, txHash).catch(() => null)
  return found !== null && hasFailed(found)
}

async function legGuidance(
  context: Context,
  { leg, chainId, txHash }: LegShape,
  refute: Refute,
): Promise<GuidanceShape> {
  const outcome = outcomeOf(leg.state)
  const hop = currentHop(leg)
  const last = leg.hops.at(-1)
  const release = ifReadable(leg.release)
  const releaseChain = ifReadable(release?.chainId)
  const whole = {
    from: chainId,
    to: ifReadable(last?.toChainId),
    returnsTo: releaseChain,
    hash: txHash,
    elapsed: null,
  }
  if (outcome === 'SUCCEEDED') {
    const refuted = last ? await refute(last) : null
    if (refuted) return refuted
    if (!release || releaseChain === null) return { ...whole, guidance: { ...commonGuidance.facts, ...delivered } }
    return {
      ...whole,
      to: releaseChain,
      coins: await writtenRelease(context, release),
      guidance: releaseGuidance(release, last && whole.to === releaseChain),
    }
  }
  if (release && isTerminal(leg.state)) {
    const isBack = releaseChain === chainId
    const ended = isBack ? commonGuidance.returned : commonGuidance.released
    return { ...whole, to: releaseChain, guidance: release.released ? ended : commonGuidance.releasing }
  }
  if (outcome === 'ABANDONED') return { ...whole, guidance: commonGuidance.abandoned }
  if (leg.state === 'UNTRACKED') return { ...whole, guidance: commonGuidance.untracked }
  if (!hop) {
    if (await hasFailedOnChain(context, { chainId, txHash })) return { ...whole, guidance: commonGuidance.notSent }
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

/** What records say of a hop that the router calls delivered. Null if they do not contradict it. */
type Refute = (hop: HopBody) => Promise<GuidanceShape | null>

/** The guidance for a release after a success. `isLast` says whether it is on the chain of the last hop, if there is one. */
function releaseGuidance({ released }: Release, isLast: boolean | undefined): Guidance {
  if (!released) return commonGuidance.toBeReleased
  if (isLast === undefined) return commonGuidance.releasedThere
  return isLast ? commonGuidance.arrivedAs : commonGuidance.releasedElsewhere
}

/** The released amount behind a colon, such as `: 5 INIT`. Empty if the router does not report it. */
async function writtenRelease(context: Context, { chainId, denom, amount }: Release): Promise<string> {
  const [readChain, readDenom, readAmount] = [ifReadable(chainId), ifReadable(denom), ifReadable(amount)]
  if (readChain === null || typeof readDenom !== 'string' || typeof readAmount !== 'bigint') return ''
  return `: ${(await loadWriter(context, readChain))({ denom: readDenom, amount: readAmount })}`
}

/** The guidance for the first leg in the state of the whole. */
export function transferGuidance(
  context: Context,
  { chainId, txHash, status }: TransferShape,
  refute: Refute,
): Promise<GuidanceShape> {
  const whole: Leg = { ...status, hops: [], blocking: null }
  const leg = status.legs.find(({ state }) => state === status.state) ?? status.legs[0] ?? whole
  return legGuidance(context, { leg, chainId, txHash }, refute)
}
