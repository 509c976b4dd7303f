import { builder, type Context } from '../../../engine/graphql/builder.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { Chain, loadDisplayName } from '../../chain/chain.ts'
import { chainOf } from '../../chain/knownChain.ts'
import { isWithdrawal } from '../../indexer/transaction/bridgeSteps.ts'
import { loadWriter } from '../action/actionSummary.ts'
import type { HopStateDefinition } from '../bridges/defineBridge.ts'
import { delivered, funds, type Guidance, returns, waitingFor } from '../bridges/guidance.ts'
import { commonGuidance } from './commonGuidance.ts'
import { loadFromChain } from './hopTransaction.ts'
import { beganAt, bridgeByHopKey, type HopBody } from './readHop.ts'
import type { Leg, Release } from './readStatus.ts'
import { sentOfHop } from './sentAmounts.ts'
import { isTerminal, outcomeOf } from './state.ts'
import { hasFailed } from './statusOnChain.ts'
import type { TransferRef, TransferShape } from './transfer.ts'

/** What is said of a transfer, and the facts that the text needs. */
export interface GuidanceShape {
  readonly guidance: Guidance
  readonly from: string | null
  readonly to: string | null
  /** The chain that the funds return to. Null if that is not known. */
  readonly returnsTo: string | null
  /** The hash of the first transaction of the hop. */
  readonly hash: string | null
  /** Seconds since the first transaction of the hop. Null if its time is not known. */
  readonly elapsed: number | null
  /** The amount that stands for `{coins}`, with a colon before it. */
  readonly coins?: string
  /** The moment that stands for `{time}`, in milliseconds since 1970. */
  readonly time?: number | null
  /** What is known of earlier movements of the same funds. It comes before the sentence. */
  readonly before?: EarlierMovement | undefined
}

/** A sentence on an earlier movement, with its two chains, and on those before it. */
interface EarlierMovement {
  readonly text: string
  readonly from: string | null
  readonly to: string | null
  readonly more: EarlierMovement | undefined
}

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
  const directed = sent && (isWithdrawal(sent.way) ? state.withdrawal : state.deposit)
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
  const began = beganAt(hop)
  const fromChainId = ifReadable(hop.fromChainId)
  return {
    guidance: await hopGuidance(context, hop),
    from: fromChainId,
    to: ifReadable(hop.toChainId),
    // Earlier hops can have exchanged the asset, and then it does not return to where it was.
    returnsTo: hop === leg.hops[0] ? fromChainId : null,
    hash: ifReadable(hop.transactions[0]?.tx_hash ?? null),
    elapsed: began === null ? null : Math.max(0, Math.floor((context.scope.date() - Date.parse(began)) / 1_000)),
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

/** Seconds that the state usually takes from the first transaction of its hop on. */
function usualSeconds({ guidance, from }: GuidanceShape): number | null {
  const { usualSeconds } = guidance
  if (typeof usualSeconds !== 'object') return usualSeconds ?? null
  return from !== null && Object.hasOwn(usualSeconds, from) ? (usualSeconds[from] ?? null) : null
}

/** Seconds from the first transaction of the hop on after which it is late. Null if that is not known. */
function lateAfterSeconds(shape: GuidanceShape): number | null {
  const usual = usualSeconds(shape)
  return shape.guidance.lateAfterSeconds ?? (usual === null ? null : 2 * usual)
}

function isLate(shape: GuidanceShape): boolean | null {
  const limit = lateAfterSeconds(shape)
  return limit === null || shape.elapsed === null ? null : shape.elapsed > limit
}

/** Seconds until it is late. Null if it is, if it never will be, or if that is not known. */
export function secondsUntilLate(shape: GuidanceShape): number | null {
  const limit = lateAfterSeconds(shape)
  return limit === null || shape.elapsed === null || shape.elapsed > limit ? null : limit - shape.elapsed + 1
}

function toCode(shape: GuidanceShape): string {
  const { guidance } = shape
  if (guidance === commonGuidance.unseen) return 'NOT_SEEN'
  if (guidance === commonGuidance.untracked) return 'UNTRACKED'
  if (guidance === commonGuidance.abandoned) return 'TRACKING_ENDED'
  if (guidance.funds === 'CLAIMABLE') return 'CLAIMABLE'
  if (guidance.waitingFor === 'USER') return 'ACT'
  if (guidance.funds === 'MOVING' || guidance.funds === 'HELD') return isLate(shape) ? 'LATE' : 'WAIT'
  return guidance.funds
}

/** A moment as sentences write it, to the minute, such as `2026-10-01 12:05 UTC`. */
const writtenTime = (time: number): string => `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`

/** A text with the names of the chains, the moment and the amount. */
async function written(
  text: string,
  { from, to, time, coins = '' }: Pick<GuidanceShape, 'from' | 'to' | 'time' | 'coins'>,
  context: Context,
): Promise<string> {
  const nameOf = async (chainId: string | null, unknown: string) =>
    chainId === null ? unknown : loadDisplayName(context, chainOf(context, chainId))
  const values = {
    from: await nameOf(from, 'the source chain'),
    to: await nameOf(to, 'the destination chain'),
    time: time == null ? 'an unknown time' : writtenTime(time),
    coins,
  }
  const filled = text.replace(/\{(from|to|time|coins)\}/g, (_, name: keyof typeof values) => values[name])
  return filled.charAt(0).toUpperCase() + filled.slice(1)
}

/** What is known of earlier movements, each with a space behind it. */
async function writtenBefore(before: EarlierMovement | undefined, context: Context): Promise<string> {
  if (!before) return ''
  return `${await written(before.text, before, context)} ${await writtenBefore(before.more, context)}`
}

/** The late form of a text, once it is late. */
const timely = (shape: GuidanceShape, part: 'sentence' | 'nextStep'): string =>
  (isLate(shape) ? shape.guidance.late?.[part] : undefined) ?? shape.guidance[part]

const described = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, description]) => [name, { description }]))

