import type { Signal } from '../clock/signal.ts'
import { GatewayError } from '../upstream/error.ts'
import type { Owner } from '../upstream/lane.ts'
import type { Sight } from './backplane/backplane.ts'
import { createBelievedState } from './believedState.ts'
import type { Endings } from './endings.ts'
import type { PollTarget } from './pollTarget.ts'
import { probeMs, type Requests } from './requests.ts'
import { pollInterval } from './schedule.ts'

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
  /** Takes a state that a request outside the poll has found. */
  learn(state: T): void
}

/** What a poll runs on. Times are in milliseconds. */
export interface PollContext {
  readonly requests: Requests
  readonly endings: Pick<Endings, 'keep'>
  readonly deadlineMs: number
  /** Called once, when the poll ends for any reason. */
  readonly onStop: () => void
}

/**
 * Milliseconds after which a target that is still unknown is registered again. What confirmed the
 * registration may have been a proxy in front of an upstream that never got it.
 */
const registerAgainMs = 15_000

const isTimeout = (error: unknown): boolean =>
  error instanceof GatewayError && error.code === 'UPSTREAM_TIMEOUT'

/** How old a state may be, in milliseconds, when a new listener gets it. An older one is looked at again. */
const freshMs = 2_000

/** Starts to poll a target. The first request is sent at once. */
export function startPoll<T>(target: PollTarget<T>, context: PollContext): Poll<T> {
  const { requests, endings, deadlineMs, onStop } = context
  const { clock, maxUnavailableMs } = requests
  const { key, messages, pace, client = '' } = target
  const firstLook: Owner = { client, isUrgent: true }
  const laterLooks: Owner = { client }
  const state = createBelievedState(target)
  const listeners = new Set<PollListener<T>>()
  const controller = new AbortController()
  const { signal } = controller
  const startedAt = clock.now()
  /** When the first gateway of the fleet began to watch it. */
  let watchedSince = startedAt
  let lastSeenAt = startedAt
  let lookedAt = startedAt
  let isLooking = false
  /** When the last request was sent. */
  let sentAt = startedAt
  let faults = 0
  /** Whether the last request took longer than it was given. */
  let isTimedOut = false
  let owner = firstLook
  /** How old a state of another gateway may be that the next look is answered with. */
  let maxAgeMs = Number.POSITIVE_INFINITY
  /** Set while the last look was answered with such a state: the milliseconds since it was read. */
  let sharedAgeMs: number | undefined
  let onMissing = target.onMissing
  /** When the target may be registered again. */
  let registerAt = startedAt
  let expectedMs = Number.POSITIVE_INFINITY
  let cancelTimer = () => {}
  /** Until when it waits for a pause. It then polls, so that one target cannot pause the others for ever. */
  let pausedUntil: number | undefined

  const stop = () => {
    if (signal.aborted) return
    cancelTimer()
    unfollow()
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
    cancelTimer()
    cancelTimer = clock.after(Math.min(delay, left), () => void poll())
  }

  /** Schedules the look after one that is that old. */
  const scheduleNext = (delay: number, ageMs = 0) => {
    // A state that others read between two of these polls counts as one.
    maxAgeMs = delay * 0.7
    schedule(Math.max(0, delay - ageMs))
  }

  /** Waits while polls are paused. False if it need not. */
  const waitsForPause = (): boolean => {
    cancelTimer()
    const { pausedMs } = requests
    // Polls that were paused together must not be sent together.
    if (pausedMs > 0) pausedUntil ??= clock.now() + requests.afterOthers(pausedMs)
    const waitMs = (pausedUntil ?? 0) - clock.now()
    if (pausedMs <= 0 || waitMs <= 0 || requests.probe()) {
      pausedUntil = undefined
      return false
    }
    schedule(Math.min(waitMs, requests.afterOthers(probeMs)))
    const cancels = [cancelTimer, requests.afterPause(() => schedule(0))]
    cancelTimer = () => {
      for (const cancel of cancels) cancel()
    }
    return true
  }

  const poll = async (): Promise<void> => {
    if (waitsForPause()) return
    try {
      const patience = pace?.timeoutMs ?? (isTimedOut ? requests.timeoutMs : requests.patienceMs)
      const options = { signal, timeoutMessage: messages.timeout, owner, timeoutMs: patience }
      owner = laterLooks
      isLooking = true
      sharedAgeMs = undefined
      const response = await requests.run(options, (deadline) =>
        fetchOrRegister(deadline, patience),
      )
      if (signal.aborted) return
      if (sharedAgeMs === undefined) {
        observe(clock.now() - sentAt)
        requests.resume()
      }
      faults = 0
      isTimedOut = false
      if (response !== null && isDated(response)) return scheduleNext(freshMs, freshMs)
      if (response !== null) acceptLook(response)
      else if (isLost()) finish(new GatewayError('UPSTREAM_REJECTED', messages.notFound))
    } catch (error) {
      if (signal.aborted) return
      faults += 1
      requests.pause(error)
      const takenMs = clock.now() - sentAt
      // A connection can hang, or the upstream can have become slow: the next request has all the time there is.
      isTimedOut = isTimeout(error)
      // A refusal of what was answered before is a fault of the moment.
      if ((state.current === undefined && target.isFatal(error)) || isLost()) return finish(error)
      // In a long pause, this poll can be the one that finds out whether it still lasts.
      const named = requests.pausedMs > probeMs ? undefined : error
      return scheduleNext(requests.retryDelay(faults, named, takenMs))
    } finally {
      isLooking = false
      lookedAt = clock.now() - (sharedAgeMs ?? 0)
    }
    if (signal.aborted) return
    if (sharedAgeMs === undefined) return scheduleNext(requests.jitter(interval()))
    if (sharedAgeMs >= freshMs && listeners.size > 0) return scheduleNext(freshMs, freshMs)
    scheduleNext(requests.afterOthers(interval()), sharedAgeMs)
  }

  /** Takes what another gateway has seen. It looks next, and this one only if it does not. */
  const onSight = (sight: Sight<T>) => {
    const { ageMs } = sight
    onSeries(sight.seriesMs ?? 0)
    if ('error' in sight) {
      // Whether this ends the poll is up to its own look.
      if (isLooking || target.isFatal(sight.error) || isLost()) return
      return scheduleNext(requests.afterOthers(requests.retryDelay(faults + 1, sight.error)), ageMs)
    }
    // The gateway that looked may not register what is missing.
    if (sight.value === null) {
      if (onMissing && clock.now() >= registerAt) return
    } else {
      acceptLook(sight.value)
    }
    if (signal.aborted || isLooking) return
    faults = 0
    lookedAt = clock.now() - ageMs
    scheduleNext(requests.afterOthers(interval()), ageMs)
  }

  const onSeries = (seriesMs: number) => {
    watchedSince = Math.min(watchedSince, clock.now() - seriesMs)
  }

  /** Looks with a pace of their own say nothing of the others. */
  const observe = (takenMs: number) => {
    if (!pace) requests.observe(takenMs)
  }

  const interval = (): number => {
    if (pace) return pace.intervalMs
    const age = clock.now() - watchedSince
    return pollInterval({ age, untilDue: startOfTarget() + expectedMs - clock.now() })
  }

  /** When the target began, as a time of the clock. */
  const startOfTarget = (): number => {
    const start = state.current && target.startOf?.(state.current.value)
    return start === undefined ? startedAt : Math.min(startedAt, start - clock.date() + clock.now())
  }

  const fetchOrRegister = async (deadline: Signal, patience: number): Promise<T | null> => {
    sentAt = clock.now()
    const onShared = (ageMs: number) => {
      sharedAgeMs = ageMs
    }
    const look = { timeoutMs: patience, onShared, onSeries }
    const response = await target.fetch(deadline, { ...look, maxAgeMs })
    if (response !== null || !onMissing || clock.now() < registerAt) return response
    if (!(await onMissing(deadline, { timeoutMs: patience }))) return null
    registerAt = clock.now() + registerAgainMs
    sharedAgeMs = undefined
    return target.fetch(deadline, { ...look, maxAgeMs: 0 })
  }

  /** Whether it would end the poll, although it may have changed since another gateway has seen it. */
  const isDated = (now: T): boolean =>
    (sharedAgeMs ?? 0) >= freshMs && target.isFinal(now) && !target.isSettled(now)

  const acceptLook = (now: T) => {
    // An upstream that forgets the target later is told at once.
    if (state.current === undefined) registerAt = startedAt
    lastSeenAt = clock.now()
    if (state.see(now)) tell(now)
  }

  const tell = (now: T) => {
    for (const listener of listeners) listener.push(now)
    if (!target.isFinal(now)) return
    endings.keep(target, key, now)
    finish()
  }

  /** Looks at once, unless it does so or has just done so, or waits after a fault. */
  const lookSoon = (newOwner: Owner) => {
    if (isLooking || faults > 0 || clock.now() - lookedAt < freshMs) return
    owner = newOwner
    maxAgeMs = Math.min(maxAgeMs, freshMs)
    schedule(0)
  }

  const unfollow = target.follow?.(onSight) ?? (() => {})
  schedule(0)
  return {
    join(listener, { onMissing: register, expectedMs: expected, client: joiner = '' }) {
      listeners.add(listener)
      onMissing ??= register
      if (expected !== undefined) expectedMs = Math.min(expectedMs, expected)
      if (state.current) listener.push(state.current.value)
      lookSoon({ client: joiner, isUrgent: true })
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0) stop()
      }
    },
    learn(now) {
      if (state.learn(now)) tell(now)
    },
    stop,
    get listenerCount() {
      return listeners.size
    },
  }
}
