import type { FeedChannel } from './feedChannel.ts'
import type { Requests } from './requests.ts'
import type { Numbered, TailPage, TailSource } from './tailSource.ts'

/** What a listener needs of the end of a list. */
export interface Tail<T extends object> extends AnyTail {
  /** Adds a listener, which is called when there is more to know. The function it returns removes it. */
  join(listener: TailListener): () => void
  /** The number of the newest record when the tail was opened. Undefined until it is known. */
  readonly start: bigint | undefined
  /** The number of the last record read. */
  readonly end: bigint
  /** The records after this number are kept. */
  readonly floor: bigint
  /** The first kept record after a number that has a key. */
  find(key: string, after: bigint): Numbered<T> | undefined
  readonly isLate: boolean
  readonly head: bigint | undefined
  readonly failure: { readonly error: unknown } | undefined
}

/** What a registry of tails of all types needs of one. */
export interface AnyTail {
  readonly upstream: object
  readonly listenerCount: number
  close(): void
}

/** Someone who follows a tail. */
export interface TailListener {
  readonly wake: () => void
  /** The tail was closed: nothing follows. */
  readonly abort: () => void
}

/** Records before the newest one that are read at the start: a replica that is behind may lack them. */
const overlap = 100n

interface Kept<T> extends Numbered<T> {
  readonly keys: ReadonlySet<string>
}

/** Starts to follow the end of a list. Each new record is read once, for all listeners. */
export function openTail<T extends object, Head extends object>(
  source: TailSource<T, Head>,
  context: {
    /** Opens the feed of the heads, or joins it. */
    readonly openChannel: () => FeedChannel<Head>
    readonly requests: Requests
    readonly windowSize: number
    readonly onStop: () => void
  },
): Tail<T> {
  const { openChannel, requests, windowSize, onStop } = context
  const { clock } = requests
  const controller = new AbortController()
  const { signal } = controller
  const listeners = new Set<TailListener>()
  let channel = openChannel()
  let leave = () => {}
  let kept: Kept<T>[] = []
  let start: bigint | undefined
  let end = 0n
  let floor = 0n
  let lastHead: bigint | undefined
  /** The newest head with records that were not read yet, and since when. */
  let due: { readonly head: bigint; readonly since: number } | undefined
  let isReading = false
  let wasLate = false
  let failure: { readonly error: unknown } | undefined

  const wakeAll = () => {
    for (const listener of [...listeners]) listener.wake()
  }
  const stop = () => {
    if (signal.aborted) return
    controller.abort()
    leave()
    onStop()
  }
  const headNow = () => {
    try {
      return channel.head()?.position
    } catch {
      // The feed has retried for minutes. A new one continues.
      leave()
      channel = openChannel()
      leave = channel.join(listener)
      return lastHead
    }
  }
  const isLate = () =>
    channel.isLate() || (due !== undefined && clock.now() - due.since >= source.heads.lateAfterMs)

  const run = <R>(work: Parameters<typeof requests.run<R>>[1]) =>
    requests.run({ signal, timeoutMessage: source.timeoutMessage }, work)

  /** Keeps records that were read, and their keys. */
  const keep = ({ records, hasGap }: TailPage<T>) => {
    const [first] = records
    if (hasGap && first && first.number > end) {
      kept = []
      floor = first.number - 1n
    }
    for (const { number, record } of records) {
      if (number <= end) continue
      kept.push({ number, record, keys: source.keysOf(record) })
      end = number
    }
    if (kept.length <= windowSize) return
    const dropped = kept.length - windowSize
    floor = kept[dropped - 1]?.number ?? floor
    kept = kept.slice(dropped)
  }

  const read = async () => {
    if (isReading || signal.aborted || failure) return
    isReading = true
    try {
      if (start === undefined) {
        start = await run(source.newest)
        end = start > overlap ? start - overlap : 0n
        floor = end
      }
      for (;;) {
        const page = await run((deadline) => source.after(end, deadline))
        if (signal.aborted) return
        keep(page)
        const { records, isEnd } = page
        const last = records.at(-1)
        if (last === undefined) break
        if (!isEnd) continue
        // Another replica can have the head before this one has its records.
        if (due && source.headOf(last.record) >= due.head) due = undefined
        break
      }
    } catch (error) {
      // The next poll of the head tries again.
      if (!signal.aborted && source.isFatal(error)) failure = { error }
    } finally {
      isReading = false
    }
    if (!signal.aborted) wakeAll()
  }

  const onPoll = () => {
    const head = headNow()
    if (failure) return wakeAll()
    if (head !== undefined && (lastHead === undefined || head > lastHead)) {
      const newest = newestWithRecords(lastHead, head)
      if (newest !== undefined) due = { head: newest, since: due?.since ?? clock.now() }
      lastHead = head
    }
    if (due || start === undefined) void read()
    if (isLate() !== wasLate) {
      wasLate = !wasLate
      wakeAll()
    }
  }

  const newestWithRecords = (before: bigint | undefined, head: bigint): bigint | undefined => {
    if (before === undefined) return head
    for (let position = head; position > before; position -= 1n) {
      const record = channel.kept(position)
      if (record === undefined || source.hasRecords(record)) return position
    }
    return undefined
  }

  const close = () => {
    stop()
    for (const listener of [...listeners]) listener.abort()
  }
  const listener = { wake: onPoll, abort: close }
  leave = channel.join(listener)
  onPoll()
  return {
    upstream: source.heads.upstream,
    join(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    find(key, after) {
      let low = 0
      let high = kept.length
      while (low < high) {
        const middle = (low + high) >> 1
        if ((kept[middle]?.number ?? after) <= after) low = middle + 1
        else high = middle
      }
      for (const entry of kept.slice(low)) if (entry.keys.has(key)) return entry
      return undefined
    },
    close,
    get start() {
      return start
    },
    get end() {
      return end
    },
    get floor() {
      return floor
    },
    get isLate() {
      return isLate()
    },
    get head() {
      return lastHead
    },
    get failure() {
      return failure
    },
    get listenerCount() {
      return listeners.size
    },
  }
}
