import type { ListNode } from './linkedList.ts'

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
export interface QueueTicket {
  readonly requester: QueueRequester
  readonly entry: QueueEntry
  readonly leave: Leave
  state: 'new' | 'waiting' | 'active' | 'gone'
  /** Set while it waits. */
  node?: ListNode<QueueTicket> | undefined
}
