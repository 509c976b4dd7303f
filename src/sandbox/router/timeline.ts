import { itemAt, pick } from '../random.ts'
import { type Edge, quote } from './edges.ts'
import type { Network } from './network.ts'
import type { Scenario } from './scenarios.ts'

/** One hop of a tracked transfer and when it happens, in milliseconds after tracking began. */
export interface TimelineHop {
  readonly edge: Edge
  readonly startsAt: number
  readonly endsAt: number
}

/** The whole course of one transfer, fixed by its hash before it begins. */
export interface Timeline {
  readonly hops: readonly TimelineHop[]
  /** Base units that set out and that arrive after each hop. */
  readonly amounts: readonly bigint[]
  /** Until then nobody has seen the source transaction. */
  readonly seenAt: number
  readonly endsAt: number
  readonly failure?: {
    readonly hop: number
    /** When it is known, and when the funds are free again. */
    readonly knownAt: number
    readonly releasedAt: number
  }
}

/** Milliseconds until the first sight of the source transaction. */
const detectionDelay = 2_000
/** Milliseconds per hop, so that transfers of one, two and three hops take 8 to 11 s. */
const hopDurations = [6_000, 4_000, 3_000]

/** The course a transfer from that chain takes; `turn` tells the transfers of one transaction apart. */
export function createTimeline(
  network: Network,
  chainId: string,
  hash: string,
  scenario: Scenario,
  turn: number,
): Timeline {
  const edges = choosePath(network, chainId, hash, scenario, turn)
  const slow = scenario.name === 'slow'
  const seenAt = slow ? 30_000 : detectionDelay
  const pace = (slow ? 20_000 : itemAt(hopDurations, Math.max(edges.length, 1) - 1)) + turn * 3_000
  const hops = edges.map((edge, index) => ({
    edge,
    startsAt: seenAt + index * pace,
    endsAt: seenAt + (index + 1) * pace,
  }))
  const decimals = edges[0]?.from.decimals ?? 0
  const amounts = [BigInt(10 + pick(90, 'amount', hash, turn)) * 10n ** BigInt(decimals)]
  for (const edge of edges) amounts.push(quote(edge, amounts.at(-1) ?? 0n))
  const endsAt = hops.at(-1)?.endsAt ?? seenAt + pace
  const failing = failingHopIndex(scenario)
  const failed = failing === undefined ? undefined : hops[failing]
  if (failing === undefined || failed === undefined) return { hops, amounts, seenAt, endsAt }
  const releasedAt = failed.endsAt
  const knownAt = isPacket(failed.edge) ? (failed.startsAt + failed.endsAt) / 2 : releasedAt
  return { hops, amounts, seenAt, endsAt, failure: { hop: failing, knownAt, releasedAt } }
}

function failingHopIndex({ name }: Scenario): number | undefined {
  if (name === 'refunded' || name === 'bareFailed') return 0
  return name === 'stranded' ? 1 : undefined
}

/**
 * The way the hash picks among those that suit the scenario best: of the asked length, over several
 * bridges rather than one, and with a hop that can fail, at best a packet, where one is to fail.
 */
function choosePath(
  network: Network,
  chainId: string,
  hash: string,
  scenario: Scenario,
  turn: number,
): readonly Edge[] {
  const special = scenario.name === 'lateAcknowledgement' ? 0 : failingHopIndex(scenario)
  const suits = (way: readonly Edge[]): number => {
    const edge = special === undefined ? undefined : way[special]
    const fails = edge === undefined ? 0 : isPacket(edge) ? 2 : canFail(edge) ? 1 : 0
    return fails * 2 + (new Set(way.map(({ bridge }) => bridge)).size > 1 ? 1 : 0)
  }
  for (let length = scenario.hops; length > 0; length--) {
    const ways = pathsFrom(network, chainId, length)
    const best = Math.max(...ways.map(suits))
    const pool = ways.filter((way) => suits(way) === best)
    if (pool.length > 0) return itemAt(pool, pick(pool.length, 'way', hash) + turn)
  }
  return []
}

/** Packets are acknowledged, and come back when they fail. */
function isPacket({ via }: Edge): boolean {
  return via.kind === 'transfer' || via.kind === 'eureka_transfer'
}

/** Bridges whose reports have a word for failure. */
function canFail({ via }: Edge): boolean {
  return ['hyperlane_transfer', 'stargate_transfer', 'layer_zero_transfer'].includes(via.kind)
}

/** All ways of that many bridges that never come back to a chain; 7-day withdrawals are not tracked. */
function pathsFrom(
  network: Network,
  chainId: string,
  length: number,
): readonly (readonly Edge[])[] {
  const bridges = network.edges.filter(
    ({ bridge, via, to }) =>
      bridge !== undefined && !to.hidden && !(via.kind === 'op_init_transfer' && !via.deposit),
  )
  let ways: readonly (readonly Edge[])[] = bridges
    .filter((edge) => edge.from.chainId === chainId && !edge.from.hidden)
    .map((edge) => [edge])
  for (let hop = 1; hop < length; hop++) {
    ways = ways.flatMap((way) =>
      bridges
        .filter((edge) => edge.from === way.at(-1)?.to)
        .filter((edge) => way.every((past) => past.from.chainId !== edge.to.chainId))
        .map((edge) => [...way, edge]),
    )
  }
  return ways
}
