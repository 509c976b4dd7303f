const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * Milliseconds until the next poll, from milliseconds since the first. Short at first, longer with age.
 * Where the end is expected at a known time, long until then, and from then on as short as at the start.
 * A target that the upstream has never known may not exist, and is polled less often.
 */
export function pollInterval({
  age,
  untilDue,
  isSeen,
}: {
  age: number
  untilDue: number | undefined
  isSeen: boolean
}): number {
  if (!isSeen) return Math.min(minute / 2, Math.max(second, age / 4))
  if (untilDue === undefined || age < 10 * second) return intervalByAge(age)
  if (untilDue > 0) return Math.min(minute, Math.max(second, untilDue / 4))
  return intervalByAge(-untilDue)
}

function intervalByAge(age: number): number {
  if (age < 10 * second) return second
  // Grows by a quarter with each poll, up to five seconds.
  if (age < 5 * minute) return Math.min(5 * second, second + (age - 10 * second) / 4)
  return age < hour ? 15 * second : minute
}

/** Milliseconds to wait after that many faults in a row, 1 or more. Doubles up to 8 seconds. */
export const backoff = (faults: number): number =>
  Math.min(8 * second, (second / 2) * 2 ** (faults - 1))

/** Adds or takes up to a quarter, so that polls that start together do not stay together. */
export const jitter = (milliseconds: number, random: () => number): number =>
  milliseconds * (0.75 + random() / 2)
