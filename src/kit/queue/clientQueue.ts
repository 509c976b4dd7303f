import { createLinkedList, type LinkedList, type ListNode } from './linkedList.ts'
import type { QueueRequester, QueueTicket } from './ticket.ts'

/** The tickets of one client. It is dropped once it has none. */
export interface ClientQueue {
  readonly client: string
  active: number
  waiting: number
  readonly requesters: Map<QueueRequester, RequesterQueue>
  /** The same queues of requesters, in the order of their turns. */
  readonly turns: LinkedList<RequesterQueue>
  /** Set while tickets wait. */
  node: ListNode<ClientQueue> | undefined
}

/** The waiting tickets of one requester, in the order they came. Never empty. */
interface RequesterQueue {
  readonly requester: QueueRequester
  readonly tickets: LinkedList<QueueTicket>
  readonly turn: { node?: ListNode<RequesterQueue> }
  /** Tickets served in this turn. */
  served: number
}

/**
 * Tickets of one requester that are served in one turn. One by one, all operations of a client would hold half of
 * their data until the last operation ends.
 */
const ticketsPerTurn = 4

/** A client without tickets. */
export const newClientQueue = (client: string): ClientQueue => ({
  ...{ client, active: 0, waiting: 0 },
  requesters: new Map(),
  turns: createLinkedList(),
  node: undefined,
})

/** Adds a ticket that waits. */
export function addTicket(queue: ClientQueue, ticket: QueueTicket): void {
  const { requester } = ticket
  const own = queue.requesters.get(requester) ?? openRequester(queue, requester)
  ticket.node = own.tickets.push(ticket)
  queue.waiting += 1
}

function openRequester(queue: ClientQueue, requester: QueueRequester): RequesterQueue {
  const own: RequesterQueue = { requester, tickets: createLinkedList(), turn: {}, served: 0 }
  queue.requesters.set(requester, own)
  own.turn.node = queue.turns.push(own)
  return own
}

/** Removes a ticket that waits. Returns whether it waited. */
export function removeTicket(queue: ClientQueue, ticket: QueueTicket): boolean {
  const own = queue.requesters.get(ticket.requester)
  if (!own || !ticket.node) return false
  own.tickets.remove(ticket.node)
  ticket.node = undefined
  queue.waiting -= 1
  if (own.tickets.size === 0) {
    queue.requesters.delete(own.requester)
    if (own.turn.node) queue.turns.remove(own.turn.node)
  }
  return true
}

/** Removes the next ticket, and counts it in the turn of its requester. */
export function takeTicket(queue: ClientQueue): QueueTicket | undefined {
  const own = queue.turns.first
  const ticket = own?.tickets.first
  if (!own || !ticket) return undefined
  removeTicket(queue, ticket)
  own.served += 1
  if (own.served >= ticketsPerTurn && own.tickets.size > 0 && own.turn.node) {
    own.served = 0
    queue.turns.remove(own.turn.node)
    own.turn.node = queue.turns.push(own)
  }
  return ticket
}

/** The last ticket of the requester with most waiting tickets. */
export const lastTicket = (queue: ClientQueue): QueueTicket | undefined =>
  longest(queue.turns, ({ tickets }) => tickets.size)?.tickets.last

/** The first value of the greatest length. */
export function longest<T>(values: Iterable<T>, lengthOf: (value: T) => number): T | undefined {
  let found: T | undefined
  for (const value of values) if (!found || lengthOf(value) > lengthOf(found)) found = value
  return found
}
