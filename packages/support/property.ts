import type { GlobalParameters } from 'fast-check'

const { PROPERTY_RUNS_FACTOR, PROPERTY_SEED, PROPERTY_SHRINK } = process.env
const factor = Number(PROPERTY_RUNS_FACTOR ?? 1)

/**
 * How many times a property is checked. Set the environment variable PROPERTY_RUNS_FACTOR to check every
 * property that many times as often.
 */
export const runs = (count: number): number => Math.ceil(count * factor)

/** The longest time of one property, in milliseconds. What it has checked until then counts. */
const longest = 60_000

/**
 * How all properties are checked. The same tree passes or fails the same way each time: PROPERTY_SEED, a number, looks for
 * other counterexamples. Add each that is found to its property as an example. A property ends at its first
 * counterexample; with PROPERTY_SHRINK=1 it looks for a smaller one, which can take minutes.
 */
export const propertySettings: GlobalParameters = {
  seed: Number(PROPERTY_SEED ?? 3),
  endOnFailure: PROPERTY_SHRINK !== '1',
  interruptAfterTimeLimit: longest * Math.max(1, factor),
}
