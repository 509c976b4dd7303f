import { type BridgeWay, isOnSource } from '#words/bridges'
import type { Context } from '../../engine/graphql/builder.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { ifReadable } from '../../engine/wire/optional.ts'
import { bridgeOf, type FoundStep, isSameWay, keyOfStep, stepsIn } from '../indexer/transaction/bridgeSteps.ts'
import { fetchTransaction } from '../indexer/transaction/wire.ts'
import type { HopBody } from '../router/transfer/readHop.ts'
import { loadTracked, type TransferShape } from '../router/transfer/transfer.ts'
import { hashKey } from '../router/transfer/txHash.ts'
import { type ClaimShape, findOutput } from './claim.ts'
import type { NamedTransaction } from './findStep.ts'
import { Movement, unlessFaulty } from './movement.ts'
import { stateOfHop, transactionOf } from './ofHop.ts'
import type { BridgeTransferShape, LegShape } from './shape.ts'
import type { BridgeTransferStateName } from './state.ts'

/** The most movements of the same coins that are followed, one behind the other: records can be forged to go in a circle. */
const maxOnward = 8

/** What is known of a bridge transfer besides one of its steps. */
interface KnownBefore {
  /** Transactions of it, by the router. */
  readonly named?: readonly NamedTransaction[]
  /** How many movements of the same coins lead to it. */
  readonly before?: number
}

/** The bridge transfer that a step of an indexed transaction is of. */
export function ofStep(
  context: Context,
  chain: ServedChain,
  own: FoundStep,
  { named, before = 0 }: KnownBefore = {},
): BridgeTransferShape {
  const movement = new Movement(context, chain, own, named)
  const transfer = once(() => loadTransfer(context, movement))
  return {
    bridge: bridgeOf(own.way),
    way: withBridgeId(own.way, chain),
    timeout: own.timeout,
    departure: () => toLeg(movement, 'sender', () => movement.sent(), sourceOf),
    arrival: () => toLeg(movement, 'receiver', () => movement.received(), destinationOf),
    async refund() {
      const ended = await movement.ended()
      const isBack = ended && ended.kind !== 'CONFIRMED' && ended.kind !== 'SENT_AGAIN'
      return isBack ? toLeg(movement, 'sender', async () => ended, sourceOf) : null
    },
    state: once(() => findState(context, movement, transfer)),
    onward: once(async () => (before < maxOnward ? findOnward(context, movement, before + 1) : null)),
    async isConfirmed() {
      const ended = await unlessFaulty(movement.ended())
      return ended === undefined ? null : ended?.kind === 'CONFIRMED'
    },
    async isReturnedFurther() {
      const ended = await unlessFaulty(movement.ended())
      return ended ? ended.returnsTo !== null : false
    },
    async reason() {
      if (own.reason !== null) return own.reason
      const received = await unlessFaulty(movement.received())
      if (received?.reason) return received.reason
      return received?.kind === 'RECEIVED' ? null : ((await unlessFaulty(movement.ended()))?.reason ?? null)
    },
    claim: once(() => findClaim(context, movement)),
    transfer,
  }
}

/** The way with the id of the bridge, which a rollup's own events do not have. */
const withBridgeId = (way: BridgeWay, { opInitBridgeId }: ServedChain): BridgeWay =>
  way.bridge === 'OPINIT' ? { ...way, bridgeId: way.bridgeId ?? opInitBridgeId ?? null } : way

/** Runs a load once, for all who ask. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () => {
    loading ??= load()
    return loading
  }
}

const peerId = async (movement: Movement): Promise<string | null> => (await movement.peer()).chainId

const sourceOf = async (movement: Movement): Promise<string | null> =>
  isOnSource(movement.own) ? movement.own.chainId : peerId(movement)

const destinationOf = async (movement: Movement): Promise<string | null> =>
  isOnSource(movement.own) ? peerId(movement) : movement.own.chainId

/** One end of a movement. Its chain is known by what leads there, or else by the transaction there. */
async function toLeg(
  movement: Movement,
  party: 'sender' | 'receiver',
  place: () => Promise<FoundStep | null>,
  chainOfEnd: (movement: Movement) => Promise<string | null>,
): Promise<LegShape> {
  const { own } = movement
  const found = await unlessFaulty(place())
  return {
    chainId: (await chainOfEnd(movement)) ?? found?.chainId ?? null,
    // An account of the middleware, which nobody owns.
    address: found?.kind === 'PASSED_ON' ? null : own[party],
    denom: found?.exchangedDenom ?? (party === 'sender' ? own.sourceDenom : own.destinationDenom),
    amount: own.amount,
    place,
  }
}

