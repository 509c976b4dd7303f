import type { Awaitable } from '../awaitable.ts'
import type { Clock } from './clock.ts'
import type { FairScheduler } from './fairScheduler.ts'
import type { Steps } from './steps.ts'

/** The rows or steps of an operation that are done before the time is first checked. Most operations have fewer. */
const freeUnits = 1_000

/** The time is asked for once in so many units. */
const unitsPerLook = 8

/** Milliseconds that one operation may hold the event loop. */
const operationMs = 8

/** Milliseconds that all operations together may hold the event loop. */
const togetherMs = 30

/** Milliseconds of work that waited, in one turn of its client. */
const turnMs = 5

/** Maximum queued pieces of work in one turn of a client. The work after a piece may take longer than the piece. */
const piecesPerTurn = 16

/** Lets the work on large records pause, so that it does not hold up other clients. */
export interface Pace {
  begin(client: string): Work
}

/** The work of one operation. Its units are rows of lists, and steps of what reads a record. */
export class Work {
  readonly #loop: Loop
  readonly #client: string
  #units = 0
  #nextLook = freeUnits
  #pass = -1
  #startedAt = 0

  constructor(loop: Loop, client: string) {
    this.#loop = loop
    this.#client = client
  }

  /** Counts a unit. True if the operation has held the event loop for so long that further units should wait. */
  isLong(): boolean {
    this.#units += 1
    if (this.#units < this.#nextLook) return false
    const { pass, startedAt, now } = this.#loop.look()
    if (this.#pass !== pass) {
      this.#pass = pass
      this.#startedAt = now
    }
    const isLong = now - this.#startedAt >= operationMs || now - startedAt >= togetherMs
    // Once an operation is long, its other work waits too, such as the list around a list.
    if (!isLong) this.#nextLook = this.#units + unitsPerLook
    return isLong
  }

  /** Does work in the client's next turn. */
  later<T>(work: () => Awaitable<T>): Promise<T> {
    return this.#loop.later(this.#client, work)
  }

  /** Does all steps, now or in several turns of the client. */
  run<T>(steps: Steps<T>): Awaitable<T> {
    for (;;) {
      const { done, value } = steps.next()
      if (done) return value
      if (this.isLong()) return this.later(() => this.run(steps))
    }
  }
}

/** A pass of the event loop, as far as operations work in it. */
interface Loop {
  /** Its number, the time when the first operation asked in it, and the time now. */
  look(): { readonly pass: number; readonly startedAt: number; readonly now: number }
  later<T>(client: string, work: () => Awaitable<T>): Promise<T>
}

/** The work of one client that waits. The done part is removed seldom, which moves the rest of the array. */
interface Waiting {
  readonly works: (() => void)[]
  /** Place of the first piece to do. */
  next: number
}

/** So many done pieces are removed together. */
const piecesRemoved = 1_024

/** Creates the pace of a process. Work that waits takes its place among the other work of its client. */
export function createPace(clock: Clock, scheduler: FairScheduler): Pace {
  let pass = 0
  let startedAt: number | undefined
  const waiting = new Map<string, Waiting>()

  const look = () => {
    const now = clock.now()
    if (startedAt === undefined) {
      startedAt = now
      clock.after(0, () => {
        pass += 1
        startedAt = undefined
      })
    }
    return { pass, startedAt, now }
  }

  const workOff = (client: string, queue: Waiting) => {
    const until = clock.now() + turnMs
    let pieces = 0
    do {
      queue.works[queue.next]?.()
      queue.next += 1
      pieces += 1
    } while (queue.next < queue.works.length && pieces < piecesPerTurn && clock.now() < until)
    if (queue.next === queue.works.length) {
      waiting.delete(client)
      return
    }
    if (queue.next >= piecesRemoved) {
      queue.works.splice(0, queue.next)
      queue.next = 0
    }
    takeTurn(client, queue)
  }

  const takeTurn = (client: string, queue: Waiting) => {
    clock.after(0, () => scheduler.run(client, () => workOff(client, queue)))
  }

  const loop: Loop = {
    look,
    later: (client, work) =>
      new Promise((resolve, reject) => {
        let queue = waiting.get(client)
        if (!queue) {
          queue = { works: [], next: 0 }
          waiting.set(client, queue)
          takeTurn(client, queue)
        }
        queue.works.push(() => {
          try {
            resolve(work())
          } catch (error) {
            reject(error)
          }
        })
      }),
  }
  return { begin: (client) => new Work(loop, client) }
}

/** The work of an operation that never pauses, for readers that are not part of a gateway. */
export const unpaced = new Work(
  {
    look: () => ({ pass: 0, startedAt: 0, now: 0 }),
    later: async (_client, work) => work(),
  },
  '',
)
