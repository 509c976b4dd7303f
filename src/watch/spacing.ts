/** A record of a sequence, and its time in milliseconds. */
export interface Timed {
  readonly position: bigint
  readonly time: number
}

/** How far apart the records of a sequence are, in milliseconds. */
export interface Spacing {
  /** The times between the newest records, oldest first. */
  readonly known: readonly number[]
  /** The usual time between two records of the last page. Undefined if it has fewer. */
  readonly median: number | undefined
}

/** How many times between two records are remembered. */
const size = 50

/** Adds the records of a page. Those up to the position `from` were added before. */
export function addRecords(spacing: Spacing, records: readonly Timed[], from: bigint): Spacing {
  const sorted = records.toSorted((a, b) => Number(a.position - b.position))
  const found = sorted.flatMap(({ position, time }, index) => {
    const previous = sorted[index - 1]
    const apart = previous && (time - previous.time) / Number(position - previous.position)
    return apart !== undefined && apart >= 0 ? { position, apart } : []
  })
  const added = found.filter(({ position }) => position > from)
  return {
    known: [...spacing.known, ...added.map(({ apart }) => apart)].slice(-size),
    median: found.map(({ apart }) => apart).sort((a, b) => a - b)[found.length >> 1],
  }
}

/** The mean time between two records. Undefined before two are known. */
export const meanOf = ({ known }: Spacing): number | undefined =>
  known.length === 0 ? undefined : known.reduce((sum, apart) => sum + apart, 0) / known.length

/**
 * A time that the mean is hardly below: it is less if the known ones are few or irregular. `elapsed` is the time
 * since the newest record, which counts once it is longer than the others.
 */
export function leastMeanOf(spacing: Spacing, elapsed = 0): number | undefined {
  const { known } = spacing
  const mean = meanOf(spacing)
  if (mean === undefined) return undefined
  const squares = known.reduce((sum, apart) => sum + (apart - mean) ** 2, 0)
  // Two standard errors below the mean of the known ones.
  const error = Math.sqrt(squares) / known.length
  const more = Math.max(0, elapsed - mean) / (known.length + 1)
  return Math.max(0, mean + more - 2 * error)
}
