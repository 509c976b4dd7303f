import type { Owner } from '../upstream/lane.ts'
import type { PeerObservation, PollOptions } from './backplane/backplane.ts'
import { createFeedReader, type FeedReader } from './feedReader.ts'
import { type FeedSource, type FeedTop, intervalFor } from './feedSource.ts'
import { createPace } from './pace.ts'
import type { Requests } from './requests.ts'
import { countFaults, type OnStuck } from './stuck.ts'

/** What a channel tells a listener. */
export interface FeedListener {
  /** The head was polled, or the channel failed. */
  readonly wake: () => void
  /** The channel was closed: nothing follows, and the listener is not told why. */
  readonly abort: () => void
}

/** What the head of a source looked like in the last poll. */
export interface FeedHead {
  readonly position: bigint
  /** How many polls there were. */
  readonly polls: number
}

/** What a registry of channels of all types needs of one. */
export interface AnyFeedChannel {
  readonly listenerCount: number
  /** What serves the source. */
  readonly upstream: object
  /** Ends the polls, and aborts what the listeners wait for. */
  close(): void
}

/** One source with its listeners: polls its head, and reads its records for them. */
export interface FeedChannel<T> extends AnyFeedChannel {
  /**
   * Adds a listener. It counts as `weight` listeners for how often the head is polled: 1 by default, and 0 if it
   * takes what there is. The function it returns removes it, and closes the channel with the last one.
   */
  join(listener: FeedListener, weight?: number): () => void
  /** Whether the head is polled: somebody listens with a weight. */
  readonly isPolled: boolean
  /** The most milliseconds that a new head may wait to be seen, if listeners cannot wait. */
  longestWait(): number
  /** Undefined until the first poll. Throws the error that ended the polls, if one did. */
  head(): FeedHead | undefined
  /** Whether there was no new head for the source's `lateAfterMs`. */
  isLate(): boolean
  readonly read: FeedReader<T>['read']
  readonly kept: FeedReader<T>['kept']
  readonly stuckBy: FeedReader<T>['stuckBy']
}

/** What a channel runs on. */
export interface FeedChannelContext {
  readonly requests: Requests
  readonly maxGapMs: number
  readonly windowSize: number
  readonly onStuck: OnStuck
  /** Called once, when the polls end for any reason. */
  readonly onStop: () => void
}

