import { wholeTokens } from '../fixtures.ts'
import { clientAcknowledgement, clientArrival, clientDeparture } from './clientPackets.ts'
import type { Course } from './course.ts'
import { everyPeriod } from './moments.ts'
import { clientTo, type HubAndRollup } from './network.ts'
import { cycleMs, distanceMs } from './packetStories.ts'
import { accepted, refusalOf, relayed } from './packets.ts'
import type { Passage } from './passage.ts'
import { passageAt } from './passages.ts'

/** Each way that a packet of IBC v2 goes, its minute, and the hundredths of a coin in it. */
const plots = [
  { isToHub: true, text: accepted, minute: 15, hundredths: 361n },
  { isToHub: false, text: refusalOf(15), minute: 16, hundredths: 173n },
] as const

/** The stories of the traveller between the hub and a rollup over IBC v2. The rollup refuses the second packet. */
export function clientStories({ hub, rollup }: HubAndRollup, begin: number): readonly Course[] {
  return plots.map(({ isToHub, text, minute, hundredths }): Course => {
    const [from, to] = isToHub ? [rollup, hub] : [hub, rollup]
    const moments = everyPeriod(begin + minute * distanceMs, cycleMs)
    const clients = [clientTo(from.chain, to.chain), clientTo(to.chain, from.chain)] as const
    const passageOf = (number: number): Passage => {
      const { denom } = rollup.chain
      return passageAt(
        from,
        to,
        moments.timeOf(number),
        {
          amount: String((wholeTokens(rollup.chain, 1) / 100n) * hundredths),
          denom: isToHub ? denom : `transfer/${clients[0]}/${denom}`,
          receiver: to.fixtures.traveller.bech32,
          sender: from.fixtures.traveller.bech32,
        },
        { ends: clients },
      )
    }
    return {
      name: `${rollup.chain.chainId} ${isToHub ? 'to' : 'from'} the hub by clients`,
      moments,
      legs: [
        {
          on: from,
          name: 'departure',
          after: 0,
          transactionOf: (number) => ({
            signer: from.fixtures.traveller,
            messages: [clientDeparture(passageOf(number))],
          }),
        },
        {
          on: to,
          name: 'arrival',
          after: 12_000,
          transactionOf(number) {
            const passage = passageOf(number)
            return relayed(to.fixtures, passage.packet, [clientArrival(passage, text)], clients[1])
          },
        },
        {
          on: from,
          name: 'acknowledgement',
          after: 24_000,
          transactionOf(number) {
            const passage = passageOf(number)
            return relayed(from.fixtures, passage.packet, [clientAcknowledgement(passage, text)], clients[0])
          },
        },
      ],
    }
  })
}
