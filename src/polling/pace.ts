import type { Clock } from '../clock/clock.ts'
import type { FeedSource, FeedTop } from './feedSource.ts'

/** The longest wait between two looks, in milliseconds, unless the interval of the source is longer. */
const longestWait = 6_000

/** Chooses when to look at the head of a source: soon after its next record is due. */
export interface Pace<T extends object> {
  /** Takes what a look has shown, and how many milliseconds ago that was read. */
  seen(top: FeedTop<T>, ageMs?: number): void
  /** Milliseconds from the last look to the next one. `usual` is the interval, with or without jitter. */
  wait(usual: number): number
}

type Paced<T extends object> = Pick<FeedSource<T>, 'intervalMs' | 'positionOf' | 'timeOf'>

/**
 * Learns how far apart the records of a source are, from their times, and how long after its time the source
 * shows one. The next look is when a record is due, if that is later than the interval.
 *
 * - What is learnt last counts: each look that finds its record comes a little earlier for the next one, and
 *   a look that came too early is repeated after the interval.
 * - While a record is overdue, the waits grow to half of the time for which it is.
 * - No wait is longer than six seconds: a chain can make a block at once when it gets a transaction.
 */
export function createPace<T extends object>(
  { intervalMs, positionOf, timeOf }: Paced<T>,
  clock: Pick<Clock, 'date'>,
): Pace<T> {
  const step = intervalMs / 20
  let highest = -1n
  /** Milliseconds between two records: the median of those seen last. */
  let spacing: number | undefined
  /** The time of the newest record, as it says. */
  let time: number | undefined
  /** Milliseconds from the time of a record until the source shows it. */
  let lag: number | undefined
  /** The date of the last look. */
  let lookedAt: number | undefined

  const learnLag = (sample: number, tooEarly: number) => {
    if (lag === undefined) {
      if (sample - tooEarly <= 2 * intervalMs) lag = sample
    } else lag = lag <= tooEarly ? sample : Math.min(lag, sample) - step
  }

  return {
    seen({ position, records = [] }, ageMs = 0) {
      const date = clock.date() - ageMs
      const before = lookedAt ?? Number.NEGATIVE_INFINITY
      lookedAt = date
      if (position <= highest) return
      highest = position
      const newest = records.find((record) => positionOf(record) === position)
      time = newest && timeOf?.(newest)
      spacing = timeOf && medianSpacing(records, positionOf, timeOf)
      if (time !== undefined) learnLag(date - time, before - time)
    },
    wait(usual) {
      if (time === undefined || spacing === undefined || lag === undefined) return usual
      const untilDue = time + lag + spacing - (lookedAt ?? time)
      if (untilDue > intervalMs) return untilDue / Math.ceil(untilDue / longestWait)
      return Math.max(usual, Math.min(longestWait, -untilDue / 2))
    },
  }
}

/** The median of the milliseconds from each record to the next. Undefined for fewer than two. */
function medianSpacing<T>(
  records: readonly T[],
  positionOf: (record: T) => bigint,
  timeOf: (record: T) => number,
): number | undefined {
  const sorted = records
    .map((record) => ({ position: Number(positionOf(record)), time: timeOf(record) }))
    .sort((a, b) => a.position - b.position)
  const spacings = sorted
    .slice(1)
    .map(({ position, time }, index) => {
      const previous = sorted[index]
      return previous ? (time - previous.time) / (position - previous.position) : Number.NaN
    })
    .filter((spacing) => spacing >= 0)
    .sort((a, b) => a - b)
  return spacings[spacings.length >> 1]
}
