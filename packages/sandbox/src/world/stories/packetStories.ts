import { wholeTokens } from '../fixtures.ts'
import { hookCall, hookMemo } from '../ibcReceive.ts'
import type { Course, CourseLeg } from './course.ts'
import type { StoryMessage } from './lane.ts'
import { everyPeriod } from './moments.ts'
import { channelTo, type HubAndRollup, type StoryChain } from './network.ts'
import { accepted, acknowledgement, arrival, refusalOf, relayed, sentBy, timeout } from './packets.ts'
import type { Passage } from './passage.ts'
import { passageAt } from './passages.ts'

/** Milliseconds after which each story of the traveller is told again. */
export const cycleMs = 20 * 60_000

/** Milliseconds from one story to the next. */
export const distanceMs = 60_000

/** How a packet ends. */
type Ending = 'kept' | 'called' | 'refused' | 'late'

/** Each way that a packet of the traveller goes: whether to the hub or from it, and how it ends. */
const plots: readonly { readonly isToHub: boolean; readonly ending: Ending }[] = [
  { isToHub: true, ending: 'kept' },
  { isToHub: false, ending: 'kept' },
  { isToHub: false, ending: 'refused' },
  { isToHub: true, ending: 'refused' },
  { isToHub: false, ending: 'late' },
  { isToHub: true, ending: 'late' },
  { isToHub: false, ending: 'called' },
  { isToHub: true, ending: 'called' },
]

/** A packet that ends late can be received for so long, and is proven not to have been after so long, in milliseconds. */
const lateMs = { timeout: 60_000, proof: 150_000 }

/** The stories of the traveller between the hub and a rollup over IBC: coins of the rollup, which go to the hub or come back. */
export function packetStories({ hub, rollup }: HubAndRollup, begin: number): readonly Course[] {
  return plots.map(({ isToHub, ending }, index): Course => {
    const [from, to] = isToHub ? [rollup, hub] : [hub, rollup]
    const moments = everyPeriod(begin + index * distanceMs, cycleMs)
    const passageOf = (number: number): Passage => {
      const { denom } = rollup.chain
      const data = {
        amount: String((wholeTokens(rollup.chain, 1) / 100n) * BigInt(150 + 7 * index)),
        denom: isToHub ? denom : `transfer/${channelTo(hub.chain, rollup.chain)}/${denom}`,
        receiver: to.fixtures.traveller.bech32,
        sender: from.fixtures.traveller.bech32,
        ...(ending === 'called' ? { memo: hookMemo(to.fixtures) } : {}),
      }
      return passageAt(from, to, moments.timeOf(number), data, {
        timeoutMs: ending === 'late' ? lateMs.timeout : undefined,
      })
    }
    return {
      name: `${rollup.chain.chainId} ${isToHub ? 'to' : 'from'} the hub, ${ending}`,
      moments,
      legs: [
        { on: from, name: 'departure', after: 0, transactionOf: (number) => sentBy(passageOf(number)) },
        ...endingLegs(from, to, passageOf, ending),
      ],
    }
  })
}

/** The transactions that follow the departure of a packet. */
export function endingLegs(
  from: StoryChain,
  to: StoryChain,
  passageOf: (number: number) => Passage,
  ending: Ending,
): readonly CourseLeg[] {
  const leg = (
    on: StoryChain,
    name: string,
    after: number,
    messageOf: (passage: Passage) => StoryMessage,
  ): CourseLeg => ({
    on,
    name,
    after,
    transactionOf(number) {
      const passage = passageOf(number)
      return relayed(on.fixtures, passage.packet, [messageOf(passage)])
    },
  })
  if (ending === 'late') return [leg(from, 'timeout', lateMs.proof, timeout)]
  const text = ending === 'refused' ? refusalOf(5) : accepted
  return [
    leg(to, 'arrival', 12_000, (passage) =>
      arrival(passage, {
        acknowledgement: text,
        ...(ending === 'called' ? { more: { moves: [], events: [hookCall(passage.to)] } } : {}),
      }),
    ),
    leg(from, 'acknowledgement', 24_000, (passage) => acknowledgement(passage, text)),
  ]
}
