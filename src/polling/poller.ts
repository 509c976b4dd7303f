import { Repeater, SlidingBuffer } from '@repeaterjs/repeater'
import pLimit from 'p-limit'
import type { Cache, CacheStore } from '../cache/cache.ts'
import { type Clock, pause, systemClock, withDeadline } from '../clock/clock.ts'
import { GatewayError } from '../upstream/error.ts'
import { UpstreamHttpError } from '../upstream/upstreamError.ts'
import { backoff, jitter, pollInterval } from './schedule.ts'

/** A thing that changes until it ends, and how to look at it. Equal keys are equal things. */
export interface PollTarget<T> {
  readonly key: string
  /** Its state now; null while nothing is known of it. */
  readonly fetch: (signal: AbortSignal) => Promise<T | null>
  /** Makes it known, when a look found nothing; false when it is too early for that. */
  readonly onMissing?: ((signal: AbortSignal) => Promise<boolean>) | undefined
  /** Milliseconds from the first look to the expected end, where known. */
  readonly expectedMs?: number | undefined
  readonly equals: (before: T, now: T) => boolean
  /** True for an answer older than the one before it, which is passed over. */
  readonly isStale: (before: T, now: T) => boolean
  readonly isFinal: (state: T) => boolean
  /** True for a terminal state that nothing can undo, which is then kept for late listeners. */
  readonly isIrreversible: (state: T) => boolean
  /** True for an error that no later look can mend. */
  readonly isFatal: (error: unknown) => boolean
}

/** Polls shared between all who watch the same thing. */
export interface Poller {
  /**
   * The state at once, then each change; completes after the terminal state. A listener who reads
   * slowly gets the newest state, not each one. Rejects with a `GatewayError` when the thing stays out
   * of sight, or does not end in time.
   */
  watch<T>(watched: PollTarget<T>): AsyncIterableIterator<T>
  /** The lasting terminal state seen lately under this key, if any. */
  finalState<T>(key: string): T | undefined
  /** Resolves after that many milliseconds; rejects with the signal's reason when it aborts. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>
  /** Ends all polls and sends nothing more, not even completions: those would read as endings. */
  close(): void
  /** Things watched now. */
  readonly size: number
  /** Listeners of all of them. */
  readonly listeners: number
  /** Looks under way now. */
  readonly inFlight: number
}

/** Bounds of polling. Times are in milliseconds. */
export interface PollerOptions {
  /** Keeps final states, in the region `finalStates`. */
  readonly cache: CacheStore
  readonly clock?: Clock
  /** From 0 up to, but not including, 1. */
  readonly random?: () => number
  /** Looks under way at once, over all keys. */
  readonly concurrency?: number
  /** Time for one look. */
  readonly timeoutMs?: number
  /** How long a thing may stay out of sight, by faults or by nothing found, before its watch fails. */
  readonly maxUnavailableMs?: number
  /** How long a thing is watched at most. */
  readonly deadlineMs?: number
  /** How many irreversible final states are kept for late listeners, and for how long. */
  readonly finalStateCache?: { readonly maxEntries: number; readonly ttlMs: number }
}

const minute = 60_000

const defaults = {
  clock: systemClock,
  random: Math.random,
  concurrency: 32,
  timeoutMs: 4_000,
  maxUnavailableMs: 10 * minute,
  deadlineMs: 24 * 60 * minute,
  finalStateCache: { maxEntries: 10_000, ttlMs: 10 * minute },
}

interface Listener {
  readonly push: (state: unknown) => void
  readonly stop: (error?: unknown) => void
}

interface Poll {
  readonly watched: PollTarget<unknown>
  readonly listeners: Set<Listener>
  readonly controller: AbortController
  readonly startedAt: number
  seenAt: number
  state: { readonly value: unknown } | undefined
  faults: number
  /** How many registrations are left: one for what is new, and one for what is forgotten later. */
  registrations: number
  register: PollTarget<unknown>['onMissing']
  dueAt: number | undefined
  cancelTimer: () => void
}

