import { makeAccount } from '../../address.ts'
import { wholeTokens } from '../fixtures.ts'
import type { Course } from './course.ts'
import { everyPeriod } from './moments.ts'
import { channelTo, type HubAndRollup } from './network.ts'
import { cycleMs, distanceMs } from './packetStories.ts'
import {
  accepted,
  acknowledgement,
  arrival,
  departure,
  onwardAcknowledgement,
  refusalOf,
  relayed,
  sentBy,
} from './packets.ts'
import { arrivedPath } from './passage.ts'
import { passageAt } from './passages.ts'

/** Milliseconds from the departure until the hub sends the coins on. */
const onwardMs = 12_000

/** How the way over the hub ends, in which minute it begins, and how many hundredths of a coin go. */
interface Plot {
  readonly ending: 'kept' | 'refused'
  readonly minute: number
  readonly hundredths: bigint
}

const plots: readonly Plot[] = [
  { ending: 'kept', minute: 8, hundredths: 333n },
  { ending: 'refused', minute: 14, hundredths: 347n },
]

/** The stories of coins of a rollup that go over the hub to another rollup: two packets. */
export const forwardStories = (pair: HubAndRollup, other: HubAndRollup, begin: number): readonly Course[] =>
  plots.map((plot) => forwardStory(pair, other, begin, plot))

function forwardStory(
  { hub, rollup }: HubAndRollup,
  other: HubAndRollup,
  begin: number,
  { ending, minute, hundredths }: Plot,
): Course {
  const moments = everyPeriod(begin + minute * distanceMs, cycleMs)
  const text = ending === 'refused' ? refusalOf(5) : accepted
  const sender = rollup.fixtures.traveller
  // Nobody has the key of the account in which the coins rest on the hub.
  const between = makeAccount(hub.chain.bech32Prefix, 20, 'forward', channelTo(hub.chain, rollup.chain), sender.hex)
  const receiver = other.rollup.fixtures.traveller.bech32
  const channel = channelTo(hub.chain, other.rollup.chain)
  const forward = { receiver, port: 'transfer', channel, timeout: '10m', retries: 2 }
  const amount = String((wholeTokens(rollup.chain, 1) / 100n) * hundredths)

  const firstOf = (number: number) =>
    passageAt(rollup, hub, moments.timeOf(number), {
      ...{ amount, denom: rollup.chain.denom, sender: sender.bech32, receiver: between.bech32 },
      memo: JSON.stringify({ forward }),
    })
  const secondOf = (number: number) =>
    passageAt(hub, other.rollup, moments.timeOf(number) + onwardMs, {
      ...{ amount, denom: arrivedPath(firstOf(number)), sender: between.bech32, receiver },
    })

  return {
    name: `${rollup.chain.chainId} over the hub to ${other.rollup.chain.chainId}${ending === 'kept' ? '' : `, ${ending}`}`,
    moments,
    legs: [
      { on: rollup, name: 'departure', after: 0, transactionOf: (number) => sentBy(firstOf(number)) },
      {
        on: hub,
        name: 'onward',
        after: onwardMs,
        transactionOf(number) {
          const first = firstOf(number)
          return relayed(hub.fixtures, first.packet, [arrival(first, { more: departure(secondOf(number)) })])
        },
      },
      {
        on: other.rollup,
        name: 'arrival',
        after: 24_000,
        transactionOf(number) {
          const second = secondOf(number)
          return relayed(second.to, second.packet, [arrival(second, { acknowledgement: text })])
        },
      },
      {
        on: hub,
        name: 'second acknowledgement',
        after: 36_000,
        transactionOf(number) {
          const second = secondOf(number)
          return relayed(hub.fixtures, second.packet, [onwardAcknowledgement(firstOf(number), second, text)])
        },
      },
      {
        on: rollup,
        name: 'first acknowledgement',
        after: 48_000,
        transactionOf(number) {
          const first = firstOf(number)
          return relayed(rollup.fixtures, first.packet, [acknowledgement(first, text)])
        },
      },
    ],
  }
}
