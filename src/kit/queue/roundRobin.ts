/** The sender of entries to a queue. Compared by identity. */
export interface QueueRequester {
  /** The key of its client. Clients take turns, and so do the requesters of each client. */
  readonly client: string
  /** Whether its entries go before all others, in a share of the slots. */
  readonly isUrgent?: boolean
  /** Whether its entries go after all others, in a small share of the slots: each makes much work. */
  readonly isHeavy?: boolean
}

/** Frees the slot of an entry, or removes it from the queue. Only the first call has an effect. */
export type Leave = () => void

/** Something that needs a slot. One of its functions is called, once, unless it leaves before. */
export interface QueueEntry {
  /** Called with a slot: at once if one is free, else when the turn of the entry comes. */
  start(leave: Leave): void
  /** Called when too many entries wait. */
  refuse(): void
}

/** An entry in a queue, from `join` until it leaves. */
export interface Ticket {
  readonly requester: QueueRequester
  readonly entry: QueueEntry
  readonly leave: Leave
  state: 'new' | 'waiting' | 'active' | 'gone'
}

/**
 * The tickets of some clients. Clients take turns, and then the requesters of each client. A client that has its share of
 * the slots, by the number of clients, is skipped while a client with less waits.
 */
export class RoundRobin {
  readonly #slots: number
  readonly #slotsOfClient: number
  readonly #clients = new Map<string, ClientQueue>()
  /** The clients with waiting tickets, in the order of their turns. */
  readonly #turns = new Set<ClientQueue>()
  /** Tickets that have a slot. */
  active = 0
  waiting = 0

  /** How many slots all clients have, and one client, even if no other waits. Default: without a bound. */
  constructor(slots = Number.POSITIVE_INFINITY, slotsOfClient = slots) {
    this.#slots = slots
    this.#slotsOfClient = slotsOfClient
  }

  /** Whether a new ticket of this client need not wait. */
  isOpenTo(client: string): boolean {
    const active = this.#clients.get(client)?.active ?? 0
    return this.waiting === 0 && this.active < this.#slots && active < this.#slotsOfClient
  }

  /** Counts a ticket that gets a slot. */
  enter({ requester }: Ticket): void {
    this.active += 1
    this.#openQueue(requester.client).active += 1
  }

  /** Counts a ticket that has left its slot. */
  exit({ requester }: Ticket): void {
    const queue = this.#openQueue(requester.client)
    this.active -= 1
    queue.active -= 1
    this.#closeIfEmpty(queue)
  }

  wait(ticket: Ticket): void {
    const queue = this.#openQueue(ticket.requester.client)
    queue.add(ticket)
    this.waiting += 1
    this.#turns.add(queue)
  }

  stopWaiting(ticket: Ticket): void {
    const queue = this.#openQueue(ticket.requester.client)
    queue.remove(ticket)
    this.waiting -= 1
    if (queue.waiting === 0) this.#turns.delete(queue)
    this.#closeIfEmpty(queue)
  }

  /** The next ticket, which gets a slot. Undefined if none waits or none may have a slot now. */
  take(): Ticket | undefined {
    if (this.waiting === 0 || this.active >= this.#slots) return undefined
    const queue = this.#nextClient()
    const ticket = queue?.take()
    if (!queue || !ticket) return undefined
    this.waiting -= 1
    this.#turns.delete(queue)
    if (queue.waiting > 0) this.#turns.add(queue)
    this.enter(ticket)
    return ticket
  }

  /** The newest ticket of the longest queue: that of a requester within that of its client. */
  newest(): Ticket | undefined {
    return longest(this.#turns, ({ waiting }) => waiting)?.newest()
  }

  #openQueue(client: string): ClientQueue {
    const known = this.#clients.get(client)
    if (known) return known
    const queue = new ClientQueue(client)
    this.#clients.set(client, queue)
    return queue
  }

  #closeIfEmpty(queue: ClientQueue): void {
    if (queue.active === 0 && queue.waiting === 0) this.#clients.delete(queue.client)
  }

  /** The client whose turn it is. A client with its share is skipped if another one has less. */
  #nextClient(): ClientQueue | undefined {
    const share = Math.ceil(this.#slots / this.#clients.size)
    let other: ClientQueue | undefined
    // Mostly it is the first. Each client that is skipped has a slot, so their number is bounded by the slots.
    for (const queue of this.#turns) {
      if (queue.active >= this.#slotsOfClient) continue
      if (queue.active < share) return queue
      other ??= queue
    }
    return other
  }
}

/**
 * Tickets of one requester that are served in one turn. One by one, all operations of a client would hold half of
 * their data until the last operation ends.
 */
const ticketsPerTurn = 4

class ClientQueue {
  readonly client: string
  active = 0
  waiting = 0
  /** The waiting tickets of each requester, none of which is empty. The first requester has the turn. */
  readonly #requesters = new Map<QueueRequester, Set<Ticket>>()
  /** Tickets served in this turn. */
  #served = 0

  constructor(client: string) {
    this.client = client
  }

  add(ticket: Ticket): void {
    const tickets = this.#requesters.get(ticket.requester)
    if (tickets) tickets.add(ticket)
    else this.#requesters.set(ticket.requester, new Set([ticket]))
    this.waiting += 1
  }

  remove(ticket: Ticket): void {
    const { requester } = ticket
    const tickets = this.#requesters.get(requester)
    if (!tickets?.delete(ticket)) return
    this.waiting -= 1
    if (tickets.size === 0) this.#endTurn(requester)
  }

  /** Removes the next ticket, and counts it in the turn of its requester. */
  take(): Ticket | undefined {
    const [turn] = this.#requesters
    if (!turn) return undefined
    const [requester, tickets] = turn
    const [ticket] = tickets
    if (!ticket) return undefined
    this.#served += 1
    this.remove(ticket)
    if (tickets.size > 0 && this.#served >= ticketsPerTurn) {
      this.#endTurn(requester)
      this.#requesters.set(requester, tickets)
    }
    return ticket
  }

  /** The newest ticket of the requester with most waiting tickets. */
  newest(): Ticket | undefined {
    return [...(longest(this.#requesters.values(), ({ size }) => size) ?? [])].at(-1)
  }

  /** Removes a requester. If it had the turn, the next one begins its own. */
  #endTurn(requester: QueueRequester): void {
    const [first] = this.#requesters.keys()
    if (first === requester) this.#served = 0
    this.#requesters.delete(requester)
  }
}

/** The first value of the greatest length. */
function longest<T>(values: Iterable<T>, lengthOf: (value: T) => number): T | undefined {
  let found: T | undefined
  for (const value of values) if (!found || lengthOf(value) > lengthOf(found)) found = value
  return found
}
