import type { Clock } from '../clock/clock.ts'
import type { FeedSource, FeedTop } from './feedSource.ts'
import { longestExpectedMs } from './nextDelay.ts'
import { createSpacing } from './spacing.ts'

/** Chooses when to poll the head of a source: soon after its next record is due. */
export interface Pace<T extends object> {
  /** Takes what a look has shown, and how many milliseconds ago that was read. */
  seen(top: FeedTop<T>, ageMs?: number): void
  /**
   * Milliseconds from the last look to the next one. `usual` is the interval, with or without jitter.
   * `interval` is that of the source, or a longer one if few listen.
   */
  wait(usual: number, interval?: number): number
  /** The most milliseconds between two polls, with the interval of the source, while a record is not overdue. */
  longest(): number
}

type Paced<T extends object> = Pick<FeedSource<T>, 'intervalMs' | 'positionOf' | 'timeOf'>

/**
 * Learns how far apart the records of a source are, from their times, and how long after its time the source
 * shows one. The next look is when a record is due, if that is later than the interval.
 *
 * - What is learnt last counts: each look that finds its record makes the next one come a little earlier, and
 *   a look that came too early is repeated after the interval.
 * - While a record is overdue, the waits grow to half of the time for which it is.
 * - No wait is longer than the mean time between records and an interval, however irregular they are. None is
 *   longer than six seconds: a chain can make a block at once when it gets a transaction.
 * - With a longer interval, the next look is when the first record after it is due.
 */
export function createPace<T extends object>(
  { intervalMs, positionOf, timeOf }: Paced<T>,
  clock: Pick<Clock, 'date'>,
): Pace<T> {
  const step = intervalMs / 20
  const spacing = createSpacing()
  let highest = -1n
  /** The time of the newest record, as it says. */
  let time: number | undefined
  /** Milliseconds from the time of a record until the source shows it. */
  let lag: number | undefined
  /** Bounds of that, before it is known. */
  let least = Number.NEGATIVE_INFINITY
  let most = Number.POSITIVE_INFINITY
  /** The date of the last look. */
  let lookedAt: number | undefined
  /** Whether a look that comes too early costs little. */
  let isFrequent = true

  /** Takes that a record was shown `shown` milliseconds after its time, and was not `hidden` after it. */
  const boundLag = (shown: number, hidden: number) => {
    least = Math.max(least, hidden)
    most = Math.min(most, shown)
    // One of them came at another pace than the others.
    if (most < least) [least, most] = [hidden, shown]
    if (most - least <= 1.25 * intervalMs) lag = most
  }

  /** Milliseconds between two records, if these are about the same. */
  const regular = () => {
    const isRegular = (spacing.leastMean() ?? 0) > 0.95 * (spacing.mean() ?? 0)
    return isRegular ? spacing.median() : undefined
  }

  /** Takes that the record after the newest one is not shown yet. */
  const boundByNext = (date: number) => {
    const next = regular()
    if (lag !== undefined || time === undefined || next === undefined) return
    boundLag(Number.POSITIVE_INFINITY, date - time - next)
  }

  const longest = () => {
    const elapsed = time === undefined || lag === undefined ? 0 : clock.date() - time - lag
    const leastMean = spacing.leastMean(elapsed) ?? longestExpectedMs
    return Math.max(intervalMs, Math.min(longestExpectedMs, leastMean + intervalMs))
  }

  return {
    longest,
    seen({ position, records = [] }, ageMs = 0) {
      const date = clock.date() - ageMs
      const before = lookedAt ?? Number.NEGATIVE_INFINITY
      lookedAt = date
      if (position <= highest) return boundByNext(date)
      const newest = records.find((record) => positionOf(record) === position)
      time = newest && timeOf?.(newest)
      if (timeOf) {
        const times = records.map((record) => ({
          position: positionOf(record),
          time: timeOf(record),
        }))
        spacing.add(times, highest)
      }
      highest = position
      if (time === undefined) return
      const [shown, hidden] = [date - time, before - time]
      if (lag === undefined) {
        boundLag(shown, hidden)
        boundByNext(date)
      } else if (lag > hidden) lag = Math.min(lag, shown) - (isFrequent ? step : 0)
      else lag = Math.min(shown, hidden + 1.25 * intervalMs)
    },
    wait(usual, interval = intervalMs) {
      const median = spacing.median()
      if (time === undefined || median === undefined || lag === undefined) return usual
      const untilDue = time + lag + median - (lookedAt ?? time)
      isFrequent = interval <= intervalMs
      if (!isFrequent && untilDue > 0) {
        const limit = Math.max(interval, longestExpectedMs)
        const more = Math.ceil(Math.max(0, interval - untilDue) / median) * median
        if (more <= interval && untilDue + more <= limit) return untilDue + more
        const part = untilDue / Math.ceil(untilDue / limit)
        return part >= interval ? part : usual
      }
      if (untilDue > interval) return Math.max(interval, untilDue / Math.ceil(untilDue / longest()))
      return Math.max(usual, Math.min(longest(), -untilDue / 2))
    },
  }
}
