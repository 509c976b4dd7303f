import type { HopSnapshot } from './bridges/bridge.ts'
import type { ChainTransactions } from './chainTransactions.ts'
import { bridgeOf } from './edges.ts'
import { ferryBody, hopBody } from './hops.ts'
import type { JsonObject } from './jsonObject.ts'
import type { Network } from './network.ts'
import { type Scenario, scenarioOf } from './scenarios.ts'
import { stuckBody, stuckOf } from './stuck.ts'
import { createTimeline, type Timeline, type TimelineHop } from './timeline.ts'

/** A transaction that the router tracks. */
export interface TrackedTransfer {
  readonly chainId: string
  /** Lower-case hex without 0x. */
  readonly hash: string
  /** When tracking began, in milliseconds since 1970. */
  readonly trackedAt: number
  /** When an abandoned transfer was tracked again. */
  readonly revivedAt?: number
  /** When its status was last asked for. */
  readonly askedAt?: number
}

/** Milliseconds between a success and its acknowledgement in the scenario `lateAcknowledgement`. */
const acknowledgementDelay = 5_000

/** When the router abandons a transfer, in milliseconds after tracking began. */
export const abandonedAfterMs = 5_000

/** The reply to GET /v2/tx/status for a hash that no sandbox chain has. A pure function of the tracked hash and the time. */
export function statusReply(
  network: Network,
  transactions: ChainTransactions,
  tracked: TrackedTransfer,
  now: number,
): JsonObject {
  const stuck = stuckOf(tracked.hash)
  if (stuck) {
    const transfer = stuckBody(network, transactions, tracked, stuck)
    return statusBody([transfer])
  }
  const scenario = scenarioOf(tracked.hash)
  const { chainId, hash } = tracked
  const count = lastTransfer(scenario) + 1
  const transfers = Array.from({ length: count }, (_, transferIndex) => {
    const timeline = createTimeline(network, chainId, hash, scenario, transferIndex)
    return transferBody(transactions, tracked, scenario, timeline, elapsed(scenario, tracked, now))
  })
  const body = statusBody(transfers)
  if (scenario.name !== 'bareCompleted' && scenario.name !== 'bareFailed') return body
  const { state, transfers: _, ...stateless } = body
  return state === 'STATE_COMPLETED_ERROR' ? { ...stateless, status: 'STATE_FAILED' } : stateless
}

/** The reply to GET /v2/tx/status for these transfers, at least one. It repeats the first one, as older clients read it. */
export function statusBody(transfers: readonly JsonObject[]): JsonObject {
  const overall = transfers.find(({ state }) => !isOver(state)) ?? transfers[0]
  return { transfers, ...transfers[0], state: overall?.state, status: legacyStatus(`${overall?.state}`) }
}

/** Whether nothing of a transaction changes any more. */
export function hasEnded(network: Network, tracked: TrackedTransfer, now: number): boolean {
  if (stuckOf(tracked.hash)) return false
  const scenario = scenarioOf(tracked.hash)
  const timeline = createTimeline(network, tracked.chainId, tracked.hash, scenario, lastTransfer(scenario))
  const { endsAt, failure } = timeline
  const acknowledgedAt = scenario.name === 'lateAcknowledgement' ? acknowledgementDelay : 0
  return elapsed(scenario, tracked, now) >= (failure?.releasedAt ?? endsAt) + acknowledgedAt
}

/** The index of the last of the transfers that a transaction starts. It is the slowest. */
const lastTransfer = ({ name }: Scenario): number => (name === 'twoTransfers' ? 1 : 0)

/** The age of the transfer in milliseconds. It does not advance while abandoned, and may go back. */
function elapsed(scenario: Scenario, { trackedAt, revivedAt }: TrackedTransfer, now: number): number {
  const passed = now - trackedAt
  if (scenario.name === 'abandoned') {
    if (revivedAt !== undefined) return abandonedAfterMs + now - revivedAt
    return Math.min(passed, abandonedAfterMs)
  }
  if (scenario.name === 'backwards' && passed >= 5_000 && passed < 7_000) return 0
  return passed
}

function transferBody(
  transactions: ChainTransactions,
  tracked: TrackedTransfer,
  scenario: Scenario,
  timeline: Timeline,
  at: number,
): JsonObject {
  const { hops, amounts, seenAt, failure } = timeline
  const state = stateAt(scenario, tracked, timeline, at)
  const failing = failure !== undefined && at >= failure.knownAt
  const active = failing ? failure.hop : hops.findIndex((hop) => at < hop.endsAt)
  const waiting = state !== 'STATE_SUBMITTED' && state !== 'STATE_COMPLETED_SUCCESS' && active >= 0
  const shown = at < seenAt ? [] : hops
  return {
    state,
    transfer_sequence: shown.map((hop, index) => {
      const moment = momentOf(transactions, tracked, scenario, timeline, index, at)
      return scenario.name === 'unknownBridge' && hop === hops[0]
        ? ferryBody(hop.edge, moment)
        : hopBody(hop.edge, moment)
    }),
    next_blocking_transfer: waiting ? { transfer_sequence_index: active } : null,
    transfer_asset_release: releaseOf(state, timeline, amounts),
    error: failing ? { type: 'STATUS_ERROR_TRANSFER', message: 'transfer failed on the way' } : null,
  }
}

