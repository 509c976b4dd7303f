import type { PollRules } from './pollTarget.ts'

/** The state of a target that a poll believes, when replicas of an upstream can lag behind. */
export interface BelievedState<T> {
  /** Undefined until the target has been found. */
  readonly current: { readonly value: T } | undefined
  /**
   * Takes what a look has found. What is older than the state is believed once several looks in a row have
   * found it. Returns whether the state has changed.
   */
  see(now: T): boolean
  /** Takes what a request outside the poll has found, unless it is older. Returns whether the state has changed. */
  learn(now: T): boolean
}

/** How many looks in a row must contradict the state before they are believed. */
const correctionLooks = 3

/** Nothing is believed at first. */
export function createBelievedState<T>(
  rules: Pick<PollRules<T>, 'equals' | 'isStale'>,
): BelievedState<T> {
  let current: { readonly value: T } | undefined
  let contradiction: { readonly value: T; readonly looks: number } | undefined

  const isOlder = (now: T) => current !== undefined && rules.isStale(current.value, now)

  const believe = (now: T): boolean => {
    contradiction = undefined
    if (current && rules.equals(current.value, now)) return false
    current = { value: now }
    return true
  }

  return {
    get current() {
      return current
    },
    see(now) {
      if (!isOlder(now)) return believe(now)
      const isRepeated = contradiction && rules.equals(contradiction.value, now)
      const looks = (isRepeated && contradiction ? contradiction.looks : 0) + 1
      contradiction = { value: now, looks }
      return looks >= correctionLooks && believe(now)
    },
    learn: (now) => !isOlder(now) && believe(now),
  }
}
