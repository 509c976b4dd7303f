import type { Push, Stop } from '@repeaterjs/repeater'
import type { FeedEvent, FeedSource } from './feedSource.ts'
import { joinChannel } from './feedVisit.ts'
import type { SequenceWatch } from './sequenceWatch.ts'

/** Where a listener starts. */
export interface ListenOptions {
  /** The position before its first record. By default, the newest one when it joins. */
  readonly after?: bigint | undefined
  /** Whether the first event says that there is a gap before it. Default: false. */
  readonly isGap?: boolean
  /** Called once with the newest position, before the first record is read. What it throws ends the listener. */
  readonly checkStart?: (head: bigint) => void
}

/** Delivers the records of a channel to one listener until it leaves. */
export function deliver<T extends object>(
  source: FeedSource<T>,
  options: ListenOptions & {
    readonly channel: SequenceWatch<T>
    readonly push: Push<FeedEvent<T>>
    readonly stop: Stop
  },
): void {
  const { channel, push, stop, checkStart } = options
  const visit = joinChannel(channel, stop)
  const { signal } = visit

  /** The position of the record delivered last. */
  let position = options.after
  /** The poll that first saw the head below the position. */
  let behindSince: number | undefined
  let isToldBehind = false
  let isToldLate = false
  let isChecked = false
  let { isGap = false } = options

  /** What there is to tell while there is no record to deliver. */
  const notice = (at: bigint): FeedEvent<T> | undefined => {
    const head = channel.head()
    if (head === undefined) return undefined
    if (head.position >= at) {
      behindSince = undefined
      isToldBehind = false
    } else {
      // One low head alone may come from a replica that is a moment behind the others.
      behindSince ??= head.polls
      if (!isToldBehind && head.polls > behindSince) {
        isToldBehind = true
        return { kind: 'headBehind', position: at, head: head.position }
      }
    }
    if (!channel.isLate() || isToldLate) return undefined
    isToldLate = true
    return { kind: 'late', position: at, head: head.position }
  }

  /** Reads what is after a position. Tells meanwhile that it cannot be requested. */
  const readAfter = async (at: bigint, head: bigint) => {
    const wake = () => {
      const stuckBy = channel.stuckBy(at + 1n)
      if (!stuckBy || isToldLate) return
      isToldLate = true
      void push({ kind: 'late', position: at, head, ...stuckBy })
    }
    visit.onWake(wake)
    wake()
    const range = await channel.read(at + 1n, signal)
    visit.onWake(() => {})
    return range
  }

  const run = async () => {
    while (!signal.aborted) {
      const head = channel.head()?.position
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
        isToldBehind = false
        isToldLate = false
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
      else await new Promise<void>((resolve) => visit.onWake(resolve))
    }
  }
  run().catch((error: unknown) => {
    if (!signal.aborted) stop(error)
  })
}
