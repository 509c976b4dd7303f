import type { Push, Stop } from '@repeaterjs/repeater'
import type { SharedWork } from '../cache/sharedWork.ts'
import type { TypedKey } from '../cache/typedKey.ts'
import type { Signal } from '../clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import { type FeedSource, urgentWeight } from './feedSource.ts'
import { joinChannel } from './feedVisit.ts'
import type { Requests } from './requests.ts'
import type { SequenceWatch } from './sequenceWatch.ts'

/** Something that a source will have one day, and how to ask for it. */
export interface Expected<T, R> {
  /** Those who expect the same from one source share each request. */
  readonly key: TypedKey<R | null>
  /** Null while the source does not have it. */
  readonly ask: (signal: Signal) => Promise<R | null>
  /** Whether it can have come with a record of the source. By default, any can bring it. */
  readonly canBring?: (record: T) => boolean
  /**
   * Called at the start. It may throw, or later call `onRefused` with an error. The function it returns is
   * called at the end.
   */
  readonly reserve: (onRefused: (error: unknown) => void) => () => void
  /** What clients read when it does not come. */
  readonly messages: { readonly timeout: string; readonly notFound: string }
}

/** The head when it was asked for, once that is known. */
interface Head {
  position: bigint | undefined
}

/** The most milliseconds after which it is asked for again without a new head. */
const idleAskMs = 5_000

/**
 * Asks at once, then after each new head that can bring it. It is asked for without one too, as often as heads
 * come, at least every five seconds: the source can have a head before it has what comes with it. Sends null
 * if the first answer is null, then the answer, and stops. Faults are retried. Stops with
 * `UPSTREAM_REJECTED` when there is no answer for `maxUnavailableMs`, or with the fault that has lasted so
 * long.
 */
export function waitFor<T extends object, R>(
  { key, ask, canBring, reserve, messages }: Expected<T, R>,
  options: {
    readonly source: FeedSource<T>
    readonly channel: SequenceWatch<T>
    readonly requests: Requests
    readonly flights: SharedWork
    readonly push: Push<R | null>
    readonly stop: Stop
  },
): void {
  const { source, channel, requests, flights, push, stop } = options
  const { clock, maxUnavailableMs } = requests
  stop.then(reserve(stop))
  const startedAt = clock.now()
  const visit = joinChannel(channel, stop, urgentWeight(source))
  const { signal } = visit

  /** Whether a head above this one can bring it. The first head to be known is where to start from. */
  const isBrought = (from: Head): boolean => {
    const now = headOf(channel)
    if (now === undefined) return false
    from.position ??= now
    for (let position = now; position > from.position; position -= 1n) {
      const record = channel.kept(position)
      if (record === undefined || (canBring?.(record) ?? true)) return true
    }
    return false
  }

  /** Resolves at such a head above this one, if there is one, or after that many milliseconds. */
  const nextTurn = (milliseconds: number, head?: Head) =>
    new Promise<void>((resolve) => {
      const end = () => {
        cancel()
        visit.onWake(() => {})
        resolve()
      }
      const cancel = clock.after(milliseconds, end)
      const wake = () => {
        const isNew = head !== undefined && isBrought(head)
        if (signal.aborted || isNew) end()
      }
      visit.onWake(wake)
      wake()
    })

  const run = async () => {
    let isTold = false
    for (let faults = 0; !signal.aborted; ) {
      const head: Head = { position: headOf(channel) }
      let fault: unknown
      try {
        const answer = await flights.run(key, signal, (work) =>
          requests.run({ signal: work, timeoutMessage: messages.timeout }, ask),
        )
        faults = 0
        if (signal.aborted) return
        if (answer !== null) {
          await push(answer)
          return stop()
        }
        if (!isTold) await push(null)
        isTold = true
      } catch (error) {
        if (signal.aborted) return
        fault = error
        faults += 1
      }
      if (clock.now() - startedAt >= maxUnavailableMs) {
        throw fault ?? new GatewayError('UPSTREAM_REJECTED', messages.notFound)
      }
      if (fault === undefined) await nextTurn(Math.min(idleAskMs, channel.longestWait()), head)
      else await nextTurn(requests.retryDelay(faults, fault))
    }
  }
  run().catch((error: unknown) => {
    if (!signal.aborted) stop(error)
  })
}

/** Undefined while the head is not known, and when it is no longer polled. */
function headOf<T>(channel: SequenceWatch<T>): bigint | undefined {
  try {
    return channel.head()?.position
  } catch {
    return undefined
  }
}
