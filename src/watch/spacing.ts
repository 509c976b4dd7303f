/** A record of a sequence, and its time in milliseconds. */
export interface Timed {
  readonly position: bigint
  readonly time: number
}

/** How far apart the records of a sequence are, in milliseconds. Undefined before two are known. */
export interface Spacing {
  /** Takes the newest records. Those up to `known` were taken before. */
  add(records: readonly Timed[], known: bigint): void
  /** The usual time between two records, by those of the last call. */
  median(): number | undefined
  mean(): number | undefined
  /**
   * What the mean is at least, as far as the known records tell: less, if they are few or irregular. `elapsed`
   * is the time since the newest one, which counts once it is longer than the others.
   */
  leastMean(elapsed?: number): number | undefined
}

/** How many times between two records are remembered. */
const size = 50

/** Learns how far apart the records of a sequence are, from their times. */
export function createSpacing(): Spacing {
  let spacings: number[] = []
  let median: number | undefined

  const mean = () =>
    spacings.length === 0
      ? undefined
      : spacings.reduce((sum, spacing) => sum + spacing, 0) / spacings.length

  return {
    add(records, known) {
      const sorted = records.toSorted((a, b) => Number(a.position - b.position))
      const found = sorted.flatMap(({ position, time }, index) => {
        const previous = sorted[index - 1]
        const spacing = previous && (time - previous.time) / Number(position - previous.position)
        return spacing !== undefined && spacing >= 0 ? { position, spacing } : []
      })
      median = found.map(({ spacing }) => spacing).sort((a, b) => a - b)[found.length >> 1]
      const added = found.filter(({ position }) => position > known)
      spacings = [...spacings, ...added.map(({ spacing }) => spacing)].slice(-size)
    },
    median: () => median,
    mean,
    leastMean(elapsed = 0) {
      const average = mean()
      if (average === undefined) return undefined
      const squares = spacings.reduce((sum, spacing) => sum + (spacing - average) ** 2, 0)
      // Two standard errors below the mean of the known ones.
      const error = Math.sqrt(squares) / spacings.length
      const more = Math.max(0, elapsed - average) / (spacings.length + 1)
      return Math.max(0, average + more - 2 * error)
    },
  }
}
