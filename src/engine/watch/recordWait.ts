import type { Push, Stop } from '@repeaterjs/repeater'
import type { Cache } from '../../kit/cache/cache.ts'
import type { CacheRegion } from '../../kit/cache/region.ts'
import type { SharedWork } from '../../kit/cache/singleFlight.ts'
import type { TypedKey } from '../../kit/cache/typedKey.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import type { PollScheduler } from './pollScheduler.ts'
import { fullDemand, type SequenceSource } from './sequenceSource.ts'
import type { SequenceWatch } from './sequenceWatch.ts'
import { Subscription } from './subscription.ts'

/** A record to wait for, and how it is fetched. */
export interface Awaited<T, R> {
  /** All who wait for the same record of one source share each request. */
  readonly key: TypedKey<R | null>
  /** Null while the source does not have it. */
  readonly fetch: (signal: Signal) => Promise<R | null>
  /** Whether it may have come with a record of the source. Default: any record. */
  readonly mayContain?: (record: T) => boolean
  /** Called at the start. It may throw. The function it returns is called at the end. */
  readonly reserve: () => () => void
  /** Messages for clients when it does not come. */
  readonly messages: { readonly timeout: string; readonly notFound: string }
}

/** The chain's head at the time of the fetch. Undefined until it is known. */
export interface FetchedHead {
  position: bigint | undefined
}

/** The heads at which records were absent, by their keys. Whoever waits for one within a second need not fetch it. */
export const absentRecords: CacheRegion<FetchedHead> = {
  name: 'absent records',
  maxEntries: 1_000,
  ttlMs: 1_000,
}

/** The longest time between two fetches without a new head, in milliseconds. */
const idleFetchMs = 5_000

interface RecordWaitOptions<T extends object, R> extends Awaited<T, R> {
  readonly source: SequenceSource<T>
  readonly sequence: SequenceWatch<T>
  readonly requests: PollScheduler
  readonly flights: SharedWork
  readonly absent: Cache<FetchedHead>
  readonly push: Push<R | null>
  readonly stop: Stop
}

/**
 * Fetches at once, then after each new head that may contain it. It is fetched without one too, as often as heads
 * come, at least every five seconds: the source can have a head before the records that come with it. Sends null
 * if the first answer is null, then the answer, and stops. Faults are retried. Stops with
 * `UPSTREAM_REJECTED` when there is no answer for `maxUnavailableMs`, or with the fault that has lasted so
 * long.
 */
export class RecordWait<T extends object, R> {
  readonly #options: RecordWaitOptions<T, R>
  readonly #subscription: Subscription
  readonly #startedAt: number
  #isNullSent = false
  /** The fetches in a row that have failed. */
  #faults = 0

  constructor(options: RecordWaitOptions<T, R>) {
    const { source, sequence, requests, reserve, stop } = options
    stop.then(reserve())
    this.#options = options
    this.#startedAt = requests.clock.now()
    this.#subscription = new Subscription(sequence, stop, fullDemand(source))
  }

  start(): void {
    this.#subscription.repeat(() => this.#next())
  }

  /** Fetches once, and waits until it is time to fetch again. */
  async #next(): Promise<void> {
    const { sequence, absent, requests, key, messages, push, stop } = this.#options
    const { signal } = this.#subscription
    const known = this.#isNullSent ? undefined : absent.get(key)
    const isAbsent = known !== undefined && !this.#mayHaveCome(known)
    const head = isAbsent ? known : { position: headOf(sequence) }
    let fault: unknown
    try {
      const answer = isAbsent ? null : await this.#fetch(head)
      this.#faults = 0
      if (signal.aborted) return
      if (answer !== null) {
        await push(answer)
        return stop()
      }
      if (!this.#isNullSent) await push(null)
      this.#isNullSent = true
    } catch (error) {
      if (signal.aborted) return
      fault = error
      this.#faults += 1
    }
    if (requests.clock.now() - this.#startedAt >= requests.maxUnavailableMs) {
      throw fault ?? new GatewayError('UPSTREAM_REJECTED', messages.notFound)
    }
    if (fault === undefined) await this.#turn(Math.min(idleFetchMs, sequence.longestWait()), head)
    else await this.#turn(requests.retryDelay(this.#faults, fault))
  }

  async #fetch(head: FetchedHead): Promise<R | null> {
    const { key, flights, requests, absent, fetch, messages } = this.#options
    const answer = await flights.run(key, this.#subscription.signal, (signal) =>
      requests.run({ signal, timeoutMessage: messages.timeout }, fetch),
    )
    if (answer === null) absent.set(key, head)
    return answer
  }

  /** Whether a newer head may contain it. The first head to be known is where to start from. */
  #mayHaveCome(from: FetchedHead): boolean {
    const { sequence, mayContain } = this.#options
    const now = headOf(sequence)
    if (now === undefined) return false
    from.position ??= now
    for (let position = now; position > from.position; position -= 1n) {
      const record = sequence.log.kept(position)
      if (record === undefined || (mayContain?.(record) ?? true)) return true
    }
    return false
  }

  /** Resolves at such a head above this one, if there is one, or after that many milliseconds. */
  #turn(milliseconds: number, head?: FetchedHead): Promise<void> {
    const { clock } = this.#options.requests
    return new Promise<void>((resolve) => {
      const end = () => {
        cancel()
        this.#subscription.onWake(() => {})
        resolve()
      }
      const cancel = clock.after(milliseconds, end)
      const wake = () => {
        const isNew = head !== undefined && this.#mayHaveCome(head)
        if (this.#subscription.signal.aborted || isNew) end()
      }
      this.#subscription.onWake(wake)
      wake()
    })
  }
}

/** Undefined while the head is not known, and once polling has ended. */
function headOf<T extends object>(sequence: SequenceWatch<T>): bigint | undefined {
  try {
    return sequence.head()?.position
  } catch {
    return undefined
  }
}
