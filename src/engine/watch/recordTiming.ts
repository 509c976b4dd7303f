import { type Expected, longestExpectedMs } from './nextDelay.ts'
import type { SequenceSource, SequenceTop } from './sequenceSource.ts'

/**
 * When the records of a source come: how far apart they are, by their times, and how long after its time the
 * source shows one. Times and lags are in milliseconds, and dates by this machine.
 */
export interface Timing {
  readonly highest: bigint
  readonly spacing: Spacing
  /** The time of the newest record, as it says. */
  readonly time?: number | undefined
  /** From the time of a record until the source shows it. */
  readonly lag?: number
  /** The bounds of the lag, before it is known. */
  readonly least: number
  readonly most: number
  /** The date of the last poll. */
  readonly polledAt?: number
}

/** The part of a source that its timing uses. */
export type TimedSource<T extends object> = Pick<SequenceSource<T>, 'intervalMs' | 'positionOf' | 'timeOf'>

/** Before the first poll. */
export const unknownTiming: Timing = {
  highest: -1n,
  spacing: { known: [], median: undefined },
  least: Number.NEGATIVE_INFINITY,
  most: Number.POSITIVE_INFINITY,
}

/**
 * The timing after a poll that was read at a date. The last observation counts: each poll that finds its record
 * makes the next one a little earlier, if polls are frequent, and an early poll makes the next one later.
 */
export function observeTop<T extends object>(
  source: TimedSource<T>,
  before: Timing,
  { position: readable, unreadable, records = [] }: SequenceTop<T>,
  poll: { readonly date: number; readonly isFrequent: boolean },
): Timing {
  const { intervalMs, positionOf, timeOf } = source
  const { date, isFrequent } = poll
  const timing = { ...before, polledAt: date }
  const position = unreadable ?? readable
  if (position <= before.highest) return boundByNext(timing, intervalMs)
  const newest = records.find((record) => positionOf(record) === position)
  const time = newest && timeOf?.(newest)
  const times = timeOf ? records.map((record) => ({ position: positionOf(record), time: timeOf(record) })) : []
  const spacing = timeOf ? addRecords(before.spacing, times, before.highest) : before.spacing
  const moved: Timing = { ...timing, time, spacing, highest: position }
  if (time === undefined) return { ...moved, time: guessTime(before, spacing, position) }
  const { lag } = before
  const shown = date - time
  const hidden = (before.polledAt ?? Number.NEGATIVE_INFINITY) - time
  if (lag === undefined) return boundByNext(boundLag(moved, intervalMs, shown, hidden), intervalMs)
  if (lag <= hidden) return { ...moved, lag: Math.min(shown, hidden + 1.25 * intervalMs) }
  return { ...moved, lag: Math.min(lag, shown) - (isFrequent ? intervalMs / 20 : 0) }
}

/** The time of a record that shows none, from the records before it. Undefined without them. */
function guessTime({ time, highest }: Timing, { median }: Spacing, position: bigint) {
  return time === undefined || median === undefined ? undefined : time + median * Number(position - highest)
}

/** Narrows the lag: a record was shown `shown` milliseconds after its time, and not yet `hidden` after it. */
function boundLag(timing: Timing, intervalMs: number, shown: number, hidden: number): Timing {
  let least = Math.max(timing.least, hidden)
  let most = Math.min(timing.most, shown)
  // One of the records came later or earlier than the others: the bounds begin anew.
  if (most < least) [least, most] = [hidden, shown]
  const bounded = { ...timing, least, most }
  return most - least <= 1.25 * intervalMs ? { ...bounded, lag: most } : bounded
}

/** Narrows the lag: the record after the newest one is not shown yet. */
function boundByNext(timing: Timing, intervalMs: number): Timing {
  const { lag, time, spacing, polledAt = 0 } = timing
  const isRegular = (computeLeastMean(spacing) ?? 0) > 0.95 * (computeMean(spacing) ?? 0)
  const next = isRegular ? spacing.median : undefined
  if (lag !== undefined || time === undefined || next === undefined) return timing
  return boundLag(timing, intervalMs, Number.POSITIVE_INFINITY, polledAt - time - next)
}

/** When the next record is due. Undefined if that is not known. */
export function findExpected(timing: Timing, intervalMs: number, date: number): Expected | undefined {
  const { time, lag, spacing, polledAt = time } = timing
  const everyMs = spacing.median
  if (time === undefined || polledAt === undefined) return undefined
  if (lag === undefined || everyMs === undefined) return undefined
  const longestMs = longestWait(timing, intervalMs, date)
  return { inMs: time + lag + everyMs - polledAt, everyMs, longestMs }
}

/**
 * The most milliseconds between two polls at that interval, while a record is not overdue: the mean time between
 * records and an interval, however irregular they are, and at most six seconds.
 */
export function longestWait(timing: Timing, intervalMs: number, date: number): number {
  const { time, lag, spacing } = timing
  const elapsed = time === undefined || lag === undefined ? 0 : date - time - lag
  const mean = computeLeastMean(spacing, elapsed) ?? longestExpectedMs
  return Math.max(intervalMs, Math.min(longestExpectedMs, mean + intervalMs))
}

/** A record of a sequence, and its time in milliseconds. */
export interface Interval {
  readonly position: bigint
  readonly time: number
}

/** How far apart the records of a sequence are, in milliseconds. */
export interface Spacing {
  /** The times between the newest records, oldest first. */
  readonly known: readonly number[]
  /** The usual time between two records of the last page. Undefined if it has fewer. */
  readonly median: number | undefined
}

/** The number of gaps between two records that are remembered. */
const size = 50

/** Adds the records of a page. Those up to the position `from` were added before. */
function addRecords(spacing: Spacing, records: readonly Interval[], from: bigint): Spacing {
  const sorted = records.toSorted((a, b) => Number(a.position - b.position))
  const found = sorted.flatMap(({ position, time }, index) => {
    const previous = sorted[index - 1]
    const apart = previous && (time - previous.time) / Number(position - previous.position)
    return apart !== undefined && apart >= 0 ? { position, apart } : []
  })
  const added = found.filter(({ position }) => position > from)
  return {
    known: [...spacing.known, ...added.map(({ apart }) => apart)].slice(-size),
    median: found.map(({ apart }) => apart).sort((a, b) => a - b)[found.length >> 1],
  }
}

/** The mean time between two records. Undefined before two are known. */
const computeMean = ({ known }: Spacing): number | undefined =>
  known.length === 0 ? undefined : known.reduce((sum, apart) => sum + apart, 0) / known.length

/**
 * A cautious estimate of the mean time between records: two standard errors below the mean of the known times, so lower if these
 * are few or irregular. `elapsed`, the time since the newest record, raises it once it is longer than the mean.
 */
function computeLeastMean(spacing: Spacing, elapsed = 0): number | undefined {
  const { known } = spacing
  const mean = computeMean(spacing)
  if (mean === undefined) return undefined
  const squares = known.reduce((sum, apart) => sum + (apart - mean) ** 2, 0)
  const error = Math.sqrt(squares) / known.length
  const more = Math.max(0, elapsed - mean) / (known.length + 1)
  return Math.max(0, mean + more - 2 * error)
}
