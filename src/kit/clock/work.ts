import type { Steps } from '#kit/steps'
import type { Awaitable } from '../awaitable.ts'

/** The time is asked for once in this many units. */
const unitsPerLook = 8

/** Milliseconds that one operation may hold the event loop. */
const operationMs = 8

/** Milliseconds that all operations together may hold the event loop. */
const togetherMs = 30

/** What the work of operations needs to know of the event loop, and how it waits. */
export interface WorkTurns {
  /** The pass of the event loop: its number, the time when the first operation asked in it, and the time now. */
  look(): { readonly pass: number; readonly startedAt: number; readonly now: number }
  /** Does a piece of work in a later pass, when the turn of its client comes, after the client's earlier pieces. */
  later<T>(client: string, piece: () => Awaitable<T>): Promise<T>
}

/**
 * The work of one operation, which pauses so that it does not hold up other clients. Its units are rows of lists, and
 * steps of what reads a record.
 */
export class Work {
  readonly #turns: WorkTurns
  readonly #client: string
  #units = 0
  #nextLook = unitsPerLook
  #pass = -1
  #startedAt = 0

  constructor(turns: WorkTurns, client: string) {
    this.#turns = turns
    this.#client = client
  }

  /** Counts a unit. True if the operation has held the event loop for so long that further units should wait. */
  isLong(): boolean {
    this.#units += 1
    if (this.#units < this.#nextLook) return false
    const { pass, startedAt, now } = this.#turns.look()
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
    return this.#turns.later(this.#client, work)
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

/** The work of an operation that never pauses, for readers that are not part of a gateway. */
export const unpaced = new Work(
  {
    look: () => ({ pass: 0, startedAt: 0, now: 0 }),
    later: async (_client, work) => work(),
  },
  '',
)
