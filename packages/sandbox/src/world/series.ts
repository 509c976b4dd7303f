/**
 * An ascending subset of the positions 1, 2, 3, …, with both look-ups in constant or logarithmic time.
 * `rank` and `at` are inverse: `rank(at(n)) === n`, and `at(rank(p)) === p` for every member `p`.
 */
export interface Series {
  /** The number of members at or below a position. */
  rank(position: number): number
  /** The position of the n-th member, counted from 1. */
  at(n: number): number
  /** Whether a position is a member. It looks at no other position. */
  has(position: number): boolean
}

/** Positions that are irregular up to `head` and then repeat with a period of `span`. */
export interface Space {
  readonly head: number
  readonly span: number
}

/**
 * The members of a space. For `rank` and `at`, `has` is called at most once for each position of the head and the first period,
 * and only for those up to the one that is asked for: a young chain has few.
 */
export function select(space: Space, has: (position: number) => boolean): Series {
  const end = space.head + space.span
  const members: number[] = []
  let scanned = 0
  const scan = () => {
    scanned += 1
    if (has(scanned)) members.push(scanned)
  }
  let whole: Series | undefined
  const series = () => {
    while (scanned < end) scan()
    whole ??= createSeries(space, members)
    return whole
  }
  return {
    rank(position) {
      if (position > end) return series().rank(position)
      while (scanned < position) scan()
      return countUpTo(members, position)
    },
    at(n) {
      while (members.length < n && scanned < end) scan()
      return members[n - 1] ?? series().at(n)
    },
    has: (position) => has(representative(space, position)),
  }
}

/**
 * The series of these members of the head and the first period, in ascending order.
 *
 * Why the arithmetic holds: let `f` members lie in the head and `c` in each period. A position `p`
 * beyond the head lies `k = floor((p - head - 1) / span)` whole periods after its representative `r`
 * in the first period, so `rank(p) = f + k·c + (members of the first period up to r)`.
 * Conversely member `n > f` is member `(n - f - 1) mod c` of its period, moved by
 * `floor((n - f - 1) / c)` periods of `span`.
 */
export function createSeries(space: Space, members: readonly number[]): Series {
  const { head, span } = space
  const all = new Set(members)
  const inHead = members.filter((position) => position <= head)
  const inPeriod = members.filter((position) => position > head)
  return {
    rank(position) {
      if (position <= head) return countUpTo(inHead, position)
      const beyond = position - head - 1
      const periods = Math.floor(beyond / span)
      const rest = head + 1 + (beyond % span)
      return inHead.length + periods * inPeriod.length + countUpTo(inPeriod, rest)
    },
    at(n) {
      if (n <= inHead.length) return inHead[n - 1] ?? Number.NaN
      const beyond = n - inHead.length - 1
      const periods = Math.floor(beyond / inPeriod.length)
      return (inPeriod[beyond % inPeriod.length] ?? Number.NaN) + periods * span
    },
    has: (position) => all.has(representative(space, position)),
  }
}

/** The series of all positions. */
export const everyPosition: Series = {
  rank: (position) => Math.max(0, position),
  at: (n) => n,
  has: (position) => position > 0,
}

/** The position of the head or of the first period that a position repeats. */
export function representative({ head, span }: Space, position: number): number {
  return position <= head ? position : head + 1 + ((position - head - 1) % span)
}

/**
 * The space of the ranks of a series. If the positions repeat after `span`, the ranks repeat after the
 * number of members in one period.
 */
export function rankSpace({ head, span }: Space, series: Series): Space {
  const inHead = series.rank(head)
  return { head: inHead, span: series.rank(head + span) - inHead }
}

/** The number of elements up to and including `bound`, by binary search. */
export function countUpTo(sorted: readonly number[], bound: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? bound) <= bound) low = middle + 1
    else high = middle
  }
  return low
}
