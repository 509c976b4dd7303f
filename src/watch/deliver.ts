import type { Push, Stop } from '@repeaterjs/repeater'
import type { RecordEvent, SequenceSource } from './sequenceSource.ts'
import type { SequenceWatch } from './sequenceWatch.ts'

/** Where a listener starts. */
export interface ListenOptions {
  /** The position before its first record. Default: the newest position when it joins. */
  readonly after?: bigint | undefined
  /** Whether the first event says that there is a gap before it. Default: false. */
  readonly isGap?: boolean
  /** Called once with the newest position, before the first record is read. An error that it throws ends the listener. */
  readonly checkStart?: (head: bigint) => void
}

/** Delivers the records of a sequence to one listener until it leaves. */
export function deliver<T extends object>(
  source: SequenceSource<T>,
  options: ListenOptions & {
    readonly sequence: SequenceWatch<T>
    readonly push: Push<RecordEvent<T>>
    readonly stop: Stop
  },
): void {
  const { sequence, push, stop, checkStart } = options
  const subscription = subscribe(sequence, stop)
  const { signal } = subscription

  /** The position of the record delivered last. */
  let position = options.after
  /** The poll that first saw the head below the position. */
  let behindSince: number | undefined
  let isBehindReported = false
  let isLateReported = false
  let isChecked = false
  let { isGap = false } = options

  /** The event to send while there is no record to deliver, if any. */
  const notice = (at: bigint): RecordEvent<T> | undefined => {
    const head = sequence.head()
    if (head === undefined) return undefined
    if (head.position >= at) {
      behindSince = undefined
      isBehindReported = false
    } else {
      // One low head alone may come from a replica that is a moment behind the others.
      behindSince ??= head.polls
      if (!isBehindReported && head.polls > behindSince) {
        isBehindReported = true
        return { kind: 'headBehind', position: at, head: head.position }
      }
    }
    if (!sequence.isLate() || isLateReported) return undefined
    isLateReported = true
    return { kind: 'late', position: at, head: head.position }
  }

  /** Reads the records after a position. Sends a notice while they cannot be requested. */
  const readAfter = async (at: bigint, head: bigint) => {
    const wake = () => {
      const stuckBy = sequence.stuckBy(at + 1n)
      if (!stuckBy || isLateReported) return
      isLateReported = true
      void push({ kind: 'late', position: at, head, ...stuckBy })
    }
    subscription.onWake(wake)
    wake()
    const range = await sequence.read(at + 1n, signal)
    subscription.onWake(() => {})
    return range
  }

  const run = async () => {
    while (!signal.aborted) {
      const head = sequence.head()?.position
      position ??= head
      if (head !== undefined && !isChecked) {
        isChecked = true
        checkStart?.(head)
      }
      if (isGap && position !== undefined && head !== undefined) {
        isGap = false
        await push({ kind: 'gap', position, head })
        if (signal.aborted) return
      }
      if (position !== undefined && head !== undefined && position < head) {
        behindSince = undefined
        isBehindReported = false
        isLateReported = false
        const { records, missingTo, isUnreadable = false } = await readAfter(position, head)
        for (const record of records) {
          position = source.positionOf(record)
          await push({ kind: 'record', position, record, head })
          if (signal.aborted) return
        }
        if (missingTo !== undefined) {
          const first = position + 1n
          position = missingTo
          await push({ kind: 'missing', isUnreadable, first, position, head })
        }
        continue
      }
      const event = position === undefined ? undefined : notice(position)
      if (event) await push(event)
      else await new Promise<void>((resolve) => subscription.onWake(resolve))
    }
  }
  run().catch((error: unknown) => {
    if (!signal.aborted) stop(error)
  })
}

/** The time that a listener spends at a sequence. */
export interface Subscription {
  /** Aborts when the listener leaves, or the sequence is closed. */
  readonly signal: AbortSignal
  /** Calls this, in place of the one before, when the sequence has something new and when the subscription ends. */
  onWake(listener: () => void): void
}

/** Joins a sequence until the listener stops. `demand` is that of `SequenceWatch.join`. */
export function subscribe<T>(
  sequence: Pick<SequenceWatch<T>, 'join'>,
  stop: Stop,
  demand?: number,
): Subscription {
  const controller = new AbortController()
  let wake = () => {}
  const abort = () => {
    controller.abort()
    wake()
  }
  const leave = sequence.join({ wake: () => wake(), abort }, demand)
  stop.then(() => {
    leave()
    abort()
  })
  return {
    signal: controller.signal,
    onWake(listener) {
      wake = listener
    },
  }
}
