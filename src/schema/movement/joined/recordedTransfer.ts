import { type BridgeRoute, isOnSource } from '#words/bridges/bridgeSteps'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { ifReadable } from '../../../engine/wire/optional.ts'
import { type FoundStep, isSameRoute, keyOfStep, stepsIn } from '../../indexer/transaction/bridgeSteps.ts'
import { fetchTransaction } from '../../indexer/transaction/wire.ts'
import { bridgeOfRoute } from '../../router/bridges/bridges.ts'
import { searchShare } from '../recorded/accountSteps.ts'
import type { BridgeTransferStateName } from '../recorded/bridgeTransferState.ts'
import { type ClaimShape, findOutput } from '../recorded/claim.ts'
import type { NamedTransaction } from '../recorded/findStep.ts'
import { TransferSteps, unlessFaulty } from '../recorded/transferSteps.ts'
import { transactionOf } from '../reported/provable.ts'
import { bridgeByHopKey, type HopBody } from '../reported/readHop.ts'
import { transferRef } from '../reported/transferRef.ts'
import { hashKey } from '../reported/txHash.ts'
import type { BridgeTransferShape, LegShape } from './bridgeTransferShape.ts'
import { loadTracked, type TransferShape } from './loadTransfer.ts'
import { stateOfHop } from './reportedTransfer.ts'

/** The most movements of the same coins that are followed, one behind the other: records can be forged to go in a circle. */
const maxOnward = 8

/** What is known of a bridge transfer besides one of its steps. */
interface KnownBefore {
  /** Transactions of it, by the router. */
  readonly named?: readonly NamedTransaction[]
  /** How many movements of the same coins lead to it. */
  readonly before?: number
  /** The hop that it is, by the router. */
  readonly hop?: HopBody
}

/** The bridge transfer that a step of an indexed transaction is of. */
export function recordedTransfer(
  context: Context,
  chain: ServedChain,
  own: FoundStep,
  { named, before = 0, hop }: KnownBefore = {},
): BridgeTransferShape {
  const steps = new TransferSteps(context, chain, own, named)
  const transfer = once(() => loadTransfer(context, steps))
  const proven = once(() => findProven(steps))
  return {
    bridge: bridgeOfRoute(own.route)?.id ?? 'UNKNOWN',
    route: withBridgeId(own.route, chain),
    timeout: own.timeout,
    departure: () => toLeg(steps, 'sender', () => steps.sent(), sourceOf),
    arrival: () => toLeg(steps, 'receiver', () => steps.received(), destinationOf),
    caller: async () => (await unlessFaulty(steps.sent()))?.caller ?? null,
    async refund() {
      const ended = await steps.ended()
      const isBack = ended && ended.kind !== 'CONFIRMED' && ended.kind !== 'SENT_AGAIN'
      return isBack ? toLeg(steps, 'sender', async () => ended, sourceOf) : null
    },
    state: once(async () => (await proven()) ?? unprovenState(context, steps, hop, transfer)),
    proven,
    async isSearchComplete() {
      await Promise.all([proven(), steps.sent(), steps.received()].map(unlessFaulty<unknown>))
      return !steps.isCut
    },
    async canReadMore() {
      await Promise.all([proven(), steps.sent()].map(unlessFaulty<unknown>))
      return steps.canReadMore
    },
    isKept: () => isKept(steps),
    onward: once(async () => (before < maxOnward ? findOnward(context, steps, before + 1) : null)),
    async isConfirmed() {
      const ended = await unlessFaulty(steps.ended())
      return ended === undefined ? null : ended?.kind === 'CONFIRMED'
    },
    async isReturnedFurther() {
      const ended = await unlessFaulty(steps.ended())
      return ended ? ended.returnsTo !== null : false
    },
    async reason() {
      if (own.reason !== null) return own.reason
      const received = await unlessFaulty(steps.received())
      if (received?.reason) return received.reason
      return received?.kind === 'RECEIVED' ? null : ((await unlessFaulty(steps.ended()))?.reason ?? null)
    },
    claim: once(() => findClaim(context, steps)),
    transfer,
  }
}

