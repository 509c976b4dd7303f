import { createLinkedList, type LinkedList, type ListNode } from './linkedList.ts'

/** Who sends a request. Its requests take turns with those of all others. Told apart by identity. */
export interface Owner {
  readonly kind: 'operation' | 'background'
  /** The key of the client that the requests are for. */
  readonly client: string
  /** Sent to upstreams as `X-Request-Id`. A request that several owners share has the id of the first. */
  readonly requestId?: string | undefined
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

/** Slots, and the entries that wait for one. */
export interface FairQueue {
  /** Starts the entry, or lets it wait. Every entry must leave in the end. */
  join(owner: Owner, entry: QueueEntry): Leave
  /** Number of entries that have a slot. */
  readonly active: number
  /** Number of entries that wait for one. */
  readonly waiting: number
}

/** The waiting entries of one owner, in the order they came. Never empty. */
interface Line {
  readonly owner: Owner
  readonly places: LinkedList<Place>
  turn: ListNode<Line> | undefined
}

interface Place {
  readonly entry: QueueEntry
  readonly owner: Owner
  readonly leave: Leave
  state: 'new' | 'waiting' | 'active' | 'gone'
  node?: ListNode<Place>
}

/**
 * Creates a queue that serves its owners in turn, one entry each, however many entries each of them has.
 * An entry waits until its turn comes or it leaves. `maxWaiting` only bounds the memory: beyond it, the
 * last entry of the longest line is refused.
 */
export function createFairQueue(options: {
  readonly slots: number
  readonly maxWaiting: number
}): FairQueue {
  const { slots, maxWaiting } = options
  const lines = new Map<Owner, Line>()
  /** The same lines, the one whose turn it is first. */
  const turns = createLinkedList<Line>()
  let active = 0
  let waiting = 0
  let isServing = false

  const start = (place: Place) => {
    active += 1
    place.state = 'active'
    place.entry.start(place.leave)
  }

  const wait = (place: Place) => {
    const line = lines.get(place.owner) ?? openLine(place.owner)
    place.state = 'waiting'
    place.node = line.places.push(place)
    waiting += 1
  }

  const openLine = (owner: Owner): Line => {
    const line: Line = { owner, places: createLinkedList(), turn: undefined }
    lines.set(owner, line)
    line.turn = turns.push(line)
    return line
  }

  const stopWaiting = ({ owner, node }: Place) => {
    const line = lines.get(owner)
    if (!line || !node) return
    waiting -= 1
    line.places.remove(node)
    if (line.places.size > 0) return
    lines.delete(owner)
    if (line.turn) turns.remove(line.turn)
  }

  /** Fills the free slots. An entry that leaves while it starts lets this same loop go on. */
  const serve = () => {
    if (isServing) return
    isServing = true
    try {
      while (active < slots) {
        const line = turns.first
        const place = line?.places.first
        if (!line || !place) break
        stopWaiting(place)
        // The line goes to the end of the turns, unless that was its last entry.
        if (line.turn && line.places.size > 0) {
          turns.remove(line.turn)
          line.turn = turns.push(line)
        }
        start(place)
      }
    } finally {
      isServing = false
    }
  }

  const leave = (place: Place) => {
    const { state } = place
    place.state = 'gone'
    if (state === 'waiting') stopWaiting(place)
    if (state !== 'active') return
    active -= 1
    serve()
  }

  /** Refuses the last entry of the longest line, so that those with few entries lose none. */
  const refuseOne = () => {
    let longest: Line | undefined
    for (const line of turns) {
      if (!longest || line.places.size > longest.places.size) longest = line
    }
    const place = longest?.places.last
    if (!place) return
    place.leave()
    place.entry.refuse()
  }

  return {
    join(owner, entry) {
      const place: Place = { entry, owner, leave: () => leave(place), state: 'new' }
      if (active < slots && waiting === 0) {
        start(place)
      } else {
        wait(place)
        if (waiting > maxWaiting) refuseOne()
        serve()
      }
      return place.leave
    },
    get active() {
      return active
    },
    get waiting() {
      return waiting
    },
  }
}
