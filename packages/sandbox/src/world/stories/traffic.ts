import { transferPacket } from '../ibc.ts'
import type { Course } from './course.ts'
import { momentsOfTraffic } from './moments.ts'
import type { Pair } from './network.ts'
import { endingLegs } from './packetStories.ts'
import type { Passage } from './passage.ts'

// The traffic sends packets. Here is what becomes of them.

/** The arrivals of the packets that the traffic of a rollup sends to the hub. */
export function packetsToHub({ hub, rollup }: Pair, since: number): Course {
  const moments = momentsOfTraffic(rollup, since, ({ kind, failed }) => kind === 'ibcTransfer' && !failed)
  const passageOf = (number: number): Passage => {
    const sequence = moments.sequenceOf(number)
    const packet = transferPacket(rollup.fixtures, rollup.workload.shapeAt(sequence), sequence)
    return { from: rollup.fixtures, to: hub.fixtures, packet }
  }
  return {
    name: `packets of ${rollup.chain.chainId}`,
    moments,
    legs: endingLegs(rollup, hub, passageOf, 'kept'),
  }
}
