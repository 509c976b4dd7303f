import type { KeyedSource } from './keyedSource.ts'
import type { SequenceListener, SequenceWatch } from './sequenceWatch.ts'

/** Which heads have brought records that were not read yet. */
export interface PendingHeads<T, Head> {
  onHead(sequence: Pick<SequenceWatch<Head>, 'kept'>, head: bigint): void
  /** Takes that the place from which the list is read is known now. */
  reset(): void
  /** Takes what a read of all that is new has shown: its last record, if there was one. */
  onRead(last: T | undefined): void
  /** Whether there are records to be read. */
  readonly isDue: boolean
  /** Since when a read has been due that finds what is known to be there. Undefined if none is. */
  readonly overdueSince: number | undefined
}

/** Reads without a record after which a head that was not seen itself counts as one without records. */
const maxReads = 10

/** Compares the heads of a list with what was read of it. */
export function createPendingHeads<T extends object, Head extends object>(
  { hasRecords, headOf }: Pick<KeyedSource<T, Head>, 'hasRecords' | 'headOf'>,
  now: () => number,
): PendingHeads<T, Head> {
  /** `isCertain` if the head was seen itself, and not only one after it, and its records are still to come. */
  let due: { head: bigint; isCertain: boolean; readonly since: number; reads: number } | undefined
  let scannedTo: bigint | undefined
  let readTo = -1n

  const newestWithRecords = (sequence: Pick<SequenceWatch<Head>, 'kept'>, head: bigint) => {
    const from = scannedTo !== undefined && scannedTo > readTo ? scannedTo : readTo
    for (let position = head; position > from; position -= 1n) {
      const record = sequence.kept(position)
      if (record && hasRecords(record)) return { head: position, isCertain: true }
      if (record === undefined) return { head: position, isCertain: false }
    }
    return undefined
  }

  return {
    onHead(sequence, head) {
      if (scannedTo !== undefined && head <= scannedTo) return
      const newest = newestWithRecords(sequence, head)
      // The records of the first heads can have come before the place from which the list is read.
      const isFirst = scannedTo === undefined && readTo < 0n
      const isCertain = newest?.isCertain === true && !isFirst
      const since = due?.isCertain ? due.since : now()
      if (newest) due = { ...newest, isCertain, since, reads: 0 }
      scannedTo = head
    },
    reset() {
      // The place may be after the records of heads that come next: those before it were polled earlier.
      scannedTo = undefined
    },
    onRead(last) {
      const head = last && headOf(last)
      if (head !== undefined && head > readTo) readTo = head
      if (!due) return
      // The head may have brought this record, whose height cannot be read.
      if (last && head === undefined) due.isCertain = false
      due.reads += 1
      // Another replica can have the head before this one has its records.
      if (readTo >= due.head || (!due.isCertain && due.reads >= maxReads)) due = undefined
    },
    get isDue() {
      return due !== undefined
    },
    get overdueSince() {
      return due?.isCertain ? due.since : undefined
    },
  }
}

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