/** Opens shared polling. Nothing is sent while nobody listens. */
export function createPoller(options: PollerOptions): Poller {
  const {
    cache,
    clock,
    random,
    concurrency,
    timeoutMs,
    maxUnavailableMs,
    deadlineMs,
    finalStateCache,
  } = {
    ...defaults,
    ...options,
  }
  const polls = new Map<string, Poll>()
  const limit = pLimit(concurrency)
  const finalStates: Cache<{ readonly value: unknown }> = cache.open({
    name: 'finalStates',
    ...finalStateCache,
  })
  let isClosed = false

  const begin = (watched: PollTarget<unknown>): Poll => {
    const now = clock.now()
    const poll: Poll = {
      watched,
      listeners: new Set(),
      controller: new AbortController(),
      startedAt: now,
      seenAt: now,
      state: undefined,
      faults: 0,
      registrations: 1,
      register: undefined,
      dueAt: undefined,
      cancelTimer: () => {},
    }
    polls.set(watched.key, poll)
    lookSoon(poll, 0)
    return poll
  }

  const drop = (poll: Poll) => {
    poll.cancelTimer()
    poll.controller.abort()
    polls.delete(poll.watched.key)
  }

  const finish = (poll: Poll, error?: unknown) => {
    drop(poll)
    for (const listener of poll.listeners) listener.stop(error)
  }

  const lookSoon = (poll: Poll, wait: number) => {
    const left = poll.startedAt + deadlineMs - clock.now()
    if (left <= 0) return finish(poll, tooLong())
    poll.cancelTimer = clock.after(Math.min(wait, left), () => void limit(() => lookOnce(poll)))
  }

  const lookOnce = async (poll: Poll): Promise<void> => {
    const { signal } = poll.controller
    if (signal.aborted) return
    try {
      const found = await withDeadline(
        clock,
        { milliseconds: timeoutMs, signal, late: tooSlow },
        (work) => lookOrRegister(poll, work),
      )
      if (signal.aborted) return
      poll.faults = 0
      if (found !== null) take(poll, found)
      else if (isLost(poll)) finish(poll, notFound())
    } catch (error) {
      if (signal.aborted) return
      poll.faults += 1
      if (poll.watched.isFatal(error) || isLost(poll)) return finish(poll, error)
      return lookSoon(poll, afterFault(poll, error))
    }
    if (signal.aborted) return
    const now = clock.now()
    const untilDue = poll.dueAt === undefined ? undefined : poll.dueAt - now
    lookSoon(poll, jitter(pollInterval({ age: now - poll.startedAt, untilDue }), random))
  }

  const take = (poll: Poll, found: unknown) => {
    const { isStale, equals, isFinal, isIrreversible, key } = poll.watched
    if (poll.state === undefined) poll.registrations = 1
    poll.seenAt = clock.now()
    const before = poll.state
    if (before && (isStale(before.value, found) || equals(before.value, found))) return
    poll.state = { value: found }
    for (const listener of poll.listeners) listener.push(found)
    if (!isFinal(found)) return
    if (isIrreversible(found)) finalStates.set(key, { value: found })
    finish(poll)
  }

  const isLost = (poll: Poll) => clock.now() - poll.seenAt >= maxUnavailableMs

  const afterFault = ({ faults }: Poll, error: unknown): number => {
    const named = error instanceof UpstreamHttpError ? (error.retryAfter ?? 0) : 0
    return Math.max(named, jitter(backoff(faults), random))
  }

  return {
    watch<T>(watched: PollTarget<T>) {
      // Each listener has a buffer of its own: a full one loses old states, and only its owner's.
      return new Repeater<T>((push, stop) => {
        if (isClosed) return
        const kept = finalStates.get(watched.key)
        if (kept) {
          push(kept.value as T)
          return stop()
        }
        // One key holds one type of state, which the map of all keys cannot say.
        const poll = polls.get(watched.key) ?? begin(watched as PollTarget<unknown>)
        const listener: Listener = { push: (state) => void push(state as T), stop }
        poll.listeners.add(listener)
        poll.register ??= watched.onMissing
        if (watched.expectedMs !== undefined) poll.dueAt ??= poll.startedAt + watched.expectedMs
        if (poll.state) listener.push(poll.state.value)
        stop.then(() => {
          poll.listeners.delete(listener)
          if (poll.listeners.size === 0 && polls.get(watched.key) === poll) drop(poll)
        })
      }, new SlidingBuffer(1))
    },
    finalState: <T>(key: string) => finalStates.get(key)?.value as T | undefined,
    pause: (milliseconds, signal) => pause(clock, milliseconds, signal),
    close() {
      isClosed = true
      for (const poll of [...polls.values()]) drop(poll)
    },
    get size() {
      return polls.size
    },
    get listeners() {
      let count = 0
      for (const poll of polls.values()) count += poll.listeners.size
      return count
    },
    get inFlight() {
      return limit.activeCount
    },
  }
}

async function lookOrRegister(poll: Poll, signal: AbortSignal): Promise<unknown> {
  const found = await poll.watched.fetch(signal)
  if (found !== null || !poll.register || poll.registrations === 0) return found
  if (!(await poll.register(signal))) return null
  poll.registrations -= 1
  return poll.watched.fetch(signal)
}

const tooSlow = () =>
  new GatewayError('UPSTREAM_TIMEOUT', 'A look at what is watched took too long.')

const tooLong = () =>
  new GatewayError(
    'UPSTREAM_TIMEOUT',
    'What is watched did not end in the time it is watched for; watch it again to go on.',
  )

const notFound = () =>
  new GatewayError('UPSTREAM_REJECTED', 'What is watched is not known, and did not become so.')
