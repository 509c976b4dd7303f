/** A reader is stuck after so many faults in a row at one place. They take about eight seconds. */
const manyFaults = 5

/** Hears of a reader that is stuck at one place of a list, once, and of a record that could not be used. */
export type OnStuck = (list: string, error: unknown) => void

/** The faults in a row of a reader. */
export interface Faults {
  readonly count: number
  /** The last one, once the reader is stuck. */
  readonly stuckBy: { readonly error: unknown } | undefined
  add(error: unknown): void
  clear(): void
}

/** Counts the faults of the reader of a list. */
export function countFaults(list: string, onStuck: OnStuck): Faults {
  let count = 0
  let stuckBy: { readonly error: unknown } | undefined
  return {
    get count() {
      return count
    },
    get stuckBy() {
      return stuckBy
    },
    add(error) {
      count += 1
      if (count >= manyFaults) stuckBy = { error }
      if (count === manyFaults) onStuck(list, error)
    },
    clear() {
      count = 0
      stuckBy = undefined
    },
  }
}
