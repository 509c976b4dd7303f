import type { Push, Stop } from '@repeaterjs/repeater'
import type { RecordRange } from './recordLog.ts'
import type { RecordEvent, SequenceSource } from './sequenceSource.ts'
import type { SequenceWatch } from './sequenceWatch.ts'
import { Subscription } from './subscription.ts'

/** Where a listener starts. */
export interface ListenOptions {
  /** The position before its first record. Default: the newest position when it joins. */
  readonly after?: bigint | undefined
  /** Whether the first event says that there is a gap before it. Default: false. */
  readonly isGap?: boolean
  /** Called once with the newest position, before the first record is read. An error that it throws ends the listener. */
  readonly checkStart?: (head: bigint) => void
}

interface DeliveryOptions<T extends object> extends ListenOptions {
  readonly source: Pick<SequenceSource<T>, 'positionOf'>
  readonly sequence: SequenceWatch<T>
  readonly push: Push<RecordEvent<T>>
  readonly stop: Stop
}

/** Delivers the records of a sequence to one listener until it leaves. */
export class Delivery<T extends object> {
  readonly #options: DeliveryOptions<T>
  readonly #subscription: Subscription
  /** The position of the record delivered last. */
  #position: bigint | undefined
  #isGap: boolean
  #isChecked = false
  /** The poll that first saw the head below the position. */
  #behindSince: number | undefined
  #isBehindReported = false
  #isLateReported = false

  constructor(options: DeliveryOptions<T>) {
    const { sequence, stop, after, isGap = false } = options
    this.#options = options
    this.#position = after
    this.#isGap = isGap
    this.#subscription = new Subscription(sequence, stop)
  }

  /** Begins. An error of the sequence, or of the check of the start, stops the listener. */
  start(): void {
    this.#subscription.repeat(() => this.#next())
  }

  /** Delivers what there is, or waits for it. */
  async #next(): Promise<void> {
    const { sequence, push, checkStart } = this.#options
    const head = sequence.head()?.position
    this.#position ??= head
    if (head === undefined || this.#position === undefined) return this.#wait()
    if (!this.#isChecked) {
      this.#isChecked = true
      checkStart?.(head)
    }
    const position = this.#position
    if (this.#isGap) {
      this.#isGap = false
      await push({ kind: 'gap', position, head })
    } else if (position < head) await this.#deliverAfter(position, head)
    else {
      const event = this.#notice(position)
      if (event) await push(event)
      else await this.#wait()
    }
  }

  async #deliverAfter(at: bigint, head: bigint): Promise<void> {
    this.#behindSince = undefined
    this.#isBehindReported = false
    this.#isLateReported = false
    const { source, push } = this.#options
    const { records, missingTo, isUnreadable = false } = await this.#readAfter(at, head)
    let position = at
    for (const record of records) {
      position = source.positionOf(record)
      this.#position = position
      await push({ kind: 'record', position, record, head })
      if (this.#subscription.signal.aborted) return
    }
    if (missingTo === undefined) return
    this.#position = missingTo
    const first = position + 1n
    await push({ kind: 'missing', isUnreadable, first, position: missingTo, head })
  }

  /** Reads the records after a position. Sends a notice while they cannot be requested. */
  async #readAfter(position: bigint, head: bigint): Promise<RecordRange<T>> {
    const { sequence, push } = this.#options
    const { log } = sequence
    const wake = () => {
      const stuckBy = log.stuckBy(position + 1n)
      if (!stuckBy || this.#isLateReported) return
      this.#isLateReported = true
      void push({ kind: 'late', position, head, ...stuckBy })
    }
    this.#subscription.onWake(wake)
    wake()
    const range = await log.read(position + 1n, this.#subscription.signal)
    this.#subscription.onWake(() => {})
    return range
  }

  /** The event to send while there is no record to deliver, if any. */
  #notice(position: bigint): RecordEvent<T> | undefined {
    const { sequence } = this.#options
    const head = sequence.head()
    if (head === undefined) return undefined
    if (head.position >= position) {
      this.#behindSince = undefined
      this.#isBehindReported = false
    } else {
      // One low head alone may come from a replica that is a moment behind the others.
      this.#behindSince ??= head.polls
      if (!this.#isBehindReported && head.polls > this.#behindSince) {
        this.#isBehindReported = true
        return { kind: 'headBehind', position, head: head.position }
      }
    }
    if (!sequence.isLate() || this.#isLateReported) return undefined
    this.#isLateReported = true
    return { kind: 'late', position, head: head.position }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => this.#subscription.onWake(resolve))
  }
}
