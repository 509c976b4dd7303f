import { wholeTokens } from '../fixtures.ts'
import type { Packet } from '../ibc.ts'
import type { Course, Leg } from './course.ts'
import { heightFrom } from './lane.ts'
import { everyPeriod, type Moments } from './moments.ts'
import { channelTo, numberAt, type Pair, type Side } from './network.ts'
import { accepted, acknowledgement, arrival, relayed, sentBy } from './packets.ts'
import type { Passage } from './passage.ts'

/** Milliseconds after which each story of the traveller is told again. */
export const cycleMs = 20 * 60_000

/** The stories of the traveller between the hub and a rollup over IBC. */
export function packetStories({ hub, rollup }: Pair, begin: number): readonly Course[] {
  const scenes = [
    { name: 'to the hub', from: rollup, to: hub },
    { name: 'to the rollup', from: hub, to: rollup },
  ]
  return scenes.map(({ name, from, to }, index): Course => {
    const moments = everyPeriod(begin + index * 60_000, cycleMs)
    const passageOf = passages({ from, to, rollup, moments, index })
    const leg = (
      on: Side,
      legName: string,
      after: number,
      messagesOf: (passage: Passage) => Parameters<typeof relayed>[2],
    ): Leg => ({
      on,
      name: legName,
      after,
      transactionOf: (number) => relayed(on.fixtures, passageOf(number).packet, messagesOf(passageOf(number))),
    })
    return {
      name: `${rollup.chain.chainId} ${name}`,
      moments,
      legs: [
        { on: from, name: 'departure', after: 0, transactionOf: (number) => sentBy(passageOf(number)) },
        leg(to, 'arrival', 12_000, (passage) => [arrival(passage, { acknowledgement: accepted })]),
        leg(from, 'acknowledgement', 24_000, (passage) => [acknowledgement(passage, accepted)]),
      ],
    }
  })
}

interface Scene {
  readonly from: Side
  readonly to: Side
  readonly rollup: Side
  readonly moments: Moments
  readonly index: number
}

/** The packets of a story: coins of the rollup that go to the hub, or come back from it. */
function passages({ from, to, rollup, moments, index }: Scene): (number: number) => Passage {
  const channel = channelTo(from.chain, to.chain)
  const { denom } = rollup.chain
  return (number) => {
    const time = moments.timeOf(number)
    const data = {
      amount: String((wholeTokens(rollup.chain, 1) / 100n) * BigInt(150 + 7 * index)),
      denom: from === rollup ? denom : `transfer/${channel}/${denom}`,
      receiver: to.fixtures.traveller.bech32,
      sender: from.fixtures.traveller.bech32,
    }
    const packet: Packet = {
      sequence: numberAt(from, heightFrom(from.chain, time)),
      source_port: 'transfer',
      source_channel: channel,
      destination_port: 'transfer',
      destination_channel: channelTo(to.chain, from.chain),
      data: Buffer.from(JSON.stringify(data)).toString('base64'),
      timeout_height: { revision_number: '0', revision_height: '0' },
      timeout_timestamp: String(BigInt(time + 600_000) * 1_000_000n),
    }
    return { from: from.fixtures, to: to.fixtures, packet }
  }
}
