import { type Leave, type QueueEntry, type QueueRequester, RoundRobin, type Ticket } from './roundRobin.ts'

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

/**
 * Slots, and the entries that wait for one. It serves clients in turn, and the requesters of each client, however many
 * entries each of them has. Urgent entries go first, in their share of the slots. Some slots can be reserved for them.
 * Heavy entries go last in an eighth of the slots, and one slot is always theirs. One client never holds the last eighth
 * of the slots, so that the next client need not wait for its slow requests. When too many entries wait, the newest one
 * of the client with most is refused, heavy ones first.
 */
export class FairQueue {
  readonly #slots: number
  readonly #commonSlots: number
  readonly #maxWaiting: number
  readonly #urgent: RoundRobin
  readonly #others: RoundRobin
  readonly #heavy: RoundRobin
  #isServing = false

  constructor({ slots, urgentSlots, reservedSlots = 0, maxWaiting }: FairQueueOptions) {
    const urgentMost = urgentSlots ?? Math.max(1, Math.floor(slots / 2))
    const commonSlots = slots - reservedSlots
    const eighth = Math.floor(slots / 8)
    const heavySlots = Math.max(1, eighth)
    this.#slots = slots
    this.#commonSlots = commonSlots
    this.#maxWaiting = maxWaiting
    this.#urgent = new RoundRobin(urgentMost, urgentMost)
    this.#others = new RoundRobin(commonSlots, commonSlots - eighth)
    this.#heavy = new RoundRobin(heavySlots, Math.ceil(heavySlots / 2))
  }

  /** Number of entries that have a slot. */
  get active(): number {
    return this.#urgent.active + this.#others.active + this.#heavy.active
  }

  get waiting(): number {
    return this.#urgent.waiting + this.#others.waiting + this.#heavy.waiting
  }

  /** Starts the entry, or lets it wait. Every entry must leave in the end. */
  join(requester: QueueRequester, entry: QueueEntry): Leave {
    const ticket: Ticket = { entry, requester, leave: () => this.#leave(ticket), state: 'new' }
    const kind = this.#kindOf(ticket)
    const hasSlot = this.active < this.#slots && (requester.isUrgent || this.#hasCommonSlot())
    if (hasSlot && kind.isOpenTo(requester.client)) {
      kind.enter(ticket)
      this.#start(ticket)
    } else {
      ticket.state = 'waiting'
      kind.wait(ticket)
      if (this.waiting > this.#maxWaiting) this.#refuseOne()
      this.#serve()
    }
    return ticket.leave
  }

  #kindOf({ requester }: Ticket): RoundRobin {
    if (requester.isUrgent) return this.#urgent
    return requester.isHeavy ? this.#heavy : this.#others
  }

  #hasCommonSlot(): boolean {
    return this.#others.active + this.#heavy.active < this.#commonSlots
  }

  #next(): Ticket | undefined {
    const urgent = this.#urgent.take()
    if (urgent || !this.#hasCommonSlot()) return urgent
    const isHeavyDue = this.#heavy.active === 0 && this.#slots > 1
    return (isHeavyDue ? this.#heavy.take() : undefined) ?? this.#others.take() ?? this.#heavy.take()
  }

  #start(ticket: Ticket): void {
    ticket.state = 'active'
    ticket.entry.start(ticket.leave)
  }

  /** Fills the free slots. An entry that leaves while it starts lets this same loop go on. */
  #serve(): void {
    if (this.#isServing) return
    this.#isServing = true
    try {
      while (this.active < this.#slots) {
        const ticket = this.#next()
        if (!ticket) break
        this.#start(ticket)
      }
    } finally {
      this.#isServing = false
    }
  }

  #leave(ticket: Ticket): void {
    const { state } = ticket
    ticket.state = 'gone'
    if (state === 'waiting') this.#kindOf(ticket).stopWaiting(ticket)
    if (state !== 'active') return
    this.#kindOf(ticket).exit(ticket)
    if (this.waiting > 0) this.#serve()
  }

  #refuseOne(): void {
    const kind = [this.#heavy, this.#others].find(({ waiting }) => waiting > 0) ?? this.#urgent
    const ticket = kind.newest()
    ticket?.leave()
    ticket?.entry.refuse()
  }
}
