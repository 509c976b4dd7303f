/** A worker that ends within so many milliseconds of its start ended early. */
const earlyMs = 10_000

/** Milliseconds of the first wait, and of the longest. */
const firstWait = 500
const longestWait = 30_000

/** How long to wait before a worker that has ended is replaced. */
export interface Restarts {
  /**
   * Milliseconds until a replacement starts, after a worker that has run for so many milliseconds. None for
   * the first that ends early; then each wait is twice the one before, up to 30 seconds.
   */
  next(ranMs: number): number
}

/** Counts the workers that ended soon after their start. One that has run for ten seconds ends the count. */
export function createRestarts(): Restarts {
  let early = 0
  return {
    next(ranMs) {
      early = ranMs < earlyMs ? early + 1 : 0
      return early <= 1 ? 0 : Math.min(longestWait, firstWait * 2 ** (early - 2))
    },
  }
}
