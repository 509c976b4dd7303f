const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * Milliseconds to the next look. Quick while something is young, slower with age. Where it is known
 * when the end is due, slow while that is far off, and as quick again from then on as at the start.
 */
export function pollInterval({
  age,
  untilDue,
}: {
  age: number
  untilDue: number | undefined
}): number {
  if (untilDue === undefined || age < 10 * second) return paceByAge(age)
  if (untilDue > 0) return Math.min(minute, Math.max(second, untilDue / 4))
  return paceByAge(-untilDue)
}

function paceByAge(age: number): number {
  if (age < 10 * second) return second
  // Grows by a quarter with each look, up to five seconds.
  if (age < 5 * minute) return Math.min(5 * second, second + (age - 10 * second) / 4)
  return age < hour ? 15 * second : minute
}

/** Milliseconds to wait after that many faults in a row. */
export const backoff = (faults: number): number =>
  Math.min(8 * second, (second / 2) * 2 ** (faults - 1))

/** Spreads moments by a quarter to either side, so that what began together does not stay together. */
export const jitter = (milliseconds: number, random: () => number): number =>
  milliseconds * (0.75 + random() / 2)
