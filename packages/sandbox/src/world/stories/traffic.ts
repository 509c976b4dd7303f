import { l2Denom } from '../../router/assets.ts'
import { transferPacket } from '../ibc.ts'
import { bridgeOf } from '../opInit.ts'
import { amountOf, partiesOf } from '../parties.ts'
import { placeOf } from '../schedule.ts'
import type { Course } from './course.ts'
import { momentsOfTraffic } from './moments.ts'
import type { HubAndRollup } from './network.ts'
import { depositFinalization, executorOf } from './opInitMessages.ts'
import { endingLegs } from './packetStories.ts'
import type { Passage } from './passage.ts'

// The traffic sends packets. Here is what becomes of them.

/** The arrivals of the packets that the traffic of a rollup sends to the hub. */
export function packetsToHub({ hub, rollup }: HubAndRollup, since: number): Course {
  const moments = momentsOfTraffic(rollup, since, ({ kind, failed }) => kind === 'ibcTransfer' && !failed)
  const passageOf = (number: number): Passage => {
    const sequence = moments.sequenceOf(number)
    const packet = transferPacket(rollup.fixtures, rollup.workload.shapeAt(sequence), sequence)
    return { from: rollup.fixtures, to: hub.fixtures, packet }
  }
  return {
    name: `packets of ${rollup.chain.chainId}`,
    moments,
    begunBy: { on: rollup, numberOf: moments.numberOf },
    legs: endingLegs(rollup, hub, passageOf, 'kept'),
  }
}

/** Milliseconds from a deposit until the rollup has it. */
const finalizedMs = 12_000

/** The arrivals of the deposits that the traffic of the hub makes for a rollup. */
export function depositsOfHub({ hub, rollup, bridgeId }: HubAndRollup, since: number): Course {
  const moments = momentsOfTraffic(
    hub,
    since,
    (shape) => shape.kind === 'deposit' && !shape.failed && bridgeOf(shape) === bridgeId,
  )
  return {
    name: `deposits of bridge ${bridgeId}`,
    moments,
    begunBy: { on: hub, numberOf: moments.numberOf },
    legs: [
      {
        on: rollup,
        name: 'finalization',
        after: finalizedMs,
        transactionOf(number) {
          const sequence = moments.sequenceOf(number)
          const shape = hub.workload.shapeAt(sequence)
          const [from, to] = partiesOf(hub.fixtures, shape)
          const deposit = {
            bridgeId,
            sequence: String(sequence),
            ...{ from: from.bech32, to: to.bech32 },
            amount: amountOf(hub.fixtures, shape),
            hubDenom: hub.chain.denom,
            rollupDenom: l2Denom(bridgeId, hub.chain.denom),
            height: placeOf(sequence).height,
          }
          return { signer: executorOf(rollup.fixtures), messages: [depositFinalization(rollup.fixtures, deposit, '')] }
        },
      },
    ],
  }
}
