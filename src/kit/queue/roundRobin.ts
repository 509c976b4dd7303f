import {
  addTicket,
  type ClientQueue,
  lastTicket,
  longest,
  newClientQueue,
  removeTicket,
  takeTicket,
} from './clientQueue.ts'
import { createLinkedList, type LinkedList } from './linkedList.ts'
import type { QueueTicket } from './ticket.ts'

/** The tickets of some clients, and the order of the tickets that wait. */
export interface RoundRobin {
  /** Tickets that have a slot. */
  readonly active: number
  readonly waiting: number
  /** Whether a new ticket of this client need not wait. */
  isOpenTo(client: string): boolean
  /** Counts a ticket that gets a slot. */
  enter(ticket: QueueTicket): void
  /** Counts a ticket that has left its slot. */
  exit(ticket: QueueTicket): void
  wait(ticket: QueueTicket): void
  stopWaiting(ticket: QueueTicket): void
  /** The next ticket, which stops waiting. Undefined if none waits or none may have a slot now. */
  take(): QueueTicket | undefined
  /** The last ticket of the requester who has most waiting, of the client that has most waiting. */
  last(): QueueTicket | undefined
}

/** How many slots are given away. */
export interface RoundRobinOptions {
  /** To all clients. */
  readonly slots: number
  /** To one client, even if no other waits. */
  readonly slotsOfClient: number
}

/**
 * Creates a round robin. Clients take turns, and then the requesters of each client. A client that has its share of
 * the slots, by the number of clients, is skipped while a client with less waits.
 */
export function createRoundRobin({ slots, slotsOfClient }: RoundRobinOptions): RoundRobin {
  const clients = new Map<string, ClientQueue>()
  /** The clients with waiting tickets, in the order of their turns. */
  const turns = createLinkedList<ClientQueue>()
  let active = 0
  let waiting = 0

  const queueOf = (client: string): ClientQueue => {
    const known = clients.get(client)
    if (known) return known
    const queue = newClientQueue(client)
    clients.set(client, queue)
    return queue
  }

  const closeIfEmpty = (queue: ClientQueue) => {
    if (queue.active === 0 && queue.waiting === 0) clients.delete(queue.client)
  }

  /** Counts a ticket that has left the queue. Its client keeps its turn, or goes to the end. */
  const countTaken = (queue: ClientQueue, hasHadTurn: boolean) => {
    waiting -= 1
    if (!queue.node || (queue.waiting > 0 && !hasHadTurn)) return
    turns.remove(queue.node)
    queue.node = queue.waiting > 0 ? turns.push(queue) : undefined
  }

  const take = () => {
    const share = Math.ceil(slots / clients.size)
    const isOpen = waiting > 0 && active < slots
    const queue = isOpen ? nextClient(turns, share, slotsOfClient) : undefined
    const ticket = queue && takeTicket(queue)
    if (ticket) countTaken(queue, true)
    return ticket
  }

  return {
    get active() {
      return active
    },
    get waiting() {
      return waiting
    },
    isOpenTo: (client) =>
      waiting === 0 && active < slots && (clients.get(client)?.active ?? 0) < slotsOfClient,
    enter({ requester }) {
      active += 1
      queueOf(requester.client).active += 1
    },
    exit({ requester }) {
      const queue = clients.get(requester.client)
      if (!queue) return
      active -= 1
      queue.active -= 1
      closeIfEmpty(queue)
    },
    wait(ticket) {
      const queue = queueOf(ticket.requester.client)
      addTicket(queue, ticket)
      waiting += 1
      queue.node ??= turns.push(queue)
    },
    stopWaiting(ticket) {
      const queue = clients.get(ticket.requester.client)
      if (!queue || !removeTicket(queue, ticket)) return
      countTaken(queue, false)
      closeIfEmpty(queue)
    },
    take,
    last() {
      const queue = longest(turns, ({ waiting }) => waiting)
      return queue && lastTicket(queue)
    },
  }
}

/** The client whose turn it is. A client with its share is skipped if another one has less. */
function nextClient(
  turns: LinkedList<ClientQueue>,
  share: number,
  most: number,
): ClientQueue | undefined {
  const { first } = turns
  // Mostly it is the first. To go through a list costs much more.
  if (first && first.active < Math.min(share, most)) return first
  let other: ClientQueue | undefined
  // Each client that is skipped has a slot, so their number is bounded by the slots.
  for (const queue of turns) {
    if (queue.active >= most) continue
    if (queue.active < share) return queue
    other ??= queue
  }
  return other
}
