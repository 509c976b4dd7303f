import { createSingleFlight } from '../cache/singleFlight.ts'
import { pause } from '../clock/clock.ts'
import type { Signal } from '../clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import type { FeedSource } from './feedSource.ts'
import type { Requests } from './requests.ts'

/** Reads the records of one source for all its listeners. */
export interface FeedReader<T> {
  /**
   * The records from a position on: consecutive, and at most `rangeSize`. Empty when the head falls below
   * the position. Retries faults; rejects with the last one after
   * `maxUnavailableMs`, and with `UPSTREAM_INVALID_RESPONSE` when the record is missing for `maxGapMs`.
   */
  read(from: bigint, signal: Signal): Promise<readonly T[]>
}

/** What a reader runs on. */
export interface FeedReaderContext {
  readonly requests: Requests
  /** The newest position as of the last poll. */
  readonly head: () => bigint
  /** Milliseconds for which a record at or below the head may be missing. */
  readonly maxGapMs: number
  /** How many of the records read last are kept for other listeners. */
  readonly windowSize: number
}

/**
 * Opens the reader of a source. Listeners at one position share a request. Requests end at multiples of
 * `rangeSize`, so that listeners that catch up from different positions soon share them too.
 */
export function createFeedReader<T extends object>(
  source: FeedSource<T>,
  context: FeedReaderContext,
): FeedReader<T> {
  const { requests, head, maxGapMs, windowSize } = context
  const { clock, maxUnavailableMs } = requests
  const { messages, positionOf } = source
  const size = BigInt(source.rangeSize)
  const flights = createSingleFlight()
  const window = new Map<bigint, T>()

  const keep = (records: readonly T[]) => {
    for (const record of records) window.set(positionOf(record), record)
    for (const position of window.keys()) {
      if (window.size <= windowSize) break
      window.delete(position)
    }
  }

  const kept = (from: bigint): T[] => {
    const records: T[] = []
    for (let position = from; records.length < source.rangeSize; position += 1n) {
      const record = window.get(position)
      if (record === undefined) break
      records.push(record)
    }
    return records
  }

  const lastOfRange = (from: bigint): bigint => {
    const last = (from / size + 1n) * size - 1n
    return last < head() ? last : head()
  }

  /** One request. The records up to the first one missing; what follows that is requested again. */
  const request = async (from: bigint, to: bigint, signal: Signal): Promise<T[]> => {
    const options = { signal, timeoutMessage: messages.timeout }
    const response = await requests.run(options, (deadline) => source.range(from, to, deadline))
    let previous = from - 1n
    for (const position of response.map(positionOf)) {
      if (position <= previous || position > to) {
        throw new GatewayError('UPSTREAM_INVALID_RESPONSE', messages.invalid)
      }
      previous = position
    }
    return response.filter((record, index) => positionOf(record) === from + BigInt(index))
  }

  const fetchFrom = async (from: bigint, signal: Signal): Promise<T[]> => {
    const startedAt = clock.now()
    let missingSince: number | undefined
    for (let faults = 1; from <= head(); faults += 1) {
      let fault: unknown
      try {
        const records = await request(from, lastOfRange(from), signal)
        keep(records)
        if (records.length > 0) return records
        missingSince ??= clock.now()
      } catch (error) {
        if (signal.aborted) throw signal.reason
        fault = error
        if (source.isFatal(error) || clock.now() - startedAt >= maxUnavailableMs) throw error
      }
      if (missingSince !== undefined && clock.now() - missingSince >= maxGapMs) {
        const reason = 'RECORD_MISSING'
        throw new GatewayError('UPSTREAM_INVALID_RESPONSE', messages.missing(from), { reason })
      }
      await pause(clock, requests.retryDelay(faults, fault), signal)
    }
    return []
  }

  return {
    async read(from, signal) {
      const records = kept(from)
      if (records.length > 0) return records
      return flights.run(`${from}`, signal, (work) => fetchFrom(from, work.signal))
    },
  }
}
