import { lastSequence, nominalTimeOf, placeOf } from '../schedule.ts'
import { rankSpace, type Space, select } from '../series.ts'
import type { Shape } from '../shape.ts'
import type { StoryChain } from './network.ts'

/** Times in ascending order, in milliseconds since 1970, numbered from 1. They never end. */
export interface Moments {
  /** After how many numbers what happens at them repeats. */
  readonly space: Space
  /** The number of moments at or before a time. */
  countAt(timeMs: number): number
  timeOf(number: number): number
}

/** Moments at equal distances. */
export const everyPeriod = (first: number, period: number): Moments => ({
  space: { head: 0, span: 1 },
  countAt: (timeMs) => Math.max(0, Math.floor((timeMs - first) / period) + 1),
  timeOf: (number) => first + (number - 1) * period,
})

/** The moments of some transactions of the traffic of a chain, from a time on. */
export function momentsOfTraffic(
  { chain, workload: { space, shapeAt } }: StoryChain,
  since: number,
  has: (shape: Shape) => boolean,
): Moments & { sequenceOf(number: number): number; numberOf(sequence: number): number | undefined } {
  const series = select(space, (sequence) => has(shapeAt(sequence)))
  const rankAt = (timeMs: number) => {
    const height = Math.floor((timeMs - chain.genesis) / chain.blockTime) + 1
    return series.rank(lastSequence(height))
  }
  const before = rankAt(since - 1)
  const { head, span } = rankSpace(space, series)
  const sequenceOf = (number: number) => series.at(before + number)
  return {
    space: { head: Math.max(0, head - before), span },
    countAt: (timeMs) => Math.max(0, rankAt(timeMs) - before),
    timeOf: (number) => nominalTimeOf(chain, placeOf(sequenceOf(number)).height),
    sequenceOf,
    numberOf(sequence) {
      const number = series.rank(sequence) - before
      return number > 0 && sequenceOf(number) === sequence ? number : undefined
    },
  }
}

/** The same moments some milliseconds later. */
export const later = (moments: Moments, ms: number): Moments => ({
  space: moments.space,
  countAt: (timeMs) => moments.countAt(timeMs - ms),
  timeOf: (number) => moments.timeOf(number) + ms,
})
