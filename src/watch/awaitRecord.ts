import type { Push, Stop } from '@repeaterjs/repeater'
import type { SharedWork } from '../kit/cache/singleFlight.ts'
import type { TypedKey } from '../kit/cache/typedKey.ts'
import type { Signal } from '../kit/clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import { subscribe } from './delivery.ts'
import type { PollScheduler } from './pollScheduler.ts'
import { fullDemand, type SequenceSource } from './sequenceSource.ts'
import type { SequenceWatch } from './sequenceWatch.ts'

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

/** The head when the record was fetched, once that is known. */
interface Head {
  position: bigint | undefined
}

/** The longest time between two fetches without a new head, in milliseconds. */
const idleFetchMs = 5_000

/**
 * Fetches at once, then after each new head that may contain it. It is fetched without one too, as often as heads
 * come, at least every five seconds: the source can have a head before the records that come with it. Sends null
 * if the first answer is null, then the answer, and stops. Faults are retried. Stops with
 * `UPSTREAM_REJECTED` when there is no answer for `maxUnavailableMs`, or with the fault that has lasted so
 * long.
 */
export function awaitRecord<T extends object, R>(
  { key, fetch, mayContain, reserve, messages }: Awaited<T, R>,
  options: {
    readonly source: SequenceSource<T>
    readonly sequence: SequenceWatch<T>
    readonly requests: PollScheduler
    readonly flights: SharedWork
    readonly push: Push<R | null>
    readonly stop: Stop
  },
): void {
  const { source, sequence, requests, flights, push, stop } = options
  const { clock, maxUnavailableMs } = requests
  stop.then(reserve())
  const startedAt = clock.now()
  const subscription = subscribe(sequence, stop, fullDemand(source))
  const { signal } = subscription

  /** Whether a newer head may contain it. The first head to be known is where to start from. */
  const isBrought = (from: Head): boolean => {
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
  const nextTurn = (milliseconds: number, head?: Head) =>
    new Promise<void>((resolve) => {
      const end = () => {
        cancel()
        subscription.onWake(() => {})
        resolve()
      }
      const cancel = clock.after(milliseconds, end)
      const wake = () => {
        const isNew = head !== undefined && isBrought(head)
        if (signal.aborted || isNew) end()
      }
      subscription.onWake(wake)
      wake()
    })

  const run = async () => {
    let isNullSent = false
    for (let faults = 0; !signal.aborted; ) {
      const head: Head = { position: headOf(sequence) }
      let fault: unknown
      try {
        const answer = await flights.run(key, signal, (work) =>
          requests.run({ signal: work, timeoutMessage: messages.timeout }, fetch),
        )
        faults = 0
        if (signal.aborted) return
        if (answer !== null) {
          await push(answer)
          return stop()
        }
        if (!isNullSent) await push(null)
        isNullSent = true
      } catch (error) {
        if (signal.aborted) return
        fault = error
        faults += 1
      }
      if (clock.now() - startedAt >= maxUnavailableMs) {
        throw fault ?? new GatewayError('UPSTREAM_REJECTED', messages.notFound)
      }
      if (fault === undefined) await nextTurn(Math.min(idleFetchMs, sequence.longestWait()), head)
      else await nextTurn(requests.retryDelay(faults, fault))
    }
  }
  run().catch((error: unknown) => {
    if (!signal.aborted) stop(error)
  })
}

/** Undefined while the head is not known, and once polling has ended. */
function headOf<T extends object>(sequence: SequenceWatch<T>): bigint | undefined {
  try {
    return sequence.head()?.position
  } catch {
    return undefined
  }
}
