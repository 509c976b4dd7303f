import { createLinkedList, type LinkedList, type ListNode } from './linkedList.ts'

/** The owner of entries in a queue. Told apart by identity. */
export interface QueueOwner {
  /** The key of its client. Clients take turns, and so do their owners. */
  readonly client: string
  /** Whether its entries go before all others, in a share of the slots. */
  readonly isUrgent?: boolean
  /** Whether its entries go after all others, in a small share of the slots: each makes much work. */
  readonly isHeavy?: boolean
}

/** Frees the slot of an entry, or its place in the queue. Only the first call has an effect. */
export type Leave = () => void

/** Something that needs a slot. One of its functions is called, once, unless it leaves before. */
export interface QueueEntry {
  /** Called with a slot: at once if one is free, else when the turn of the entry comes. */
  start(leave: Leave): void
  /** Called when too many entries wait. */
  refuse(): void
}

/** The place of an entry in a queue. */
export interface Place {
  readonly owner: QueueOwner
  readonly entry: QueueEntry
  readonly leave: Leave
  state: 'new' | 'waiting' | 'active' | 'gone'
  /** Set while it waits. */
  node?: ListNode<Place> | undefined
}

/** The places of some clients, and which of those that wait is the next. */
export interface Lane {
  /** Places that have a slot. */
  readonly active: number
  readonly waiting: number
  /** Whether a new place of this client need not wait. */
  isOpenTo(client: string): boolean
  /** Counts a place that has a slot from now on. */
  enter(place: Place): void
  /** Counts a place that has no slot any more. */
  exit(place: Place): void
  wait(place: Place): void
  stopWaiting(place: Place): void
  /** The next place, which stops waiting. Undefined if none waits or none may have a slot now. */
  take(): Place | undefined
  /** The last place of the owner who has most waiting, of the client that has most waiting. */
  last(): Place | undefined
}

/** How many slots a lane gives away. */
export interface LaneOptions {
  /** To all clients. */
  readonly slots: number
  /** To one client, even if no other waits. */
  readonly slotsOfClient: number
}

/** The waiting places of one owner, in the order they came. Never empty. */
interface Line {
  readonly owner: QueueOwner
  readonly places: LinkedList<Place>
  readonly turn: { node?: ListNode<Line> }
  /** Places served in this turn. */
  served: number
}

/** The places of one client. Never without any. */
interface Group {
  readonly client: string
  active: number
  waiting: number
  readonly lines: Map<QueueOwner, Line>
  /** The same lines, the one whose turn it is first. */
  readonly turns: LinkedList<Line>
  /** Set while places wait. */
  node: ListNode<Group> | undefined
}

/**
 * Places of one owner that are served in one turn. One by one, all operations of a client would hold
 * half of their data for as long as the last of them takes.
 */
const placesPerTurn = 4

/**
 * Creates a lane. Clients take turns, and then the owners of each client. A client that has its share of
 * the slots, by the number of clients, is passed over while another waits that has less.
 */
export function createLane({ slots, slotsOfClient }: LaneOptions): Lane {
  const groups = new Map<string, Group>()
  /** Those of them that have waiting places, the one whose turn it is first. */
  const turns = createLinkedList<Group>()
  let active = 0
  let waiting = 0

  const groupOf = (client: string): Group => {
    const known = groups.get(client)
    if (known) return known
    const group: Group = {
      client,
      active: 0,
      waiting: 0,
      lines: new Map(),
      turns: createLinkedList(),
      node: undefined,
    }
    groups.set(client, group)
    return group
  }

  const closeIfEmpty = (group: Group) => {
    if (group.active === 0 && group.waiting === 0) groups.delete(group.client)
  }

  const openLine = (group: Group, owner: QueueOwner): Line => {
    const line: Line = { owner, places: createLinkedList(), turn: {}, served: 0 }
    group.lines.set(owner, line)
    line.turn.node = group.turns.push(line)
    return line
  }

  const remove = (place: Place) => {
    const group = groups.get(place.owner.client)
    const line = group?.lines.get(place.owner)
    if (!group || !line || !place.node) return
    line.places.remove(place.node)
    place.node = undefined
    waiting -= 1
    group.waiting -= 1
    if (line.places.size === 0) {
      group.lines.delete(line.owner)
      if (line.turn.node) group.turns.remove(line.turn.node)
    }
    if (group.waiting === 0 && group.node) {
      turns.remove(group.node)
      group.node = undefined
    }
  }

  /** The client whose turn it is, without those that have their share already if another has less. */
  const nextGroup = (): Group | undefined => {
    const share = Math.ceil(slots / groups.size)
    const { first } = turns
    // Mostly it is the first. To go through a list costs much more.
    if (first && first.active < Math.min(share, slotsOfClient)) return first
    let other: Group | undefined
    // Each client that is passed over has a slot, so there are no more of them than slots.
    for (const group of turns) {
      if (group.active >= slotsOfClient) continue
      if (group.active < share) return group
      other ??= group
    }
    return other
  }

  /** Ends the turn of a client, and that of its first line once it has had all of it. */
  const endTurn = (group: Group, line: Line) => {
    line.served += 1
    if (line.served >= placesPerTurn && line.places.size > 0 && line.turn.node) {
      line.served = 0
      group.turns.remove(line.turn.node)
      line.turn.node = group.turns.push(line)
    }
    if (group.node) {
      turns.remove(group.node)
      group.node = turns.push(group)
    }
  }

  return {
    get active() {
      return active
    },
    get waiting() {
      return waiting
    },
    isOpenTo: (client) =>
      waiting === 0 && active < slots && (groups.get(client)?.active ?? 0) < slotsOfClient,
    enter({ owner }) {
      active += 1
      groupOf(owner.client).active += 1
    },
    exit({ owner }) {
      const group = groups.get(owner.client)
      if (!group) return
      active -= 1
      group.active -= 1
      closeIfEmpty(group)
    },
    wait(place) {
      const group = groupOf(place.owner.client)
      const line = group.lines.get(place.owner) ?? openLine(group, place.owner)
      place.node = line.places.push(place)
      waiting += 1
      group.waiting += 1
      group.node ??= turns.push(group)
    },
    stopWaiting(place) {
      const group = groups.get(place.owner.client)
      remove(place)
      if (group) closeIfEmpty(group)
    },
    take() {
      const group = waiting > 0 && active < slots ? nextGroup() : undefined
      const line = group?.turns.first
      const place = line?.places.first
      if (!group || !line || !place) return undefined
      remove(place)
      endTurn(group, line)
      return place
    },
    last() {
      const group = longest(turns, ({ waiting }) => waiting)
      return group && longest(group.turns, ({ places }) => places.size)?.places.last
    },
  }
}

function longest<T>(values: Iterable<T>, lengthOf: (value: T) => number): T | undefined {
  let found: T | undefined
  for (const value of values) if (!found || lengthOf(value) > lengthOf(found)) found = value
  return found
}
