/** A sparse ascending subset of the positions 1, 2, 3, …, counted and indexed without walking it. */
export interface Series {
  /** How many members are at or below a position. */
  rank(position: number): number
  /** The position of the n-th member, from 1; `n` must not exceed the rank of some position. */
  at(n: number): number
}

/** Positions that are irregular up to `head` and repeat with a period of `span` ever after. */
export interface Space {
  readonly head: number
  readonly span: number
}

/** The members of a space; `has` is asked about each position of the head and of the first period only. */
export function select({ head, span }: Space, has: (position: number) => boolean): Series {
  const first: number[] = []
  const cycle: number[] = []
  for (let position = 1; position <= head + span; position++) {
    if (has(position)) (position <= head ? first : cycle).push(position)
  }
  return {
    rank(position) {
      if (position <= head) return countUpTo(first, position)
      const beyond = position - head - 1
      const periods = Math.floor(beyond / span)
      const rest = head + 1 + (beyond % span)
      return first.length + periods * cycle.length + countUpTo(cycle, rest)
    },
    at(n) {
      if (n <= first.length) return first[n - 1] ?? Number.NaN
      const beyond = n - first.length - 1
      const periods = Math.floor(beyond / cycle.length)
      return (cycle[beyond % cycle.length] ?? Number.NaN) + periods * span
    },
  }
}

/** Every position from 1. */
export const everyPosition: Series = { rank: (position) => Math.max(0, position), at: (n) => n }

/** The position of the first period, or of the head, that a position repeats. */
export function representative({ head, span }: Space, position: number): number {
  return position <= head ? position : head + 1 + ((position - head - 1) % span)
}

/** The space of a series' own ranks, which repeat as its positions do. */
export function rankSpace({ head, span }: Space, series: Series): Space {
  const first = series.rank(head)
  return { head: first, span: series.rank(head + span) - first }
}

function countUpTo(sorted: readonly number[], bound: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? bound) <= bound) low = middle + 1
    else high = middle
  }
  return low
}
