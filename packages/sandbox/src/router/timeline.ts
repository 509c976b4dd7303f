import { itemAt, pick } from '../random.ts'
import { bridgeOf, type Edge, isWithdrawal, quote } from './edges.ts'
import type { Network } from './network.ts'
import type { Scenario } from './scenarios.ts'

/** A hop of a tracked transfer. Times are in milliseconds after tracking began. */
export interface TimelineHop {
  readonly edge: Edge
  readonly startsAt: number
  readonly endsAt: number
}

/** The course of a transfer, which its hash determines. Times are in milliseconds after tracking began. */
export interface Timeline {
  readonly hops: readonly TimelineHop[]
  /** The amount sent, then the amount after each hop, in base units. */
  readonly amounts: readonly bigint[]
  /** When the router first sees the source transaction. */
  readonly seenAt: number
  readonly endsAt: number
  readonly failure?: {
    readonly hop: number
    /** When the failure is known, and when the funds are released. */
    readonly knownAt: number
    readonly releasedAt: number
  }
}

/** Milliseconds until the router sees the source transaction. */
const detectionDelay = 2_000
/** Milliseconds for each hop, by the number of hops. A transfer takes 8 to 11 s in all. */
const hopDurations = [6_000, 4_000, 3_000]

/** The timeline of a transfer from a chain. `transferIndex` counts the transfers of one transaction from 0. */
export function createTimeline(
  network: Network,
  chainId: string,
  hash: string,
  scenario: Scenario,
  transferIndex: number,
): Timeline {
  const edges = choosePath(network, chainId, hash, scenario, transferIndex)
  const slow = scenario.name === 'slow'
  const seenAt = slow ? 30_000 : detectionDelay
  const hopMs = (slow ? 20_000 : itemAt(hopDurations, Math.max(edges.length, 1) - 1)) + transferIndex * 3_000
  const hops = edges.map((edge, index) => ({
    edge,
    startsAt: seenAt + index * hopMs,
    endsAt: seenAt + (index + 1) * hopMs,
  }))
  const decimals = edges[0]?.from.decimals ?? 0
  const amounts = [BigInt(10 + pick(90, 'amount', hash, transferIndex)) * 10n ** BigInt(decimals)]
  for (const edge of edges) amounts.push(quote(edge, amounts.at(-1) ?? 0n))
  const endsAt = hops.at(-1)?.endsAt ?? seenAt + hopMs
  const failing = failingHopIndex(scenario)
  const failed = failing === undefined ? undefined : hops[failing]
  if (failing === undefined || failed === undefined) return { hops, amounts, seenAt, endsAt }
  const releasedAt = failed.endsAt
  const knownAt = bridgeOf(failed.edge)?.failsAt === 'HALF_WAY' ? (failed.startsAt + failed.endsAt) / 2 : releasedAt
  return { hops, amounts, seenAt, endsAt, failure: { hop: failing, knownAt, releasedAt } }
}

function failingHopIndex({ name }: Scenario): number | undefined {
  if (name === 'refunded' || name === 'bareFailed') return 0
  return name === 'stranded' ? 1 : undefined
}

/**
 * The path that the hash picks among those that suit the scenario best: with the required number of
 * hops, over several bridges rather than one, and with a hop that can fail, preferably half-way, if
 * the scenario needs one.
 */
function choosePath(
  network: Network,
  chainId: string,
  hash: string,
  scenario: Scenario,
  transferIndex: number,
): readonly Edge[] {
  const special = scenario.name === 'lateAcknowledgement' ? 0 : failingHopIndex(scenario)
  const suits = (path: readonly Edge[]): number => {
    const edge = special === undefined ? undefined : path[special]
    const failsAt = edge && bridgeOf(edge)?.failsAt
    const fails = failsAt === undefined ? 0 : failsAt === 'HALF_WAY' ? 2 : 1
    return fails * 2 + (new Set(path.map(bridgeOf)).size > 1 ? 1 : 0)
  }
  for (let length = scenario.hops; length > 0; length--) {
    const paths = pathsFrom(network, chainId, length)
    const best = Math.max(...paths.map(suits))
    const pool = paths.filter((path) => suits(path) === best)
    if (pool.length > 0) return itemAt(pool, pick(pool.length, 'way', hash) + transferIndex)
  }
  return []
}

/** All paths of a length that visit no chain twice. Withdrawals, which take 7 days, are left out. */
function pathsFrom(network: Network, chainId: string, length: number): readonly (readonly Edge[])[] {
  const bridges = network.edges.filter((edge) => bridgeOf(edge) !== undefined && !edge.to.hidden && !isWithdrawal(edge))
  let paths: readonly (readonly Edge[])[] = bridges
    .filter((edge) => edge.from.chainId === chainId && !edge.from.hidden)
    .map((edge) => [edge])
  for (let hop = 1; hop < length; hop++) {
    paths = paths.flatMap((path) =>
      bridges
        .filter((edge) => edge.from === path.at(-1)?.to)
        .filter((edge) => path.every((earlier) => earlier.from.chainId !== edge.to.chainId))
        .map((edge) => [...path, edge]),
    )
  }
  return paths
}