/** Opens the channel of a source. Its head is polled from the first listener on, at once. */
export function openFeedChannel<T extends object>(
  source: FeedSource<T>,
  { requests, maxGapMs, windowSize, onStuck, onStop }: FeedChannelContext,
): FeedChannel<T> {
  const { clock, maxUnavailableMs } = requests
  // Listeners that catch up must not delay the others.
  const owner: Owner = { client: '', isUrgent: true }
  const listeners = new Set<FeedListener>()
  /** What they count for. */
  let weight = 0
  const pace = createPace(source, clock)
  const controller = new AbortController()
  const { signal } = controller
  let head: FeedHead | undefined
  let highest = 0n
  let movedAt = clock.now()
  let lastSeenAt = clock.now()
  let isLooking = false
  /** When the head is polled next, if anybody wants to know it. */
  let dueAt = clock.now()
  const faults = countFaults(`${source.topic.name} of ${source.key}`, onStuck)
  let failure: { readonly error: unknown } | undefined
  let cancelTimer = () => {}

  const stop = () => {
    if (signal.aborted) return
    cancelTimer()
    unfollow()
    controller.abort()
    onStop()
  }

  const wakeAll = () => {
    for (const listener of [...listeners]) listener.wake()
  }

  /** Milliseconds between two polls. A head that has stepped back is looked at closely. */
  const interval = () =>
    head !== undefined && head.position < highest
      ? source.intervalMs
      : intervalFor(source, Math.max(1, weight))

  const schedule = (delay: number) => {
    cancelTimer()
    dueAt = clock.now() + Math.max(0, delay)
    if (weight > 0) cancelTimer = clock.after(Math.max(0, delay), () => void poll())
  }

  /** Takes that listeners with that weight came, or left. */
  const weigh = (change: number) => {
    const before = weight
    weight += change
    if (weight === 0) return cancelTimer()
    if (before === 0) {
      movedAt = clock.now()
      lastSeenAt = clock.now()
      if (!isLooking) schedule(dueAt - clock.now())
    } else if (change > 0 && !isLooking && faults.count === 0 && head !== undefined) {
      const soon = pace.wait(interval(), interval()) - (clock.now() - lastSeenAt)
      if (clock.now() + soon < dueAt) schedule(soon)
    }
  }

  const accept = (top: FeedTop<T>, ageMs?: number) => {
    const { position, records = [] } = top
    reader.keep(records)
    pace.seen(top, ageMs)
    faults.clear()
    lastSeenAt = clock.now()
    if (head === undefined || position > highest) {
      highest = position
      movedAt = clock.now()
    }
    head = { position, polls: (head?.polls ?? 0) + 1 }
  }

  /** Milliseconds until this gateway looks, if no other one has until then. */
  const waitForOthers = (ageMs: number) =>
    pace.wait(interval(), interval()) + requests.afterOthers(interval()) - interval() - ageMs

  /** Takes what another gateway has seen. It looks next, and this one only if it does not. */
  const onSight = (sight: PeerObservation<FeedTop<T>>) => {
    if ('error' in sight) {
      if (isLooking || source.isFatal(sight.error)) return
      return schedule(requests.afterOthers(requests.retryDelay(faults.count + 1, sight.error)))
    }
    if (sight.value === null) return
    accept(sight.value, sight.ageMs)
    if (!isLooking) schedule(waitForOthers(sight.ageMs))
    wakeAll()
  }

  const poll = async () => {
    let delay: number
    try {
      const options = { signal, timeoutMessage: source.messages.timeout, owner }
      let sharedAgeMs: number | undefined
      const look: PollOptions = {
        // A record that is read between two polls of this channel counts as a poll.
        maxAgeMs: interval() * 0.7,
        timeoutMs: requests.timeoutMs,
        onShared: (ageMs) => {
          sharedAgeMs = ageMs
        },
      }
      isLooking = true
      const top = await requests.run(options, (deadline) => source.head(deadline, look))
      if (signal.aborted) return
      accept(top, sharedAgeMs)
      delay =
        sharedAgeMs === undefined
          ? pace.wait(requests.jitter(interval()), interval())
          : waitForOthers(sharedAgeMs)
    } catch (error) {
      if (signal.aborted) return
      faults.add(error)
      if (source.isFatal(error) || clock.now() - lastSeenAt >= maxUnavailableMs) {
        failure = { error }
        stop()
        return wakeAll()
      }
      delay = requests.retryDelay(faults.count, error)
    } finally {
      isLooking = false
    }
    schedule(delay)
    wakeAll()
  }

  const reader = createFeedReader(source, {
    requests,
    head: () => head?.position ?? -1n,
    maxGapMs,
    windowSize,
    onStuck(list, error) {
      onStuck(list, error)
      wakeAll()
    },
  })
  const unfollow = source.follow?.(onSight) ?? (() => {})
  return {
    upstream: source.upstream,
    join(listener, ownWeight = 1) {
      listeners.add(listener)
      weigh(ownWeight)
      return () => {
        if (!listeners.delete(listener)) return
        if (listeners.size === 0) stop()
        else weigh(-ownWeight)
      }
    },
    get isPolled() {
      return weight > 0
    },
    longestWait: pace.longest,
    head() {
      if (failure) throw failure.error
      return head
    },
    isLate: () => clock.now() - movedAt >= source.lateAfterMs,
    read: reader.read,
    kept: reader.kept,
    stuckBy: reader.stuckBy,
    close() {
      stop()
      for (const listener of [...listeners]) listener.abort()
    },
    get listenerCount() {
      return listeners.size
    },
  }
}
