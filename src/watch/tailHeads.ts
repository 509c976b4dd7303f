import type { SequenceListener, SequenceWatch } from './sequenceWatch.ts'

/** The heads of a list, as one of the listeners of their feed sees them. */
export interface TailHeads<Head> extends Pick<SequenceWatch<Head>, 'kept' | 'isPolled' | 'isLate'> {
  /** What this listener counts for from now on, as in `SequenceWatch.join`. */
  setWeight(weight: number): void
  /** The newest head. Undefined if it is not known. */
  newest(): bigint | undefined
  leave(): void
}

/** Joins the feed of the heads, with no weight. `openChannel` opens the feed, or finds the one that is open. */
export function joinTailHeads<Head>(
  openChannel: () => SequenceWatch<Head>,
  listener: SequenceListener,
): TailHeads<Head> {
  let channel = openChannel()
  let weight = 0
  let newest: bigint | undefined
  let leave = channel.join({ ...listener }, weight)

  const rejoin = (next: SequenceWatch<Head>) => {
    const leaveBefore = leave
    channel = next
    leave = next.join({ ...listener }, weight)
    leaveBefore()
  }

  return {
    setWeight(next) {
      if (next === weight) return
      weight = next
      rejoin(channel)
    },
    newest() {
      try {
        newest = channel.head()?.position ?? newest
      } catch {
        // The feed has retried for minutes. A new one continues.
        rejoin(openChannel())
      }
      return newest
    },
    leave: () => leave(),
    kept: (position) => channel.kept(position),
    isLate: () => channel.isPolled && channel.isLate(),
    get isPolled() {
      return channel.isPolled
    },
  }
}
