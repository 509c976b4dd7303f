import { performance } from 'node:perf_hooks'
import { isPromise } from '../../kit/awaitable.ts'
import type { Clock } from '../../kit/clock/clock.ts'
import type { Signal } from '../../kit/clock/signal.ts'
import { createTimeouts } from '../../kit/clock/timeouts.ts'
import { RoundRobin, type Ticket } from '../../kit/queue/roundRobin.ts'

/** Decides how many heavy operations are under way at once. */
export interface AdmissionControl {
  /**
   * Runs an operation that costs this many points: at once if it is not heavy or few others are under way, else
   * when its turn comes. Clients that wait start one operation each in turn. Gives what the work gives, as a
   * promise if it had to wait. Rejects with the reason of the signal if it aborts before the work starts.
   */
  run<T>(client: string, points: number, signal: Signal, work: () => T | Promise<T>): T | Promise<T>
  readonly waiting: number
}

/** An operation of at least this many points is heavy, as are the lists of most pages of the explorer. */
const heavyPoints = 1_000

/** The fewest points under way before others wait: some ten pages of blocks with their transactions. */
const fewestPoints = 64_000

/** Milliseconds between two measurements of how idle the event loop is, while operations wait. */
const measureMs = 5

/** The share of the time that the event loop may be idle while operations wait. */
const idleShare = 0.05

/**
 * The milliseconds of an idle event loop until two and a half times as many points may be under way. An operation shows
 * its cost only once its upstreams have answered: if the bound grew faster, every operation would have begun by then.
 */
const growthMs = 100

/** Milliseconds that an operation counts. After that, it waits for its upstream and not for this process. */
const countedMs = 2_000

/** Milliseconds that the event loop of this thread was idle, since an arbitrary start. */
export type IdleTime = () => number

const ownIdleTime: IdleTime = () => performance.eventLoopUtilization().idle

/**
 * Starts heavy operations while the event loop is idle. If all started on arrival, each would take as long as all of
 * them, and V8 would move their objects to the old space, which it collects seldom. While the event loop is idle, as
 * with slow upstreams, more and more operations start. While it is busy, fewer start.
 */
export function createAdmissionControl(clock: Clock, idleTime: IdleTime = ownIdleTime): AdmissionControl {
  const lines = new RoundRobin()
  const underWay = createPointsUnderWay(clock, startWaiting)
  const bound = createBound(clock, idleTime, {
    isNeeded: () => lines.waiting > 0,
    onGrowth: startWaiting,
  })

  function startWaiting(): void {
    while (underWay.points < bound.points) {
      const before = underWay.points
      const ticket = lines.take()
      if (!ticket) return
      ticket.entry.start(ticket.leave)
      if (underWay.points > before) continue
      // It has ended already, as a cached one does. Many of these would keep the event loop for long.
      clock.after(0, startWaiting)
      return
    }
  }

  const start = <T>(points: number, work: () => T | Promise<T>): T | Promise<T> => {
    const result = work()
    if (isPromise(result)) underWay.count(points, result)
    return result
  }

  const wait = <T>(client: string, signal: Signal, begin: () => T | Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', leave)
        lines.stopWaiting(ticket)
        reject(signal.reason)
      }
      const startNow = () => {
        signal.removeEventListener('abort', leave)
        // What is under way is counted by its points.
        lines.exit(ticket)
        try {
          resolve(begin())
        } catch (error) {
          reject(error)
        }
      }
      const entry = { start: startNow, refuse: leave }
      const ticket: Ticket = { entry, requester: { client }, leave, state: 'waiting' }
      lines.wait(ticket)
      signal.addEventListener('abort', leave)
    })

  return {
    run<T>(client: string, points: number, signal: Signal, work: () => T | Promise<T>) {
      if (points < heavyPoints) return work()
      if (lines.waiting === 0 && underWay.points < bound.points) return start(points, work)
      bound.measure()
      return wait(client, signal, () => start(points, work))
    },
    get waiting() {
      return lines.waiting
    },
  }
}

/** The points of the operations that have started and not ended. */
interface PointsUnderWay {
  readonly points: number
  /** Counts an operation until it ends, or for `countedMs`. */
  count(points: number, work: Promise<unknown>): void
}

function createPointsUnderWay(clock: Clock, onLeave: () => void): PointsUnderWay {
  const startTimeout = createTimeouts(clock, countedMs)
  let sum = 0
  return {
    get points() {
      return sum
    },
    count(points, work) {
      sum += points
      let isCounted = true
      const leave = () => {
        if (!isCounted) return
        isCounted = false
        cancel()
        sum -= points
        onLeave()
      }
      const cancel = startTimeout(leave)
      work.then(leave, leave)
    },
  }
}

/** The most points that may be under way. */
interface Bound {
  readonly points: number
  /** Begins to measure the event loop, unless it does already. */
  measure(): void
}

/** A bound that grows while the event loop is idle, and shrinks while it is busy or nothing waits. */
function createBound(
  clock: Clock,
  idleTime: IdleTime,
  { isNeeded, onGrowth }: { readonly isNeeded: () => boolean; readonly onGrowth: () => void },
): Bound {
  let maxPoints = fewestPoints
  let isMeasuring = false
  const keepMeasuring = (since: number, idleBefore: number) => {
    isMeasuring = true
    clock.after(measureMs, () => {
      const now = clock.now()
      const idle = idleTime()
      const share = isNeeded() ? (idle - idleBefore) / (now - since) : 0
      const growth = ((share - idleShare) * Math.min(now - since, growthMs)) / growthMs
      maxPoints = Math.max(fewestPoints, maxPoints * (1 + growth))
      if (growth > 0) onGrowth()
      isMeasuring = isNeeded() || maxPoints > fewestPoints
      if (isMeasuring) keepMeasuring(now, idle)
    })
  }
  return {
    get points() {
      return maxPoints
    },
    measure() {
      if (!isMeasuring) keepMeasuring(clock.now(), idleTime())
    },
  }
}