/** The movement with which the coins went on, by the transaction that passed them on or sent them again. */
async function findOnward(context: Context, movement: Movement, before: number): Promise<BridgeTransferShape | null> {
  const [received, ended] = [await unlessFaulty(movement.received()), await unlessFaulty(movement.ended())]
  const from = [received, ended].find((step) => step?.onward)
  const chain = context.network.chains.get(from?.chainId ?? '')
  if (!from?.onward || !chain) return null
  const record = await fetchTransaction(context, chain, from.hash)
  const steps = record ? await stepsIn(context, chain, record) : []
  const { onward } = from
  const sent = steps.find(({ kind, way }) => kind === 'SENT' && isSameWay(way, onward))
  return sent ? ofStep(context, chain, sent, { before }) : null
}

/** What became of it: by the step on the destination chain, then by what the source chain learnt, then by the router. */
async function findState(
  context: Context,
  movement: Movement,
  transfer: () => Promise<TransferShape | null>,
): Promise<BridgeTransferStateName> {
  const own = outcomeOf(movement.own)
  if (own) return own
  const received = await unlessFaulty(movement.received())
  const arrived = received && outcomeOf(received)
  if (arrived) return arrived
  const ended = await unlessFaulty(movement.ended())
  // A claim on the hub is what brings a refused deposit back.
  if (ended?.kind === 'RECEIVED') return 'REFUNDED'
  const end = ended && outcomeOf(ended)
  if (end) return end
  if (received?.kind === 'REFUSED') return 'REFUSED'
  if (received) return 'PASSED_ON'
  // It was taken, and may have been passed on.
  return ended ? 'UNKNOWN' : routerState(context, movement, transfer)
}

/** What the router last said of transfers whose records do not show the end. A page of an account asks for many at once. */
const routerStates = { name: 'router states of bridge transfers', maxEntries: 10_000, ttlMs: 15_000 }

async function routerState(
  context: Context,
  { own }: Movement,
  transfer: () => Promise<TransferShape | null>,
): Promise<BridgeTransferStateName> {
  const states = context.scope.cache.values<BridgeTransferStateName>(routerStates)
  const key = keyOfStep(own)
  const before = states.get(key)
  if (before) return before
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

/** What the withdrawal waits for that a movement is, or that brings it back. */
async function findClaim(context: Context, movement: Movement): Promise<ClaimShape | null> {
  const { chains } = context.network
  const { way } = movement.own
  if (way.bridge !== 'OPINIT') return null
  const isWithdrawal = way.direction === 'WITHDRAWAL'
  const start = isWithdrawal ? await movement.sent() : await movement.received()
  if (!start || (!isWithdrawal && start.kind !== 'REFUSED')) return null
  const claim = await unlessFaulty(isWithdrawal ? movement.arrived() : movement.ended())
  const rollup = chains.get(start.chainId)
  const bridgeId = way.bridgeId ?? rollup?.opInitBridgeId
  const hub = chains.get((await (isWithdrawal ? destinationOf(movement) : sourceOf(movement))) ?? '')
  const output = hub && bridgeId ? await findOutput(context, hub, { ...start, bridgeId }) : null
  const isClaimed = claim === undefined ? null : claim !== null
  return { output, finalizationSeconds: rollup?.opInitFinalizationSeconds ?? null, isClaimed }
}

/** The router's transfer that began with the transaction that sent it. */
async function loadTransfer(context: Context, movement: Movement): Promise<TransferShape | null> {
  if (!context.network.router) return null
  const sent = await unlessFaulty(movement.sent())
  return sent ? loadTracked(context, { chainId: sent.chainId, txHash: sent.hash }) : null
}

/** The only hop of the router's transfer that its first transaction sent over this bridge. */
function hopOf(transfer: TransferShape | null | undefined, { hash, way }: FoundStep): HopBody | undefined {
  const hops = transfer?.status.legs.flatMap((leg) => leg.hops) ?? []
  const [hop, ...others] = hops.filter((each) => {
    const sent = ifReadable(transactionOf(each, 'SEND')?.tx_hash ?? null)
    const isOpInit = each.kind === 'op_init_transfer'
    return sent !== null && hashKey(sent) === hashKey(hash) && isOpInit === (way.bridge === 'OPINIT')
  })
  return others.length === 0 ? hop : undefined
}
