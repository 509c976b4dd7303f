import { memoize } from '../memoize.ts'
import { lastSequence, placeOf } from './schedule.ts'
import type { Series } from './series.ts'
import type { Lane } from './stories/lane.ts'

/** A transaction of the traffic (no lane) or of a lane, by its number there. */
interface Origin {
  readonly lane?: Lane
  readonly number: number
}

/** A transaction in its block. */
interface Seat extends Origin {
  readonly height: number
  /** Position within the block, from 0. */
  readonly index: number
}

/** All transactions of a chain in their order. In a block those of the traffic come first, then those of each lane. */
export interface Timetable {
  /** The number of transactions at or below a height, which is the position of the last of them. */
  lastAt(height: number): number
  /** The transaction at a position, counted from 1. */
  seatOf(position: number): Seat
  positionOf(origin: Origin): number
  /** The positions of some transactions: those of a series of the traffic, and those of each lane. */
  merge(traffic: Series, ofLane: (lane: Lane) => Series): Series
}

/** Seats kept: those of the pages that clients read again. */
const maxSeats = 4_000

/** The timetable of the traffic and of these lanes. */
export function createTimetable(lanes: readonly Lane[]): Timetable {
  const lastAt = (height: number): number =>
    height <= 0 ? 0 : lanes.reduce((sum, lane) => sum + lane.countAt(height), lastSequence(height))

  const searchSeat = createSearch()
  const seatOf = memoize(maxSeats, (position): Seat => {
    const height = searchSeat((at) => lastAt(at) >= position)
    const index = position - lastAt(height - 1) - 1
    const before = lastSequence(height - 1)
    let rest = index - (lastSequence(height) - before)
    if (rest < 0) return { height, index, number: before + index + 1 }
    for (const lane of lanes) {
      const earlier = lane.countAt(height - 1)
      const here = lane.countAt(height) - earlier
      if (rest < here) return { height, index, lane, number: earlier + rest + 1 }
      rest -= here
    }
    throw new RangeError(`no transaction at ${position}`)
  })

  const positionOf = ({ lane, number }: Origin): number => {
    if (!lane) {
      const { height, index } = placeOf(number)
      return lastAt(height - 1) + index + 1
    }
    const height = lane.heightOf(number)
    const before = lanes.slice(0, lanes.indexOf(lane))
    return before.reduce(
      (sum, other) => sum + other.countAt(height) - other.countAt(height - 1),
      lastAt(height - 1) + lastSequence(height) - lastSequence(height - 1) + number - lane.countAt(height - 1),
    )
  }

  return {
    lastAt,
    seatOf,
    positionOf,
    merge(traffic, ofLane) {
      const series = lanes.map((lane) => [lane, ofLane(lane)] as const)
      const searchRank = createSearch()
      const rankAt = (height: number) =>
        height <= 0
          ? 0
          : series.reduce(
              (sum, [lane, one]) => sum + one.rank(lane.countAt(height)),
              traffic.rank(lastSequence(height)),
            )
      const has = (position: number) => {
        const { lane, number } = seatOf(position)
        const one = lane ? series[lanes.indexOf(lane)]?.[1] : traffic
        return one?.has(number) ?? false
      }
      const membersIn = (height: number, upTo: number): readonly number[] =>
        Array.from({ length: Math.max(0, upTo - lastAt(height - 1)) }, (_, i) => lastAt(height - 1) + 1 + i).filter(has)
      return {
        has,
        rank(position) {
          if (position <= 0) return 0
          const { height } = seatOf(position)
          if (position === lastAt(height)) return rankAt(height)
          return rankAt(height - 1) + membersIn(height, position).length
        },
        at(n) {
          const height = searchRank((at) => rankAt(at) >= n)
          return membersIn(height, lastAt(height))[n - 1 - rankAt(height - 1)] ?? Number.NaN
        },
      }
    },
  }
}

/**
 * A search for the first whole number from 1 on for which a claim holds that holds for all after it. It begins at its last
 * answer, since clients read neighbours. It gives up at a number that no height reaches.
 */
function createSearch(): (holds: (at: number) => boolean) => number {
  let last = 1
  return (holds) => {
    let [low, high, step] = [last, last, 1]
    while (!holds(high) && high < Number.MAX_SAFE_INTEGER / 4) {
      low = high + 1
      high += step
      step *= 2
    }
    while (low > 1 && holds(low - 1)) {
      high = low - 1
      low = Math.max(1, low - step)
      step *= 2
    }
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (holds(middle)) high = middle
      else low = middle + 1
    }
    last = low
    return low
  }
}
