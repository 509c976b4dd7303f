import { clientLimits } from './clientLimits.ts'
import type { Limit } from './limit.ts'
import { operatorLimits } from './operatorLimits.ts'

/**
 * Every limit of the gateway. Settings, help, the table in docs/operating/settings.md and the graph's `ServiceLimits` are
 * made from this table, so a new limit is one entry and its use.
 */
const limitTable = { ...clientLimits, ...operatorLimits }

export type LimitName = keyof typeof limitTable

/** A value for each limit, in the unit that its entry names. */
export type Limits = { readonly [Name in LimitName]: number }

/** The share of the memory for caches that whole answers have. A repeated operation costs least where its answer is kept. */
export const shareOfAnswers = 1 / 4

// `Object.keys` and `Object.fromEntries` lose the names, hence the assertions.

/** The names of all limits, in the order of the help. */
export const limitNames = Object.keys(limitTable) as LimitName[]

/** The names of the limits that clients read in the graph. */
export const clientLimitNames = Object.keys(clientLimits) as (keyof typeof clientLimits)[]

/** A limit, whichever it is. */
export const limitOf = (name: LimitName): Limit => limitTable[name]

export const mapLimits = (valueFor: (name: LimitName) => number): Limits =>
  Object.fromEntries(limitNames.map((name) => [name, valueFor(name)])) as Limits

/**
 * The given limits, and the defaults of those left out.
 * @throws RangeError naming each limit that is not a whole number within its bounds.
 */
export function resolveLimits(given: Partial<Limits> = {}): Limits {
  const limits = mapLimits((name) => given[name] ?? limitTable[name].default)
  const problems = limitProblems(limits, (name) => `limits.${name}`)
  if (problems.length > 0) throw new RangeError(problems.join(' '))
  return limits
}

/** The faults of limits, a sentence each. `label` returns the name of a limit as the reader has set it. */
export function limitProblems(limits: Limits, label: (name: LimitName) => string): string[] {
  return limitNames.flatMap((name) => {
    const { min, max } = limitTable[name]
    const value = limits[name]
    const isWithin = Number.isSafeInteger(value) && value >= min && value <= max
    return isWithin ? [] : [`${label(name)} must be a whole number from ${min} to ${max}.`]
  })
}
