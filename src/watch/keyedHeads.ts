import type { SequenceListener, SequenceWatch } from './sequenceWatch.ts'

/** The heads of a list, as one of the listeners of their feed sees them. */
export interface KeyedHeads<Head>
  extends Pick<SequenceWatch<Head>, 'kept' | 'isPolled' | 'isLate'> {
  /** Changes how many listeners this one counts for, as in `SequenceWatch.join`. */
  setDemand(demand: number): void
  /** The newest head. Undefined if it is not known. */
  newest(): bigint | undefined
  leave(): void
}

/** Joins the feed of the heads, with no demand. `openSequence` opens the feed, or returns the open one. */
export function joinHeads<Head>(
  openSequence: () => SequenceWatch<Head>,
  listener: SequenceListener,
): KeyedHeads<Head> {
  let sequence = openSequence()
  let demand = 0
  let newest: bigint | undefined
  let leave = sequence.join({ ...listener }, demand)

  const rejoin = (next: SequenceWatch<Head>) => {
    const leaveBefore = leave
    sequence = next
    leave = next.join({ ...listener }, demand)
    leaveBefore()
  }

  return {
    setDemand(next) {
      if (next === demand) return
      demand = next
      rejoin(sequence)
    },
    newest() {
      try {
        newest = sequence.head()?.position ?? newest
      } catch {
        // The feed has retried for minutes. A new one continues.
        rejoin(openSequence())
      }
      return newest
    },
    leave: () => leave(),
    kept: (position) => sequence.kept(position),
    isLate: () => sequence.isPolled && sequence.isLate(),
    get isPolled() {
      return sequence.isPolled
    },
  }
}
