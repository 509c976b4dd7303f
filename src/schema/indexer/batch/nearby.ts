/** Cuts a sorted list between neighbors that are not near each other. `first` is the first item of the group. */
export function groupNearby<T>(sorted: readonly T[], isNear: (previous: T, next: T, first: T) => boolean): T[][] {
  const groups: T[][] = []
  for (const item of sorted) {
    const group = groups.at(-1)
    const [first] = group ?? []
    const previous = group?.at(-1)
    const joins = first !== undefined && previous !== undefined && isNear(previous, item, first)
    if (joins) group?.push(item)
    else groups.push([item])
  }
  return groups
}

/** Heights from `low` to `high`, both included. */
export interface HeightRange {
  readonly low: bigint
  readonly high: bigint
}

/** The largest distance between two heights of one range. It loads at most four unneeded blocks. */
const maxDistance = 5n

/** The ranges of nearby heights, each worth one list request. Heights without a neighbor are left out. */
export function toRanges(heights: readonly bigint[], maxLength = Number.POSITIVE_INFINITY): HeightRange[] {
  const sorted = heights.toSorted((a, b) => (a < b ? -1 : 1))
  const groups = groupNearby(sorted, (previous, next, low) => next - previous <= maxDistance && next - low < maxLength)
  return groups.flatMap((group) => {
    const [low = 0n] = group
    const high = group.at(-1) ?? low
    return low < high ? [{ low, high }] : []
  })
}

/** All heights of a range, in ascending order. */
export const listHeights = ({ low, high }: HeightRange): bigint[] =>
  Array.from({ length: Number(high - low) + 1 }, (_, i) => low + BigInt(i))
