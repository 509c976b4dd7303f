/** The most searches of an operation that read at once. The others may find what they look for in what these read. */
export const maxTurns = 12

/** The turns of the searches of an operation, and the records that they wait for. */
export class SearchTurns {
  /** The records that searches have asked for and do not have yet. */
  openRows = 0
  #accounts = 0
  readonly #last: Promise<unknown>[] = Array.from({ length: maxTurns }, () => Promise.resolve())

  /** A number for an account, so that accounts differ in their turns. */
  nextAccount(): number {
    this.#accounts += 1
    return this.#accounts
  }

  /** Runs after those that have the same turn. */
  take<T>(number: number, run: () => Promise<T>): Promise<T> {
    const at = number % maxTurns
    const turn = (this.#last[at] ?? Promise.resolve()).then(run)
    this.#last[at] = turn.catch(() => {})
    return turn
  }
}
