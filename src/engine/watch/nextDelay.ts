/** The time between two polls, apart from faults. Times are in milliseconds. */
export type Rhythm =
  | { readonly kind: 'fixed'; readonly intervalMs: number }
  | {
      readonly kind: 'ends'
      /** Since any gateway began to watch it. */
      readonly ageMs: number
      /** Until its expected end, negative after it. Infinity if that is not known. */
      readonly untilEndMs: number
    }
  /** A list that others say to read, and that is read at intervals while few listen. */
  | {
      readonly kind: 'pulled'
      /** The interval of the least demand for which it is only read when it is said to. Longer for less demand. */
      readonly minMs: number
      readonly fullRateAt: number
      /** Since the turn that the last observation belongs to, when that was made. */
      readonly turnLagMs: number
    }
  /** A sequence without an end. */
  | {
      readonly kind: 'endless'
      /** The shortest interval. */
      readonly minMs: number
      /** The least demand for polling at that interval. */
      readonly fullRateAt: number
      /** When the next record is due, where that is known. */
      readonly expected?: Expected | undefined
    }

/** When the next record of a sequence is due. Times are in milliseconds. */
export interface Expected {
  /** From the last poll until it is due, negative if it was due before. */
  readonly inMs: number
  /** The usual time between two records. */
  readonly everyMs: number
  /** The longest wait while it is not overdue. */
  readonly longestMs: number
}

/** The facts for choosing a wait. Times are in milliseconds. */
export interface History {
  readonly rhythm: Rhythm
  /** How many polls in a row have failed. */
  readonly faults: number
  /** How long the last error asks to wait. */
  readonly retryAfterMs?: number
  /** How long the last request took. */
  readonly tookMs?: number
  /** How long ago a peer read the last observation. Undefined if this process read it. */
  readonly peerAgeMs?: number | undefined
}

const second = 1_000
const minute = 60 * second

/** The longest interval while a target is young or about to end. Five seconds with jitter. */
const longestQuickMs = 4 * second

/** The longest interval of a sequence with few listeners, unless its own is longer. */
const longestRareMs = 5 * second

/** The longest wait for a record, unless the interval is longer: a chain can make a block at any time. */
export const longestExpectedMs = 6 * second

/**
 * Milliseconds from the last observation to the next poll. The only place that chooses that wait.
 *
 * After a fault it backs off, or waits as long as the error asks. Otherwise it waits for the interval of the
 * rhythm, or until the expected record is due. Jitter keeps one process the poller: it waits for 0.75 to 1.25
 * intervals, and its peers for 1.3 to 1.55, so that a peer polls only if that process is gone: of an interval of 4 s,
 * two seconds after a peer has polled, this process waits for 3.2 to 4.2 s more.
 */
export function nextDelay(history: History, demand: number, random: number): number {
  const { faults, retryAfterMs = 0, tookMs = 0, peerAgeMs, rhythm } = history
  const isOwn = peerAgeMs === undefined
  if (faults > 0) {
    if (isOwn) return Math.max(retryAfterMs, jitter(backoff(faults), random) - tookMs)
    const delay = afterPeers(Math.max(retryAfterMs, backoff(faults)), random)
    return Math.max(0, delay - peerAgeMs)
  }
  const interval = intervalOf(rhythm, demand)
  const usual = isOwn ? jitter(interval, random) : interval
  const delay = chooseDelay(rhythm, usual, interval)
  return isOwn ? delay : Math.max(0, delay + afterPeers(interval, random) - interval - peerAgeMs)
}

/** The wait after an observation, where `usual` is the interval with jitter. */
function chooseDelay(rhythm: Rhythm, usual: number, interval: number): number {
  if (rhythm.kind === 'pulled') return Math.max(0, usual - rhythm.turnLagMs)
  return rhythm.kind === 'endless' ? whenDue(rhythm, usual, interval) : usual
}

/** Milliseconds between two polls, without jitter. Infinity if there is no poll before something asks for one. */
export function intervalOf(rhythm: Rhythm, demand: number): number {
  if (rhythm.kind === 'fixed') return rhythm.intervalMs
  if (rhythm.kind === 'ends') return untilEnd(rhythm.ageMs, rhythm.untilEndMs)
  if (rhythm.kind === 'pulled' && demand >= rhythm.fullRateAt) return Number.POSITIVE_INFINITY
  const { minMs, fullRateAt } = rhythm
  const rare = minMs * Math.max(1, fullRateAt / Math.max(1, demand))
  return Math.max(minMs, Math.min(longestRareMs, rare))
}

/**
 * Short at first, longer with age, and short around an expected end. An estimate never makes a young target
 * wait: many transfers end long before theirs.
 */
function untilEnd(ageMs: number, untilEndMs: number): number {
  const byAge = ageMs < 10 * minute ? quick(ageMs) : (ageMs < 60 * minute ? 15 : 60) * second
  const window = 5 * minute
  if (untilEndMs <= -window) return byAge
  if (untilEndMs > window) return Math.min(byAge, Math.max(second, untilEndMs - window))
  return Math.min(byAge, untilEndMs > 0 ? clamp(untilEndMs / 4) : quick(-untilEndMs))
}

const clamp = (wait: number): number => Math.min(longestQuickMs, Math.max(second, wait))

/** A second at first. After ten seconds it grows by a quarter with each poll. */
const quick = (ageMs: number): number => clamp(second + (ageMs - 10 * second) / 4)

/**
 * The wait until the next record is due. At the full rate, a long wait is cut into equal parts, and the waits
 * for an overdue record grow to half of its delay. If the interval is longer, the wait ends when the first record
 * after that interval is due.
 */
function whenDue(rhythm: Rhythm & { kind: 'endless' }, usual: number, interval: number): number {
  const { minMs, expected } = rhythm
  if (!expected) return usual
  const { inMs, everyMs, longestMs } = expected
  if (interval > minMs && inMs > 0) {
    const limit = Math.max(interval, longestExpectedMs)
    const more = Math.ceil(Math.max(0, interval - inMs) / everyMs) * everyMs
    if (more <= interval && inMs + more <= limit) return inMs + more
    const part = inMs / Math.ceil(inMs / limit)
    return part >= interval ? part : usual
  }
  if (inMs > interval) return Math.max(interval, inMs / Math.ceil(inMs / longestMs))
  return Math.max(usual, Math.min(longestMs, -inMs / 2))
}

/** Faults in a row that can be chance: the next poll may well succeed. */
const transientFaults = 6

/**
 * Milliseconds from a failed poll to the next one, after that many faults in a row, 1 or more. Doubles up to two
 * seconds, and to four once the upstream seems to be down.
 */
export const backoff = (faults: number): number =>
  faults > transientFaults ? 4 * second : Math.min(2 * second, (second / 2) * 2 ** (faults - 1))

/** Adds or subtracts up to a quarter, so that polls that start together do not stay together. */
export const jitter = (milliseconds: number, random: number): number => milliseconds * (0.75 + random / 2)

/** Longer than `jitter` makes it: the gateway that polled last polls next, and a peer if it does not. */
export const afterPeers = (milliseconds: number, random: number): number => milliseconds * (1.3 + random / 4)