function stateAt(scenario: Scenario, tracked: TrackedTransfer, timeline: Timeline, at: number): string {
  const { seenAt, endsAt, failure } = timeline
  if (at < seenAt) return 'STATE_SUBMITTED'
  if (failure !== undefined && at >= failure.releasedAt) return 'STATE_COMPLETED_ERROR'
  if (failure !== undefined && at >= failure.knownAt) return 'STATE_PENDING_ERROR'
  if (at >= endsAt) return 'STATE_COMPLETED_SUCCESS'
  const { name } = scenario
  if (name === 'abandoned' && at >= abandonedAfterMs && tracked.revivedAt === undefined) {
    return 'STATE_ABANDONED'
  }
  return name === 'unknownState' && at >= (seenAt + endsAt) / 2 ? 'STATE_AWAITING_TIDE' : 'STATE_PENDING'
}

function momentOf(
  transactions: ChainTransactions,
  { chainId, hash, trackedAt, revivedAt }: TrackedTransfer,
  scenario: Scenario,
  { hops, failure, seenAt, endsAt }: Timeline,
  index: number,
  at: number,
): HopSnapshot {
  const hop = hops[index]
  if (hop === undefined) throw new RangeError(`no hop ${index}`)
  const reached = failure === undefined || index <= failure.hop
  // The clock time of an age. Ages after a revival count from the revival.
  const timeAt = (age: number): number =>
    revivedAt !== undefined && age > abandonedAfterMs ? revivedAt + age - abandonedAfterMs : trackedAt + age
  const { from, to } = hop.edge
  const arrivals = arrivalsOf(transactions, hops, timeAt)
  const sentAt = Math.min(timeAt(seenAt), arrivals[0] ?? Infinity)
  const relay = (at: number, chain: string, time: number, salt: string) =>
    transactions.relay(chain, time, `${hash}/${salt}`, Math.max(sentAt, arrivals[at] ?? 0))
  return {
    progress: reached ? (at - hop.startsAt) / (hop.endsAt - hop.startsAt) : -1,
    fails: failure?.hop === index,
    acknowledged: scenario.name !== 'lateAcknowledgement' || at >= endsAt + acknowledgementDelay,
    sent: () =>
      index === 0
        ? transactions.entry(chainId, hash, sentAt)
        : relay(index - 1, from.chainId, arrivals[index - 1] ?? 0, `${index - 1}`),
    received: () => relay(index, to.chainId, arrivals[index] ?? 0, `${index}`),
    returned: () => relay(index, from.chainId, timeAt(hop.endsAt), `${index}/back`),
  }
}

/**
 * When the hops are received, each no later than the next one, and than its own acknowledgement. The newest relay of a
 * chain can be older than that of the chain before it, so the last hop is chosen first.
 */
function arrivalsOf(
  transactions: ChainTransactions,
  hops: readonly TimelineHop[],
  timeAt: (age: number) => number,
): readonly number[] {
  const arrivals: number[] = []
  for (const hop of hops.toReversed()) {
    const { from, to } = hop.edge
    const returned = transactions.relayTime(from.chainId, timeAt(hop.endsAt))
    const latest = Math.min(timeAt(arrivesAt(hop)), returned, arrivals[0] ?? Infinity)
    arrivals.unshift(transactions.relayTime(to.chainId, latest))
  }
  return arrivals
}

/** When the destination chain has it. */
function arrivesAt({ edge, startsAt, endsAt }: TimelineHop): number {
  return bridgeOf(edge)?.arrivesHalfWay ? (startsAt + endsAt) / 2 : endsAt
}

function releaseOf(state: string, { hops, failure }: Timeline, amounts: readonly bigint[]): JsonObject | null {
  const released = isOver(state)
  if (!released && state !== 'STATE_PENDING_ERROR') return null
  const place = failure?.hop ?? hops.length
  const asset = place === 0 ? hops[0]?.edge.from : hops[place - 1]?.edge.to
  if (asset === undefined) return null
  return {
    chain_id: asset.chainId,
    denom: asset.denom,
    amount: `${amounts[place]}`,
    released,
  }
}

function isOver(state: unknown): boolean {
  return state === 'STATE_COMPLETED_SUCCESS' || state === 'STATE_COMPLETED_ERROR'
}

/** The coarser `status` field for older clients. */
function legacyStatus(state: string): string {
  if (isOver(state)) return 'STATE_COMPLETED'
  return state === 'STATE_PENDING_ERROR' ? 'STATE_PENDING' : state
}
