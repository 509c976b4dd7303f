/** The faults in a row at one place after which a reader is stuck. They take about eight seconds. */
const manyFaults = 5

/** Called once for a reader that is stuck at one place of a list, and for each record that could not be used. */
export type OnStuck = (list: string, error: unknown) => void

/** The faults in a row of the reader of a list. */
export class Faults {
  readonly #list: string
  readonly #onStuck: OnStuck
  #count = 0
  #stuckBy: { readonly error: unknown } | undefined

  constructor(list: string, onStuck: OnStuck) {
    this.#list = list
    this.#onStuck = onStuck
  }

  /** The last one, once the reader is stuck. */
  get stuckBy(): { readonly error: unknown } | undefined {
    return this.#stuckBy
  }

  add(error: unknown): void {
    this.#count += 1
    if (this.#count >= manyFaults) this.#stuckBy = { error }
    if (this.#count === manyFaults) this.#onStuck(this.#list, error)
  }

  clear(): void {
    this.#count = 0
    this.#stuckBy = undefined
  }
}
