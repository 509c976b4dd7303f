import type { Cache } from '../cache/cache.ts'
import type { Signal } from '../clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import type { Owner } from '../upstream/lane.ts'
import type { Requests } from './requests.ts'
import { pollInterval } from './schedule.ts'
import type { Topic } from './topic.ts'

/** Something that changes until it reaches a final state, and how to fetch its state. */
export interface PollTarget<T> {
  readonly topic: Topic<T>
  /** Targets of one topic with equal keys share a poll. */
  readonly key: string
  /** The key of the client that watches. Targets without one count as one client's. */
  readonly client?: string
  /** The state now; null while the upstream does not know the target. */
  readonly fetch: (signal: Signal) => Promise<T | null>
  /**
   * Makes the target known after a fetch that found nothing. Resolves to false when it is too early
   * for that, and is then called again.
   */
  readonly onMissing?: ((signal: Signal) => Promise<boolean>) | undefined
  /** Milliseconds from the first fetch to the expected end, where known. */
  readonly expectedMs?: number | undefined
  readonly equals: (before: T, now: T) => boolean
  /** Whether a response is older than the one before it. A stale response is ignored. */
  readonly isStale: (before: T, now: T) => boolean
  readonly isFinal: (state: T) => boolean
  /** Whether nothing can undo a final state. It is then kept for late listeners. */
  readonly isIrreversible: (state: T) => boolean
  /** Whether no retry can succeed after this error. */
  readonly isFatal: (error: unknown) => boolean
  /** What clients read when a poll fails. The poller itself does not know what it polls. */
  readonly messages: {
    readonly timeout: string
    readonly notFound: string
    readonly stillPending: (deadlineMs: number) => string
  }
}

/** Where the states of a poll go. */
export interface PollListener<T> {
  readonly push: (state: T) => void
  /** Completes the listener, or fails it with that error. */
  readonly stop: (error?: unknown) => void
}

/** What a registry of polls of all types needs of one. */
export interface AnyPoll {
  readonly listenerCount: number
  /** Ends the poll and aborts its request. Its listeners are not told. */
  stop(): void
}

/** One poll and its listeners. */
export interface Poll<T> extends AnyPoll {
  /** Adds a listener. The function it returns removes the listener, and stops the poll with the last. */
  join(listener: PollListener<T>, target: PollTarget<T>): () => void
}

/** What a poll runs on. Times are in milliseconds. */
export interface PollContext<T> {
  readonly requests: Requests
  readonly finalStates: Cache<T>
  readonly deadlineMs: number
  /** Called once, when the poll ends for any reason. */
  readonly onStop: () => void
}

/**
 * Milliseconds after which a target that is still unknown is registered again. What confirmed the
 * registration may have been a proxy in front of an upstream that never got it.
 */
const registerAgainMs = 15_000

/** Starts to poll a target. The first request is sent at once. */
export function startPoll<T>(target: PollTarget<T>, context: PollContext<T>): Poll<T> {
  const { requests, finalStates, deadlineMs, onStop } = context
  const { clock, maxUnavailableMs } = requests
  const { key, messages, client = '' } = target
  const firstLook: Owner = { client, isUrgent: true }
  const laterLooks: Owner = { client }
  const listeners = new Set<PollListener<T>>()
  const controller = new AbortController()
  const { signal } = controller
  const startedAt = clock.now()
  let lastSeenAt = startedAt
  let state: { readonly value: T } | undefined
  let faults = 0
  let owner = firstLook
  let onMissing = target.onMissing
  /** When the target may be registered again. */
  let registerAt = startedAt
  let dueAt: number | undefined
  let cancelTimer = () => {}

  const stop = () => {
    if (signal.aborted) return
    cancelTimer()
    controller.abort()
    onStop()
  }

  const finish = (error?: unknown) => {
    stop()
    for (const listener of listeners) listener.stop(error)
  }

  const isLost = () => clock.now() - lastSeenAt >= maxUnavailableMs

  const schedule = (delay: number) => {
    const left = startedAt + deadlineMs - clock.now()
    if (left <= 0) {
      return finish(new GatewayError('UPSTREAM_TIMEOUT', messages.stillPending(deadlineMs)))
    }
    cancelTimer = clock.after(Math.min(delay, left), () => void poll())
  }

  const poll = async (): Promise<void> => {
    try {
      const options = { signal, timeoutMessage: messages.timeout, owner }
      owner = laterLooks
      const response = await requests.run(options, fetchOrRegister)
      if (signal.aborted) return
      faults = 0
      if (response !== null) accept(response)
      else if (isLost()) finish(new GatewayError('UPSTREAM_REJECTED', messages.notFound))
    } catch (error) {
      if (signal.aborted) return
      faults += 1
      if (target.isFatal(error) || isLost()) return finish(error)
      return schedule(requests.retryDelay(faults, error))
    }
    if (signal.aborted) return
    const now = clock.now()
    const untilDue = dueAt === undefined ? undefined : dueAt - now
    schedule(
      requests.jitter(
        pollInterval({ age: now - startedAt, untilDue, isSeen: state !== undefined }),
      ),
    )
  }

  const fetchOrRegister = async (deadline: Signal): Promise<T | null> => {
    const response = await target.fetch(deadline)
    if (response !== null || !onMissing || clock.now() < registerAt) return response
    if (!(await onMissing(deadline))) return null
    registerAt = clock.now() + registerAgainMs
    return target.fetch(deadline)
  }

  const accept = (now: T) => {
    const before = state
    // An upstream that forgets the target later is told at once.
    if (before === undefined) registerAt = startedAt
    lastSeenAt = clock.now()
    if (before && (target.isStale(before.value, now) || target.equals(before.value, now))) return
    state = { value: now }
    for (const listener of listeners) listener.push(now)
    if (!target.isFinal(now)) return
    if (target.isIrreversible(now)) finalStates.set(key, now)
    finish()
  }

  schedule(0)
  return {
    join(listener, { onMissing: register, expectedMs }) {
      listeners.add(listener)
      onMissing ??= register
      if (expectedMs !== undefined) dueAt ??= startedAt + expectedMs
      if (state) listener.push(state.value)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    stop,
    get listenerCount() {
      return listeners.size
    },
  }
}
