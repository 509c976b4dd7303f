import type { Clock } from '../../clock/clock.ts'

/** Lets clients take turns on the one thread that parses, validates and starts their operations. */
export interface Turns {
  /**
   * Runs work of a client: now, or when its turn comes. The work of one client runs in the order of the
   * calls. Gives what the work gives, as a promise if it had to wait.
   */
  run<T>(client: string, work: () => T | Promise<T>): T | Promise<T>
  /** Pieces of work that wait. */
  readonly waiting: number
}

/**
 * Milliseconds of work after which the event loop may do something else: read sockets, send answers,
 * and run what other clients wait for.
 */
const sliceMs = 5

/** The most pieces of work in one slice: some continue after the call that started them. */
const maxPerSlice = 16

/** Milliseconds of one piece of work above which the event loop gets as much time for other things. */
const longMs = 1

/**
 * Creates turns. While there is little to do, work runs at once. When the work of one slice has taken too
 * long, what comes next waits for the next slice, in which each client in turn gets one piece of work done.
 * An operation of another client needs the event loop several times, so long work is followed by a rest.
 */
export function createTurns(clock: Clock): Turns {
  const queues = new Map<string, (() => void)[]>()
  let waiting = 0
  /** Milliseconds of work since the last slice began. */
  let spent = 0
  /** Milliseconds that the event loop gets after this slice. */
  let rest = 0
  let isSliceOver = false

  /** Runs work, and ends the slice once it has taken enough. */
  const measure = <T>(work: () => T): T => {
    const startedAt = clock.now()
    try {
      return work()
    } finally {
      const taken = clock.now() - startedAt
      spent += taken
      if (taken > longMs) rest += taken
      if (spent > sliceMs && !isSliceOver) endSlice()
    }
  }

  const endSlice = () => {
    isSliceOver = true
    clock.after(rest, beginSlice)
  }

  const beginSlice = () => {
    spent = 0
    rest = 0
    isSliceOver = false
    for (let count = 0; waiting > 0 && !isSliceOver; count += 1) {
      if (count === maxPerSlice) return endSlice()
      takeNext()?.()
    }
  }

  /** The next piece of work of the client whose turn it is. */
  const takeNext = (): (() => void) | undefined => {
    const [next] = queues
    if (!next) return undefined
    const [client, queue] = next
    const work = queue.shift()
    queues.delete(client)
    if (queue.length > 0) queues.set(client, queue)
    waiting -= 1
    return work
  }

  const wait = <T>(client: string, work: () => T | Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const queue = queues.get(client) ?? []
      queues.set(client, queue)
      waiting += 1
      queue.push(() => {
        try {
          resolve(measure(work))
        } catch (error) {
          reject(error)
        }
      })
    })

  return {
    run: (client, work) => (isSliceOver || waiting > 0 ? wait(client, work) : measure(work)),
    get waiting() {
      return waiting
    },
  }
}
