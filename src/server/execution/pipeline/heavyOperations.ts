import { performance } from 'node:perf_hooks'
import type { Clock } from '../../../kit/clock/clock.ts'
import type { Signal } from '../../../kit/clock/signal.ts'
import { createTimeouts } from '../../../kit/clock/timeouts.ts'
import { isPromise } from '../isPromise.ts'

/** Decides how many heavy operations are under way at once. */
export interface HeavyOperations {
  /**
   * Runs an operation that costs so many points: at once if it is not heavy or few others are under way, else
   * when its turn comes. Clients that wait start one operation each in turn. Gives what the work gives, as a
   * promise if it had to wait. Rejects with the reason of the signal if it aborts before the work starts.
   */
  run<T>(client: string, points: number, signal: Signal, work: () => T | Promise<T>): T | Promise<T>
  /** Operations that wait. */
  readonly waiting: number
}

/** Points from which on an operation is heavy. The page of an account or a block costs a tenth to a third. */
const heavyPoints = 1_000

/** The fewest points under way before others wait: some ten pages of blocks with their transactions. */
const fewestPoints = 64_000

/** Milliseconds between two looks at how idle the event loop is, while operations wait. */
const lookMs = 5

/** The share of the time that the event loop may be idle while operations wait. */
const idleShare = 0.05

/**
 * Milliseconds in which the points under way grow to two and a half times as many while the event loop is idle. An
 * operation shows what it costs only once its upstreams have answered. With faster growth, all that wait would have
 * begun by then.
 */
const growthMs = 100

/** Milliseconds after which an operation counts no longer: what it waits for, only its upstream can hasten. */
const countedMs = 2_000

/** Milliseconds, since an arbitrary start, in which the event loop of this thread had nothing to do. */
export type IdleTime = () => number

const ownIdleTime: IdleTime = () => performance.eventLoopUtilization().idle

/**
 * Lets no more heavy operations be under way than keep the event loop busy. If all that arrive began at once,
 * each would take as long as all of them, and V8 would count what it holds as old by the time it ends. It
 * collects young objects at next to no cost, and old ones seldom: under a crowd most of the heap would be
 * garbage. While the event loop is idle, as with slow upstreams, more and more operations start; while it is busy,
 * fewer do.
 */
export function createHeavyOperations(
  clock: Clock,
  idleTime: IdleTime = ownIdleTime,
): HeavyOperations {
  /** What waits, by client, the one whose turn it is first. No list is empty. */
  const lines = new Map<string, (() => void)[]>()
  const startTimeout = createTimeouts(clock, countedMs)
  let waiting = 0
  let pointsUnderWay = 0
  let maxPoints = fewestPoints
  let isLooking = false

  const start = <T>(points: number, work: () => T | Promise<T>): T | Promise<T> => {
    const result = work()
    if (isPromise(result)) count(points, result)
    return result
  }

  const count = (points: number, work: Promise<unknown>) => {
    pointsUnderWay += points
    let isCounted = true
    const leave = () => {
      if (!isCounted) return
      isCounted = false
      cancel()
      pointsUnderWay -= points
      startWaiting()
    }
    const cancel = startTimeout(leave)
    work.then(leave, leave)
  }

  const startWaiting = () => {
    while (waiting > 0 && pointsUnderWay < maxPoints) {
      const before = pointsUnderWay
      startNext()
      if (pointsUnderWay > before) continue
      // It has ended already, as what is cached does. Many of these would keep the event loop for long.
      clock.after(0, startWaiting)
      return
    }
  }

  const startNext = () => {
    for (const [client, line] of lines) {
      lines.delete(client)
      const next = line.shift()
      if (line.length > 0) lines.set(client, line)
      waiting -= 1
      return next?.()
    }
  }

  const removeWaiting = (client: string, begin: () => void) => {
    const line = lines.get(client)
    const at = line?.indexOf(begin) ?? -1
    if (!line || at < 0) return
    line.splice(at, 1)
    if (line.length === 0) lines.delete(client)
    waiting -= 1
  }

  const keepLooking = (since: number, idleBefore: number) => {
    isLooking = true
    clock.after(lookMs, () => {
      const now = clock.now()
      const idle = idleTime()
      const share = waiting > 0 ? (idle - idleBefore) / (now - since) : 0
      const growth = ((share - idleShare) * Math.min(now - since, growthMs)) / growthMs
      maxPoints = Math.max(fewestPoints, maxPoints * (1 + growth))
      if (growth > 0) startWaiting()
      isLooking = waiting > 0 || maxPoints > fewestPoints
      if (isLooking) keepLooking(now, idle)
    })
  }

  return {
    run<T>(client: string, points: number, signal: Signal, work: () => T | Promise<T>) {
      if (points < heavyPoints) return work()
      if (waiting === 0 && pointsUnderWay < maxPoints) return start(points, work)
      if (!isLooking) keepLooking(clock.now(), idleTime())
      return new Promise<T>((resolve, reject) => {
        const begin = () => {
          signal.removeEventListener('abort', leave)
          try {
            resolve(start(points, work))
          } catch (error) {
            reject(error)
          }
        }
        const leave = () => {
          signal.removeEventListener('abort', leave)
          removeWaiting(client, begin)
          reject(signal.reason)
        }
        const line = lines.get(client) ?? []
        lines.set(client, line)
        waiting += 1
        line.push(begin)
        signal.addEventListener('abort', leave)
      })
    },
    get waiting() {
      return waiting
    },
  }
}
