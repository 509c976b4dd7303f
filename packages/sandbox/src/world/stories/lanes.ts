import type { SandboxChain } from '../../chains.ts'
import { clientStories } from './clientStories.ts'
import { type Course, laneNameOf } from './course.ts'
import { forwardStories } from './forwards.ts'
import { createLane, type Lane } from './lane.ts'
import { migratedStories } from './migratedStories.ts'
import { later } from './moments.ts'
import { createPairs, type StoryChain, storiesBegin } from './network.ts'
import { opInitStories } from './opInitStories.ts'
import { outputCourses } from './outputs.ts'
import { packetStories } from './packetStories.ts'
import { isRecent } from './passage.ts'
import { depositsOfHub, packetsToHub } from './traffic.ts'

/** Milliseconds from a story of one pair to the same story of the next pair. */
const betweenPairsMs = 30_000

/** All movements between the chains of a network that a chain has a part of. */
export function createCourses(own: StoryChain, network: readonly SandboxChain[]): readonly Course[] {
  const begin = storiesBegin(network)
  const isOwn = (side: StoryChain) => side.chain.chainId === own.chain.chainId
  const pairs = createPairs(own, network)
  return pairs.flatMap((pair, index): readonly Course[] => {
    const start = begin + index * betweenPairsMs
    const next = pairs[(index + 1) % pairs.length]
    const isWithin = isOwn(pair.hub) || isOwn(pair.rollup)
    return [
      ...(isWithin
        ? [
            packetsToHub(pair, begin),
            depositsOfHub(pair, begin),
            ...outputCourses(pair, begin),
            ...packetStories(pair, start),
            ...opInitStories(pair, start, begin),
            ...migratedStories(pair, start),
            ...(isRecent(pair.rollup) ? clientStories(pair, start) : []),
          ]
        : []),
      ...(next && next !== pair && (isWithin || isOwn(next.rollup)) ? forwardStories(pair, next, start) : []),
    ]
  })
}

/** The lanes of a chain: its part of these movements. */
export const createLanes = (own: StoryChain, courses: readonly Course[]): readonly Lane[] =>
  courses.flatMap((course) =>
    course.legs
      .filter(({ on }) => on.chain.chainId === own.chain.chainId)
      .map((leg) =>
        createLane(own.chain, later(course.moments, leg.after), {
          name: laneNameOf(course, leg),
          transactionOf: leg.transactionOf,
        }),
      ),
  )
