import type { SandboxChain } from '../../chains.ts'
import { createLane, type Lane } from './lane.ts'
import { later } from './moments.ts'
import { createPairs, type Side, storiesBegin } from './network.ts'
import { packetStories } from './plots.ts'
import { packetsToHub } from './traffic.ts'

/** The lanes of a chain: its part of all movements between the chains of its network. */
export function createLanes(own: Side, network: readonly SandboxChain[]): readonly Lane[] {
  const begin = storiesBegin(network)
  const isOwn = (side: Side) => side.chain.chainId === own.chain.chainId
  const courses = createPairs(own, network).flatMap((pair, index) =>
    // The courses of a pair read the workloads of both of its chains.
    isOwn(pair.hub) || isOwn(pair.rollup)
      ? [packetsToHub(pair, begin), ...packetStories(pair, begin + index * 30_000)]
      : [],
  )
  return courses.flatMap(({ name, moments, legs }) =>
    legs
      .filter(({ on }) => isOwn(on))
      .map((leg) =>
        createLane(own.chain, later(moments, leg.after), {
          name: `${name}, ${leg.name}`,
          transactionOf: leg.transactionOf,
        }),
      ),
  )
}
