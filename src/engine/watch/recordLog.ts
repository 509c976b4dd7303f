import type { Cache } from '../../kit/cache/cache.ts'
import { SharedWork } from '../../kit/cache/singleFlight.ts'
import { pause } from '../../kit/clock/clock.ts'
import type { Signal } from '../../kit/clock/signal.ts'
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

/** A replica that is behind may lack this many of the newest records. */
const nearHead = 100n

/**
 * Reads the records of one source for all its listeners. Listeners at one position share a request. Requests end at
 * multiples of `rangeSize`, so that listeners that catch up from different positions soon share them too.
 */
export class RecordLog<T extends object> {
  readonly #source: SequenceSource<T>
  readonly #context: RecordLogContext
  readonly #reads = new SharedWork()
  readonly #window = new Map<bigint, T>()
  /** The positions among those of the window whose records cannot be read. */
  readonly #unreadable = new Set<bigint>()
  /** The faults of the reads under way, by their first positions. */
  readonly #faultsAt = new Map<bigint, Faults>()

  constructor(source: SequenceSource<T>, context: RecordLogContext) {
    this.#source = source
    this.#context = context
  }

  /**
   * The records, starting at a position. Retries faults, and rejects with the last one after
   * `maxUnavailableMs`. A record counts as missing if a later one exists and it is not found for `maxGapMs`,
   * or at once if it is far below the head. An unreadable record is reported at once.
   */
  async read(from: bigint, signal: Signal): Promise<RecordRange<T>> {
    const records = this.#keptFrom(from)
    if (records.length > 0) return { records }
    if (this.#unreadable.has(from)) {
      let missingTo = from
      while (this.#unreadable.has(missingTo + 1n)) missingTo += 1n
      return { records, missingTo, isUnreadable: true }
    }
    const { topic, key } = this.#source
    return this.#reads.run(`${from}`, signal, async (work) => {
      const faults = new Faults(`${topic.name} of ${key}`, this.#context.onStuck)
      this.#faultsAt.set(from, faults)
      return this.#fetchFrom(from, work, faults).finally(() => this.#faultsAt.delete(from))
    })
  }

  /** The last fault of the reads from a position, while they fail again and again. */
  stuckBy(from: bigint): Faults['stuckBy'] {
    return this.#faultsAt.get(from)?.stuckBy
  }

  /** The record at a position, if it was read lately. */
  kept(position: bigint): T | undefined {
    return this.#window.get(position)
  }

  /** Keeps records that were read by other means, and which positions between them have one that cannot be read. */
  keep(records: readonly T[], unreadable: readonly bigint[] = []): void {
    const { missingSince, windowSize } = this.#context
    for (const record of records) {
      const position = this.#source.positionOf(record)
      if (missingSince.size > 0) missingSince.delete(this.#nameOf(position))
      this.#unreadable.delete(position)
      if (!this.#window.has(position)) this.#window.set(position, record)
    }
    for (const position of this.#window.keys()) {
      if (this.#window.size <= windowSize) break
      this.#window.delete(position)
    }
    for (const position of unreadable) if (!this.#window.has(position)) this.#unreadable.add(position)
    for (const position of this.#unreadable) {
      if (this.#unreadable.size <= windowSize) break
      this.#unreadable.delete(position)
    }
  }

  #nameOf(position: bigint): string {
    return `${this.#source.topic.name} ${this.#source.key} ${position}`
  }

  #placeOf(entry: Ranged<T>): bigint {
    return entry instanceof UnreadableAt ? entry.position : this.#source.positionOf(entry)
  }

  #keptFrom(from: bigint): T[] {
    const records: T[] = []
    for (let position = from; records.length < this.#source.rangeSize; position += 1n) {
      const record = this.#window.get(position)
      if (record === undefined) break
      records.push(record)
    }
    return records
  }

  #hasLaterThan(position: bigint): boolean {
    for (const key of this.#window.keys()) if (key > position) return true
    return false
  }

  #lastOfRange(from: bigint): bigint {
    const size = BigInt(this.#source.rangeSize)
    const last = (from / size + 1n) * size - 1n
    const head = this.#context.head()
    return last < head ? last : head
  }

  async #request(from: bigint, to: bigint, signal: Signal): Promise<readonly Ranged<T>[]> {
    const { messages, range } = this.#source
    const options = { signal, timeoutMessage: messages.timeout }
    const response = await this.#context.requests.run(options, (deadline) => range(from, to, deadline))
    let previous = from - 1n
    for (const entry of response) {
      const position = this.#placeOf(entry)
      if (position <= previous || position > to) {
        throw new GatewayError('UPSTREAM_INVALID_RESPONSE', messages.invalid)
      }
      previous = position
    }
    return response
  }

  /** The records of a response from a position, up to a gap. Some may be unreadable. Undefined if there are none. */
  #leadingOf(response: readonly Ranged<T>[], from: bigint): RecordRange<T> | undefined {
    // Records after a missing one are requested again.
    const run = response.filter((entry, index) => this.#placeOf(entry) === from + BigInt(index))
    const readableAt = run.findIndex(isRecord)
    if (readableAt === 0) {
      const end = run.findIndex((entry) => !isRecord(entry))
      return { records: run.slice(0, end < 0 ? run.length : end).filter(isRecord) }
    }
    const count = readableAt < 0 ? run.length : readableAt
    if (count === 0) return undefined
    return { records: [], missingTo: from + BigInt(count) - 1n, isUnreadable: true }
  }

  async #fetchFrom(from: bigint, signal: Signal, stuck: Faults): Promise<RecordRange<T>> {
    const { requests, head, maxGapMs, missingSince } = this.#context
    const { clock, maxUnavailableMs } = requests
    const startedAt = clock.now()
    let since: number | undefined
    let missingTo: bigint | undefined
    for (let faults = 1; from <= head(); faults += 1) {
      let fault: unknown
      // It may have come with the head meanwhile.
      const known = this.#keptFrom(from)
      if (known.length > 0) return { records: known }
      try {
        const to = this.#lastOfRange(from)
        const response = await this.#request(from, to, signal)
        this.keep(response.filter(isRecord))
        stuck.clear()
        const leading = this.#leadingOf(response, from)
        if (leading) return leading
        const [first] = response
        since ??= missingSince.get(this.#nameOf(from)) ?? clock.now()
        missingSince.set(this.#nameOf(from), since)
        missingTo = first ? this.#placeOf(first) - 1n : this.#hasLaterThan(to) ? to : undefined
        // A source that has later records, far below its head, never gets the missing ones.
        if (missingTo !== undefined && first && head() - this.#placeOf(first) >= nearHead)
          return { records: [], missingTo }
      } catch (error) {
        if (signal.aborted) throw signal.reason
        fault = error
        stuck.add(error)
        if (this.#source.isFatal(error) || clock.now() - startedAt >= maxUnavailableMs) throw error
      }
      const missingMs = since === undefined ? -1 : clock.now() - since
      // If no later record exists, the list may only be behind the head, as at another replica.
      const isGap = missingTo !== undefined && missingMs >= maxGapMs
      if (isGap || missingMs >= maxUnavailableMs) {
        return { records: [], missingTo: missingTo ?? this.#lastOfRange(from) }
      }
      await pause(clock, requests.retryDelay(faults, fault), signal)
    }
    return { records: [] }
  }
}

const isRecord = <T>(entry: Ranged<T>): entry is T => !(entry instanceof UnreadableAt)
