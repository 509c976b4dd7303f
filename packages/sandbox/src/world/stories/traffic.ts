import { transferPacket } from '../ibc.ts'
import type { Course } from './course.ts'
import { momentsOfTraffic } from './moments.ts'
import type { Pair, Side } from './network.ts'
import { accepted, acknowledgement, arrival, relayed } from './packets.ts'
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
    legs: packetLegs(rollup, hub, passageOf),
  }
}

/** The transactions that follow a packet that succeeds. */
const packetLegs = (from: Side, to: Side, passageOf: (number: number) => Passage): Course['legs'] => [
  {
    on: to,
    name: 'arrival',
    after: 12_000,
    transactionOf(number) {
      const passage = passageOf(number)
      return relayed(to.fixtures, passage.packet, [arrival(passage, { acknowledgement: accepted })])
    },
  },
  {
    on: from,
    name: 'acknowledgement',
    after: 24_000,
    transactionOf(number) {
      const passage = passageOf(number)
      return relayed(from.fixtures, passage.packet, [acknowledgement(passage, accepted)])
    },
  },
]
