import { createRoundRobin } from './roundRobin.ts'
import type { Leave, QueueEntry, QueueRequester, QueueTicket } from './ticket.ts'

/** Slots, and the entries that wait for one. */
export interface FairQueue {
  /** Starts the entry, or lets it wait. Every entry must leave in the end. */
  join(requester: QueueRequester, entry: QueueEntry): Leave
  /** Number of entries that have a slot. */
  readonly active: number
  /** Number of entries that wait for one. */
  readonly waiting: number
}

/** How many entries a queue lets in. */
export interface FairQueueOptions {
  readonly slots: number
  /** The most slots of urgent entries. Half of all by default. */
  readonly urgentSlots?: number
  /** Slots that only urgent entries have. None by default. */
  readonly reservedSlots?: number
  /** A bound of the memory: an entry waits until its turn comes or it leaves. */
  readonly maxWaiting: number
}

/** The entries by their kind, and the slots of all but urgent ones. */
function createKinds({ slots, urgentSlots, reservedSlots = 0 }: FairQueueOptions) {
  const urgentMost = urgentSlots ?? Math.max(1, Math.floor(slots / 2))
  const commonSlots = slots - reservedSlots
  const eighth = Math.floor(slots / 8)
  const heavySlots = Math.max(1, eighth)
  return {
    commonSlots,
    urgent: createRoundRobin({ slots: urgentMost, slotsOfClient: urgentMost }),
    others: createRoundRobin({ slots: commonSlots, slotsOfClient: commonSlots - eighth }),
    heavy: createRoundRobin({ slots: heavySlots, slotsOfClient: Math.ceil(heavySlots / 2) }),
  }
}

/**
 * Creates a queue that serves clients in turn, and the requesters of each client, however many entries each of them
 * has. Urgent entries go first, in their share of the slots. Some slots can be reserved for them. Heavy entries go
 * last in an eighth of the slots, and one slot is always theirs. One client never holds the last eighth of the slots,
 * so that the next client need not wait for its slow requests. When too many entries wait, the last one of the client
 * with most is refused, heavy ones first.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { slots, maxWaiting } = options
  const { commonSlots, urgent, others, heavy } = createKinds(options)
  const kindOf = ({ requester }: QueueTicket) =>
    requester.isUrgent ? urgent : requester.isHeavy ? heavy : others
  let isServing = false

  const active = () => urgent.active + others.active + heavy.active
  const waiting = () => urgent.waiting + others.waiting + heavy.waiting
  const hasCommonSlot = () => others.active + heavy.active < commonSlots
  const nextCommon = () =>
    (heavy.active === 0 && slots > 1 ? heavy.take() : undefined) ?? others.take() ?? heavy.take()
  const next = () => urgent.take() ?? (hasCommonSlot() ? nextCommon() : undefined)

  const start = (ticket: QueueTicket) => {
    ticket.state = 'active'
    kindOf(ticket).enter(ticket)
    ticket.entry.start(ticket.leave)
  }

  /** Fills the free slots. An entry that leaves while it starts lets this same loop go on. */
  const serve = () => {
    if (isServing) return
    isServing = true
    try {
      while (active() < slots) {
        const ticket = next()
        if (!ticket) break
        start(ticket)
      }
    } finally {
      isServing = false
    }
  }

  const leave = (ticket: QueueTicket) => {
    const { state } = ticket
    ticket.state = 'gone'
    if (state === 'waiting') kindOf(ticket).stopWaiting(ticket)
    if (state !== 'active') return
    kindOf(ticket).exit(ticket)
    if (waiting() > 0) serve()
  }

  const refuseOne = () => {
    const kind = [heavy, others].find((each) => each.waiting > 0) ?? urgent
    const ticket = kind.last()
    if (!ticket) return
    ticket.leave()
    ticket.entry.refuse()
  }

  return {
    join(requester, entry) {
      const ticket: QueueTicket = { entry, requester, leave: () => leave(ticket), state: 'new' }
      const kind = kindOf(ticket)
      const hasSlot = active() < slots && (requester.isUrgent || hasCommonSlot())
      if (hasSlot && kind.isOpenTo(requester.client)) {
        start(ticket)
      } else {
        ticket.state = 'waiting'
        kind.wait(ticket)
        if (waiting() > maxWaiting) refuseOne()
        serve()
      }
      return ticket.leave
    },
    get active() {
      return active()
    },
    get waiting() {
      return waiting()
    },
  }
}
