import { createLane, type Leave, type Place, type QueueEntry, type QueueOwner } from './lane.ts'

/** Slots, and the entries that wait for one. */
export interface FairQueue {
  /** Starts the entry, or lets it wait. Every entry must leave in the end. */
  join(owner: QueueOwner, entry: QueueEntry): Leave
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

/**
 * Creates a queue that serves clients in turn, and the owners of each client, however many entries each
 * of them has. Urgent entries go first, in their share of the slots, of which some can be theirs alone.
 * Heavy entries go last and have an
 * eighth of the slots, of which one is always theirs. One client never holds the last eighth of the
 * slots, so that the next client need not wait for its slow requests. When too many entries wait, the
 * last one of the client with most is refused, heavy ones first.
 */
export function createFairQueue(options: FairQueueOptions): FairQueue {
  const { slots, urgentSlots = Math.max(1, Math.floor(slots / 2)), maxWaiting } = options
  const commonSlots = slots - (options.reservedSlots ?? 0)
  const urgent = createLane({ slots: urgentSlots, slotsOfClient: urgentSlots })
  const others = createLane({
    slots: commonSlots,
    slotsOfClient: commonSlots - Math.floor(slots / 8),
  })
  const heavySlots = Math.max(1, Math.floor(slots / 8))
  const heavy = createLane({ slots: heavySlots, slotsOfClient: Math.ceil(heavySlots / 2) })
  const laneOf = ({ owner }: Place) => (owner.isUrgent ? urgent : owner.isHeavy ? heavy : others)
  let isServing = false

  const active = () => urgent.active + others.active + heavy.active
  const waiting = () => urgent.waiting + others.waiting + heavy.waiting
  const hasCommonSlot = () => others.active + heavy.active < commonSlots
  const nextCommon = () =>
    (heavy.active === 0 && slots > 1 ? heavy.take() : undefined) ?? others.take() ?? heavy.take()
  const next = () => urgent.take() ?? (hasCommonSlot() ? nextCommon() : undefined)

  const start = (place: Place) => {
    place.state = 'active'
    laneOf(place).enter(place)
    place.entry.start(place.leave)
  }

  /** Fills the free slots. An entry that leaves while it starts lets this same loop go on. */
  const serve = () => {
    if (isServing) return
    isServing = true
    try {
      while (active() < slots) {
        const place = next()
        if (!place) break
        start(place)
      }
    } finally {
      isServing = false
    }
  }

  const leave = (place: Place) => {
    const { state } = place
    place.state = 'gone'
    if (state === 'waiting') laneOf(place).stopWaiting(place)
    if (state !== 'active') return
    laneOf(place).exit(place)
    if (waiting() > 0) serve()
  }

  const refuseOne = () => {
    const lane = [heavy, others].find((one) => one.waiting > 0) ?? urgent
    const place = lane.last()
    if (!place) return
    place.leave()
    place.entry.refuse()
  }

  return {
    join(owner, entry) {
      const place: Place = { entry, owner, leave: () => leave(place), state: 'new' }
      const lane = laneOf(place)
      const hasSlot = active() < slots && (owner.isUrgent || hasCommonSlot())
      if (hasSlot && lane.isOpenTo(owner.client)) {
        start(place)
      } else {
        place.state = 'waiting'
        lane.wait(place)
        if (waiting() > maxWaiting) refuseOne()
        serve()
      }
      return place.leave
    },
    get active() {
      return active()
    },
    get waiting() {
      return waiting()
    },
  }
}
