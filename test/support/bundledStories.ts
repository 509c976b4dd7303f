import fc from 'fast-check'
import { type End, escrow, first, minute, now, relayer, user, victim } from './storyNetwork.ts'
import { addressOf, type WrittenEvent, type WrittenTransaction, written } from './writtenChains.ts'
import { arrival, departure, ending, moved, type Toll, type WrittenPacket } from './writtenMovements.ts'

// Stories of several packets, in one transaction or more, which one property test tells through every door. A new kind of story
// is a field of `bundle`, and what it changes in `played` and `expectedOf`.

/** How messages of one chain are put together. */
const wrappings = {
  /** Each has a transaction of its own. */
  apart: (all: readonly WrittenTransaction[]) => all,
  /** One transaction with several messages. */
  beside: (all: readonly WrittenTransaction[]) =>
    merged(all, { messages: all.flatMap(({ messages }) => messages), events: all.flatMap(({ events }) => events) }),
  /** One message of authz, whose events have an index of their own. */
  authz: (all: readonly WrittenTransaction[]) => merged(all, executed(all, [''])),
  /** Two of them, one in the other. */
  nested: (all: readonly WrittenTransaction[]) => merged(all, executed(all, ['', '0'])),
  /** One of an older node, whose events do not have it. */
  oldAuthz: (all: readonly WrittenTransaction[]) => merged(all, executed(all, [])),
  /** One message that does all, such as the call of a contract. */
  batch: (all: readonly WrittenTransaction[]) =>
    merged(all, {
      messages: [
        { '@type': '/cosmwasm.wasm.v1.MsgExecuteContract', sender: relayer, contract: escrow, msg: {}, funds: [] },
      ],
      events: [all.flatMap(({ events }) => events.flat())],
    }),
} as const
export type Wrapping = keyof typeof wrappings

type Content = Pick<WrittenTransaction, 'messages' | 'events'>

const merged = ([begun]: readonly WrittenTransaction[], content: Content): readonly WrittenTransaction[] =>
  begun ? [{ ...begun, ...content }] : []

/** Messages in one of authz for each index, the innermost first. An empty index is that of the message itself. */
function executed(all: readonly WrittenTransaction[], indexes: readonly string[]): Content {
  const exec = (msgs: readonly object[]) => ({ '@type': '/cosmos.authz.v1beta1.MsgExec', grantee: relayer, msgs })
  let messages: readonly object[] = [exec(all.flatMap((each) => each.messages))]
  for (const _ of indexes.slice(1)) messages = [exec(messages)]
  const events = all.flatMap((each, nth) =>
    each.events.flat().map(({ type, attributes }): WrittenEvent => {
      const own = indexes.map((index) => ({ key: 'authz_msg_index', value: index || `${nth}` }))
      return { type, attributes: [...attributes, ...own] }
    }),
  )
  return { messages, events: [events] }
}

const wrapping = fc.constantFrom(...(Object.keys(wrappings) as Wrapping[]))

const plan = fc.record({
  end: fc.constantFrom<End>('taken', 'refused', 'late', 'open'),
  isTold: fc.boolean(),
  toll: fc.option(fc.record({ amount: fc.constantFrom(1n, 250_000n), isPaidByAccount: fc.boolean() }), {
    nil: undefined,
  }),
})

/** Packets from the rollup to the hub, all of one account to itself, and how each of their steps came into transactions. */
export const bundle = fc.record({
  plans: fc.array(plan, { minLength: 1, maxLength: 3 }),
  ...{ sent: wrapping, received: wrapping, told: wrapping },
  /** Who pays the fees of relaying: a relayer, the receiver itself, or another account by an allowance. */
  feePayer: fc.constantFrom(relayer, user, victim),
})
export type Bundle = typeof bundle extends fc.Arbitrary<infer T> ? T : never
type Plan = Bundle['plans'][number]

const packetOf = (nth: number): WrittenPacket => ({
  ...first,
  sequence: first.sequence + nth,
  amount: first.amount + BigInt(nth),
  timeout: now - minute,
})

const collector = addressOf(7)

/** The transactions of a bundle. */
export function played({ plans, sent, received, told, feePayer }: Bundle): readonly WrittenTransaction[] {
  const feeEvents = [
    ...moved(feePayer, addressOf(8), '900uinit'),
    written('tx', { fee: '900uinit', fee_payer: feePayer }),
  ]
  const relay = { escrow, relayer: feePayer === user ? user : relayer }
  const place = (at: number, { toll }: Plan) => ({
    ...{ ...relay, at },
    toll: toll && ({ ...toll, collector } satisfies Toll),
  })
  const begun = plans.map((_, nth) => departure(packetOf(nth), { at: now - 30 * minute, ...relay }))
  const arrived = plans.flatMap((own, nth) =>
    own.end === 'taken' || own.end === 'refused'
      ? [arrival(packetOf(nth), place(now - 29 * minute, own), own.end)]
      : [],
  )
  const ended = plans.flatMap((own, nth) =>
    own.isTold && own.end !== 'open' ? [ending(packetOf(nth), place(now - 28 * minute, own), own.end)] : [],
  )
  return [
    ...wrappings[sent](begun),
    ...[...wrappings[received](arrived), ...wrappings[told](ended)].map((each) => ({ ...each, feeEvents })),
  ]
}

/** What is true of the movement of a packet, and what its records prove. */
export function expectedOf(all: Bundle, nth: number) {
  const { plans, told } = all
  const own = plans[nth]
  if (!own) throw new Error('no such packet')
  const { end, isTold, toll } = own
  const { amount, sequence } = packetOf(nth)
  const left = amount - (toll?.amount ?? 0n)
  const isBack = isTold && (end === 'refused' || end === 'late')
  const state =
    end === 'taken'
      ? 'ARRIVED'
      : end === 'refused'
        ? isBack
          ? 'REFUNDED'
          : 'REFUSED'
        : isBack
          ? 'TIMED_OUT'
          : 'UNKNOWN'
  // Without an index, what moves behind the end of one packet can be of another message.
  const isMixed = told === 'oldAuthz' && plans.filter((each) => each.isTold && each.end !== 'open').length > 1
  return {
    ...{ sequence, state, sent: String(amount) },
    arrived: end === 'taken' ? String(left) : String(amount),
    refunded: isBack ? (isMixed ? null : String(left)) : undefined,
  }
}
