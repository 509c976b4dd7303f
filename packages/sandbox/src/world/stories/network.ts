import type { SandboxChain } from '../../chains.ts'
import { once } from '../../memoize.ts'
import { bridgeIdOf, createFixtures, type Fixtures, hubChannelOf } from '../fixtures.ts'
import { lastSequence } from '../schedule.ts'
import { numberedKinds } from '../shape.ts'
import { createWorkload, type Workload } from '../workload.ts'

/** What a chain is made of, for the stories that it shares with others. */
export interface StoryChain {
  readonly chain: SandboxChain
  readonly fixtures: Fixtures
  readonly workload: Workload
}

/** The hub and a rollup, between which stories go. */
export interface HubAndRollup {
  readonly hub: StoryChain
  readonly rollup: StoryChain
  readonly bridgeId: number
}

/** Milliseconds from the youngest genesis until relayers and executors begin to work. */
const idleMs = 2 * 3_600_000

/** When the stories of a network begin: two hours after its youngest chain. Packets sent before are never received. */
export const storiesBegin = (network: readonly SandboxChain[]): number =>
  Math.max(...network.map(({ genesis }) => genesis)) + idleMs

/** The hub with each of the rollups of a network. None without a hub. */
export function createPairs(own: StoryChain, network: readonly SandboxChain[]): readonly HubAndRollup[] {
  const sides = network.map((chain) => (chain.chainId === own.chain.chainId ? own : sideOf(chain, own.fixtures.seed)))
  const hub = sides.find(({ chain }) => chain.isHub)
  if (!hub) return []
  return sides.filter((side) => side !== hub).map((rollup) => ({ hub, rollup, bridgeId: bridgeIdOf(rollup.chain) }))
}

/** The chains of a network. A rollup without a number of its bridge gets its place among the rollups, from 1. */
export function withBridgeIds(network: readonly SandboxChain[]): readonly SandboxChain[] {
  const rollups = network.filter(({ isHub }) => !isHub)
  return network.map((chain) =>
    chain.isHub || chain.bridgeId !== undefined ? chain : { ...chain, bridgeId: rollups.indexOf(chain) + 1 },
  )
}

/** The sides of the latest seed: each chain of a network needs those of the others. */
const sides = new WeakMap<SandboxChain, { readonly seed: string; readonly side: StoryChain }>()

/** What a chain is made of with a seed. It is made when it is first asked for. */
export function sideOf(chain: SandboxChain, seed: string): StoryChain {
  const known = sides.get(chain)
  if (known?.seed === seed) return known.side
  const side = createSide(chain, seed)
  sides.set(chain, { seed, side })
  return side
}

function createSide(chain: SandboxChain, seed: string): StoryChain {
  const fixtures = once(() => createFixtures(chain, seed))
  const workload = once(() => createWorkload(fixtures()))
  return {
    chain,
    get fixtures() {
      return fixtures()
    },
    get workload() {
      return workload()
    },
  }
}

/**
 * The number of a packet, deposit or withdrawal that a story begins on a chain at a height. Those of the traffic have the
 * number of their transaction, so it is the newest number of the traffic that is of another kind.
 */
export function numberAt({ workload }: StoryChain, height: number): string {
  let number = lastSequence(height)
  while (number > 1 && numberedKinds.has(workload.shapeAt(number).kind)) number -= 1
  return String(number)
}

/** The channel of a chain that leads to another one. */
export function channelTo(from: SandboxChain, to: SandboxChain): string {
  return from.isHub ? hubChannelOf(to) : 'channel-0'
}

/** The light client of a chain that follows another one, for IBC v2. */
export function clientTo(from: SandboxChain, to: SandboxChain): string {
  return `07-tendermint-${from.isHub ? 29 + bridgeIdOf(to) : 7}`
}
