import type { Cache } from '../kit/cache/cache.ts'
import { createSharedWork } from '../kit/cache/singleFlight.ts'
import { pause } from '../kit/clock/clock.ts'
import type { Signal } from '../kit/clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import { Faults, type OnStuck } from './faults.ts'
import type { PollScheduler } from './pollScheduler.ts'
import { type Ranged, type SequenceSource, UnreadableAt } from './sequenceSource.ts'

/** The records of a source, starting at a position. */
export interface RecordRange<T> {
  /** Consecutive, and at most `rangeSize`. Empty when the head falls below the position. */
  readonly records: readonly T[]
  /** The last position without a record, if there is none at the first one. */
  readonly missingTo?: bigint
  /** Whether the records up to there exist, but cannot be read. */
  readonly isUnreadable?: boolean
}

/** Reads the records of one source for all its listeners. */
export interface RecordLog<T> {
  /**
   * The records, starting at a position. Retries faults, and rejects with the last one after
   * `maxUnavailableMs`. A record counts as missing if a later one exists and it is not found for `maxGapMs`,
   * or at once if it is far below the head. An unreadable record is reported at once.
   */
  read(from: bigint, signal: Signal): Promise<RecordRange<T>>
  /** The last fault of the reads from a position, while they fail again and again. */
  stuckBy(from: bigint): Faults['stuckBy']
  /** The record at a position, if it was read lately. */
  kept(position: bigint): T | undefined
  /** Keeps records that were read by other means. */
  keep(records: readonly T[]): void
}

export interface RecordLogContext {
  readonly requests: PollScheduler
  /** The newest position as of the last poll. */
  readonly head: () => bigint
  /** How long a record at or below the head may be missing, in milliseconds. */
  readonly maxGapMs: number
  /** Since when each record has been missing, on the clock of `requests`. All readers of the source share it. */
  readonly missingSince: Cache<number>
  /** How many of the records read last are kept for other listeners. */
  readonly windowSize: number
  readonly onStuck: OnStuck
}

/** A replica that is behind may lack so many of the newest records. */
const nearHead = 100n

/**
 * Opens the reader of a source. Listeners at one position share a request. Requests end at multiples of
 * `rangeSize`, so that listeners that catch up from different positions soon share them too.
 */
export function createRecordLog<T extends object>(
  source: SequenceSource<T>,
  context: RecordLogContext,
): RecordLog<T> {
  const { requests, head, maxGapMs, missingSince, windowSize, onStuck } = context
  const { clock, maxUnavailableMs } = requests
  const { messages, positionOf } = source
  const size = BigInt(source.rangeSize)
  const shared = createSharedWork()
  const window = new Map<bigint, T>()
  /** The faults of the reads under way, by their first positions. */
  const faultsAt = new Map<bigint, Faults>()
  const placeOf = (entry: Ranged<T>): bigint =>
    entry instanceof UnreadableAt ? entry.position : positionOf(entry)

  const nameOf = (position: bigint) => `${source.topic.name} ${source.key} ${position}`

  const keep = (records: readonly T[]) => {
    for (const record of records) {
      const position = positionOf(record)
      if (missingSince.size > 0) missingSince.delete(nameOf(position))
      if (!window.has(position)) window.set(position, record)
    }
    for (const position of window.keys()) {
      if (window.size <= windowSize) break
      window.delete(position)
    }
  }

  const keptFrom = (from: bigint): T[] => {
    const records: T[] = []
    for (let position = from; records.length < source.rangeSize; position += 1n) {
      const record = window.get(position)
      if (record === undefined) break
      records.push(record)
    }
    return records
  }

  const keptAfter = (position: bigint): boolean => {
    for (const key of window.keys()) if (key > position) return true
    return false
  }

  const lastOfRange = (from: bigint): bigint => {
    const last = (from / size + 1n) * size - 1n
    return last < head() ? last : head()
  }

  const request = async (
    from: bigint,
    to: bigint,
    signal: Signal,
  ): Promise<readonly Ranged<T>[]> => {
    const options = { signal, timeoutMessage: messages.timeout }
    const response = await requests.run(options, (deadline) => source.range(from, to, deadline))
    let previous = from - 1n
    for (const position of response.map(placeOf)) {
      if (position <= previous || position > to) {
        throw new GatewayError('UPSTREAM_INVALID_RESPONSE', messages.invalid)
      }
      previous = position
    }
    return response
  }

  /** The records of a response from a position, up to a gap. Some may be unreadable. Undefined if there are none. */
  const leadingOf = (response: readonly Ranged<T>[], from: bigint): RecordRange<T> | undefined => {
    // Records after a missing one are requested again.
    const run = response.filter((entry, index) => placeOf(entry) === from + BigInt(index))
    const readableAt = run.findIndex(isRecord)
    if (readableAt === 0) {
      const end = run.findIndex((entry) => !isRecord(entry))
      return { records: run.slice(0, end < 0 ? run.length : end).filter(isRecord) }
    }
    const count = readableAt < 0 ? run.length : readableAt
    if (count === 0) return undefined
    return { records: [], missingTo: from + BigInt(count) - 1n, isUnreadable: true }
  }

  const fetchFrom = async (
    from: bigint,
    signal: Signal,
    stuck: Faults,
  ): Promise<RecordRange<T>> => {
    const startedAt = clock.now()
    let since: number | undefined
    let missingTo: bigint | undefined
    for (let faults = 1; from <= head(); faults += 1) {
      let fault: unknown
      // It may have come with the head meanwhile.
      const known = keptFrom(from)
      if (known.length > 0) return { records: known }
      try {
        const to = lastOfRange(from)
        const response = await request(from, to, signal)
        keep(response.filter(isRecord))
        stuck.clear()
        const leading = leadingOf(response, from)
        if (leading) return leading
        const [first] = response
        since ??= missingSince.get(nameOf(from)) ?? clock.now()
        missingSince.set(nameOf(from), since)
        missingTo = first ? placeOf(first) - 1n : keptAfter(to) ? to : undefined
        // A source that has later records, far below its head, never gets the missing ones.
        if (missingTo !== undefined && first && head() - placeOf(first) >= nearHead)
          return { records: [], missingTo }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        fault = error
        stuck.add(error)
        if (source.isFatal(error) || clock.now() - startedAt >= maxUnavailableMs) throw error
      }
      const missingMs = since === undefined ? -1 : clock.now() - since
      // If no later record exists, the list may only be behind the head, as at another replica.
      const isGap = missingTo !== undefined && missingMs >= maxGapMs
      if (isGap || missingMs >= maxUnavailableMs) {
        return { records: [], missingTo: missingTo ?? lastOfRange(from) }
      }
      await pause(clock, requests.retryDelay(faults, fault), signal)
    }
    return { records: [] }
  }

  return {
    keep,
    kept: (position) => window.get(position),
    async read(from, signal) {
      const records = keptFrom(from)
      if (records.length > 0) return { records }
      return shared.run(`${from}`, signal, async (work) => {
        const faults = new Faults(`${source.topic.name} of ${source.key}`, onStuck)
        faultsAt.set(from, faults)
        return fetchFrom(from, work, faults).finally(() => faultsAt.delete(from))
      })
    },
    stuckBy: (from) => faultsAt.get(from)?.stuckBy,
  }
}

const isRecord = <T>(entry: Ranged<T>): entry is T => !(entry instanceof UnreadableAt)