/** The route with the id of the bridge, which a rollup's own events do not have. */
const withBridgeId = (route: BridgeRoute, { opInitBridgeId }: ServedChain): BridgeRoute =>
  'bridgeId' in route ? { ...route, bridgeId: route.bridgeId ?? opInitBridgeId ?? null } : route

/** Runs a load once, for all who ask. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}

const counterpartyId = async (steps: TransferSteps): Promise<string | null> => (await steps.counterparty()).chainId

const sourceOf = async (steps: TransferSteps): Promise<string | null> =>
  isOnSource(steps.own) ? steps.own.chainId : counterpartyId(steps)

const destinationOf = async (steps: TransferSteps): Promise<string | null> =>
  isOnSource(steps.own) ? counterpartyId(steps) : steps.own.chainId

/** One end of a transfer. Its chain is known by what leads there, or else by the transaction there. */
async function toLeg(
  steps: TransferSteps,
  party: 'sender' | 'receiver',
  place: () => Promise<FoundStep | null>,
  chainOfEnd: (steps: TransferSteps) => Promise<string | null>,
): Promise<LegShape> {
  const { own } = steps
  const found = await unlessFaulty(place())
  return {
    chainId: (await chainOfEnd(steps)) ?? found?.chainId ?? null,
    // An account of the middleware, which nobody owns.
    address: found?.kind === 'PASSED_ON' ? null : own[party],
    denom: found?.gain?.denom ?? found?.exchangedDenom ?? (party === 'sender' ? own.sourceDenom : own.destinationDenom),
    amount: found && isPaidOut(found) ? (found.gain?.amount ?? null) : own.amount,
    place,
  }
}

/** Whether a step gave coins to an account. What only passes a chain, or has not arrived, has the amount that was sent. */
const isPaidOut = ({ kind, returnsTo }: FoundStep): boolean =>
  kind === 'RECEIVED' || ((kind === 'RETURNED' || kind === 'TIMED_OUT') && returnsTo === null)

/** The movement with which the coins went on, by the transaction that passed them on or sent them again. */
async function findOnward(context: Context, steps: TransferSteps, before: number): Promise<BridgeTransferShape | null> {
  const [received, ended] = [await unlessFaulty(steps.received()), await unlessFaulty(steps.ended())]
  const from = [received, ended].find((step) => step?.onward)
  const chain = context.network.chains.get(from?.chainId ?? '')
  if (!from?.onward || !chain) return null
  const record = await fetchTransaction(context, chain, from.hash)
  const all = record ? await stepsIn(context, chain, record) : []
  const { onward } = from
  const sent = all.find(({ kind, route }) => kind === 'SENT' && isSameRoute(route, onward))
  return sent ? recordedTransfer(context, chain, sent, { before }) : null
}

/** What the step on the destination chain proves, or else what the source chain learnt. Null if no step shows an end. */
async function findProven(steps: TransferSteps): Promise<BridgeTransferStateName | null> {
  const own = outcomeOf(steps.own)
  if (own) return own
  const received = await unlessFaulty(steps.received())
  const arrived = received && outcomeOf(received)
  if (arrived) return arrived
  const ended = await unlessFaulty(steps.ended())
  // A claim on the hub is what brings a refused deposit back.
  if (ended?.kind === 'RECEIVED') return 'REFUNDED'
  const end = ended && outcomeOf(ended)
  if (end) return end
  if (received) return received.kind === 'REFUSED' ? 'REFUSED' : 'PASSED_ON'
  return null
}

/** The state of a transfer whose end no step shows. Unknown if it was taken, since it may have been passed on. */
async function unprovenState(
  context: Context,
  steps: TransferSteps,
  hop: HopBody | undefined,
  transfer: () => Promise<TransferShape | null>,
): Promise<BridgeTransferStateName> {
  if (await unlessFaulty(steps.ended())) return 'UNKNOWN'
  return hop ? stateOfHop(hop) : routerState(context, steps, transfer)
}