const TransferGuidanceCode = builder.enumType('TransferGuidanceCode', {
  description: 'The situation of a transfer, in one word. New values can come.',
  values: described({
    NOT_SEEN: 'The router has not seen the first transaction yet.',
    UNTRACKED: 'The first transaction is on its chain, and the router does not know it.',
    WAIT: 'It is on its way.',
    LATE: 'It takes much longer than usual.',
    ACT: 'The user has to act. See `nextStep`.',
    CLAIMABLE: 'It has to be claimed, now or after a waiting time. See `nextStep`.',
    DELIVERED: 'It has arrived.',
    RETURNING: 'It was not delivered, and is on its way back.',
    RETURNED: 'It was not delivered, and is back with the sender.',
    RELEASED: 'It was not delivered to the last chain. The funds are on `returnsTo`.',
    NOT_SENT: 'The first transaction failed. Nothing was sent.',
    TRACKING_ENDED: 'The router has stopped tracking it. That does not stop the funds.',
    UNKNOWN: 'Nothing is known of this state.',
  }),
})

const TransferWait = builder.enumType('TransferWait', {
  description: 'A person, service or period that a transfer waits for. New values can come.',
  values: described(waitingFor),
})

const TransferFunds = builder.enumType('TransferFunds', {
  description: 'Where the funds of a transfer are. New values can come.',
  values: described(funds),
})

const TransferReturn = builder.enumType('TransferReturn', {
  description: 'How the funds return if they are not delivered.',
  values: described(returns),
})

export const TransferGuidance = builder.objectRef<GuidanceShape>('TransferGuidance').implement({
  description:
    'Advice for the owner of a transfer, from the documentation of its bridge and the times of its transactions.',
  fields: (t) => ({
    code: t.value(TransferGuidanceCode, 'The situation, in one word.', (shape) => toCode(shape)),
    sentence: t.value('String', 'The situation, in an English sentence.', async (shape, _args, context) => {
      const before = await writtenBefore(shape.before, context)
      return `${before}${await written(timely(shape, 'sentence'), shape, context)}`
    }),
    nextStep: t.value('String', 'The next step of its owner, in English.', (shape, _args, context) =>
      written(timely(shape, 'nextStep'), shape, context),
    ),
    waitingFor: t.value(
      TransferWait,
      'The person, service or period that it waits for.',
      ({ guidance }) => guidance.waitingFor,
    ),
    usualSeconds: t.ifKnown(
      'UInt53',
      'Seconds that this usually takes, at most, since the first transaction of the hop.',
      usualSeconds,
    ),
    remainingSeconds: t.ifKnown('UInt53', 'Seconds that are left of the usual time. 0 once it has passed.', (shape) => {
      const usual = usualSeconds(shape)
      return usual === null || shape.elapsed === null ? null : Math.max(0, usual - shape.elapsed)
    }),
    isLate: t.ifKnown('Boolean', 'Whether it takes much longer than usual, as this gateway judges.', isLate),
    funds: t.value(TransferFunds, 'Where the funds are.', ({ guidance }) => guidance.funds),
    returns: t.value(TransferReturn, 'How they return if they are not delivered.', ({ guidance }) => guidance.returns),
    returnsTo: t.ifKnown(
      Chain,
      'The chain that they return to, or were released on. Null if they do not return.',
      ({ guidance, returnsTo }, _args, context) => {
        const isReturn = !['NEVER', 'UNKNOWN'].includes(guidance.returns) && guidance.funds !== 'DELIVERED'
        return isReturn && returnsTo !== null ? chainOf(context, returnsTo) : null
      },
    ),
    url: t.nullable(
      'URL',
      'A page where it can be followed or acted on. Null if there is none.',
      ({ guidance, hash }) =>
        guidance.url === undefined || hash === null ? null : guidance.url.replace('{hash}', hash),
    ),
    supportUrl: t.nullable('URL', 'Where to ask for help. Null if unknown.', ({ guidance }) => guidance.supportUrl),
    source: t.value(
      'String',
      'Where these facts come from, and the month of the oldest source, if it has a date.',
      ({ guidance }) => (guidance.asOf ? `${guidance.source}, ${guidance.asOf}` : guidance.source),
    ),
  }),
})
