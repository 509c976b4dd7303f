const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** The longest wait while a target is young or due, in milliseconds. With jitter it is five seconds. */
const longestQuick = 4 * second

/** How long a target is young, in milliseconds. */
const youth = 10 * minute

/** How long before and after its expected end a target is due, in milliseconds. */
const dueWindow = 5 * minute

/**
 * Milliseconds until the next poll, from milliseconds since the first. Short at first, longer with age.
 * Where the end is expected at a known time, it is short around that time too, but an estimate never makes
 * a young target wait: many transfers end long before theirs.
 */
export function pollInterval({
  age,
  untilDue,
}: {
  age: number
  /** Milliseconds until the expected end, negative after it. Infinity if it is not known. */
  untilDue: number
}): number {
  const byAge = intervalByAge(age)
  if (untilDue <= -dueWindow) return byAge
  if (untilDue > dueWindow) return Math.min(byAge, Math.max(second, untilDue - dueWindow))
  return Math.min(byAge, untilDue > 0 ? clamp(untilDue / 4) : quickInterval(-untilDue))
}

const clamp = (wait: number): number => Math.min(longestQuick, Math.max(second, wait))

function intervalByAge(age: number): number {
  if (age < youth) return quickInterval(age)
  return age < hour ? 15 * second : minute
}

/** A second at first. After ten seconds it grows by a quarter with each poll. */
const quickInterval = (age: number): number => clamp(second + (age - 10 * second) / 4)

/** Faults in a row that can be chance: the look after the next one may well succeed. */
const chanceFaults = 6

/**
 * Milliseconds from a look that fails to the next one, after that many faults in a row, 1 or more. Doubles
 * up to two seconds, and to four once the upstream seems to be down.
 */
export const backoff = (faults: number): number =>
  faults > chanceFaults ? longestQuick : Math.min(2 * second, (second / 2) * 2 ** (faults - 1))

/** Adds or takes up to a quarter, so that polls that start together do not stay together. */
export const jitter = (milliseconds: number, random: () => number): number =>
  milliseconds * (0.75 + random() / 2)