/** Whether the receiver has the coins, and neither end asks for more to be done with them. */
async function isKept(steps: TransferSteps): Promise<boolean> {
  const received = await unlessFaulty(steps.received())
  return received?.isKept === true && !steps.own.hasNextHop
}

/** What the router last said of transfers whose records do not show the end. A page of an account asks for many at once. */
const routerStates = { name: 'router states of bridge transfers', maxEntries: 10_000, ttlMs: 15_000 }

async function routerState(
  context: Context,
  { own }: TransferSteps,
  transfer: () => Promise<TransferShape | null>,
): Promise<BridgeTransferStateName> {
  const states = context.scope.cache.values<BridgeTransferStateName>(routerStates)
  const key = keyOfStep(own)
  const before = states.get(key)
  if (before) return before
  if (!context.scope.budget.hasRoom(searchShare)) return 'UNKNOWN'
  const hop = hopOf(await unlessFaulty(transfer()), own)
  const state = hop ? stateOfHop(hop) : 'UNKNOWN'
  states.set(key, state)
  return state
}

/** What a step alone proves of the whole. Null if more is to come, or to be read: a packet that was taken can have been passed on. */
function outcomeOf({ kind, isForward }: FoundStep): BridgeTransferStateName | null {
  switch (kind) {
    case 'RECEIVED':
      return 'ARRIVED'
    case 'CONFIRMED':
      return isForward ? null : 'ARRIVED'
    case 'RETURNED':
      return 'REFUNDED'
    case 'TIMED_OUT':
    case 'SENT_AGAIN':
      return kind
    case 'SENT':
    case 'PASSED_ON':
    case 'REFUSED':
      return null
    default:
      return kind satisfies never
  }
}

/** What the withdrawal waits for that a transfer is, or that brings it back. */
async function findClaim(context: Context, steps: TransferSteps): Promise<ClaimShape | null> {
  const { chains } = context.network
  const { route } = steps.own
  const claims = bridgeOfRoute(route)?.recorded?.claims
  if (!claims || !('bridgeId' in route)) return null
  const isWithdrawal = route.direction === 'WITHDRAWAL'
  const start = isWithdrawal ? await steps.sent() : await steps.received()
  if (!start || (!isWithdrawal && start.kind !== 'REFUSED')) return null
  const claim = await unlessFaulty(isWithdrawal ? steps.arrived() : steps.ended())
  const rollup = chains.get(start.chainId)
  const bridgeId = route.bridgeId ?? rollup?.opInitBridgeId
  const hub = chains.get((await (isWithdrawal ? destinationOf(steps) : sourceOf(steps))) ?? '')
  const output = hub && bridgeId ? await findOutput(context, hub, claims, { ...start, bridgeId }) : null
  const isClaimed = claim === undefined ? null : claim !== null
  return { output, finalizationSeconds: rollup?.opInitFinalizationSeconds ?? null, isClaimed }
}

/** The router's transfer that began with the transaction that sent it. */
async function loadTransfer(context: Context, steps: TransferSteps): Promise<TransferShape | null> {
  if (!context.network.router) return null
  const sent = await unlessFaulty(steps.sent())
  return sent ? loadTracked(context, transferRef(sent.chainId, sent.hash)) : null
}

/** The only hop of the router's transfer that its first transaction sent over this bridge. */
function hopOf(transfer: TransferShape | null | undefined, { hash, route }: FoundStep): HopBody | undefined {
  const hops = transfer?.status.legs.flatMap((leg) => leg.hops) ?? []
  const claims = bridgeOfRoute(route)?.recorded?.claims
  const [hop, ...others] = hops.filter((each) => {
    const sent = ifReadable(transactionOf(each, 'SEND')?.tx_hash ?? null)
    // A router can say of a packet which bridge it is part of, such as Axelar.
    const isOfKind = bridgeByHopKey.get(each.kind)?.recorded?.claims === claims
    return sent !== null && hashKey(sent) === hashKey(hash) && isOfKind
  })
  return others.length === 0 ? hop : undefined
}
