import { sequenceHash } from '../../random.ts'
import { type Course, laneNameOf } from './course.ts'
import { laneScope } from './lane.ts'

/** A transaction on one of the chains of a network. */
export interface TransactionRef {
  readonly chainId: string
  /** Upper-case hex without 0x. */
  readonly hash: string
}

/** A transaction of a lane or, without one, of the traffic, by its number there. */
interface Origin {
  readonly lane?: { readonly name: string }
  readonly number: number
}

/**
 * The transactions on all chains, in order, of the movements that a transaction of a chain begins or is a part of. Those of the
 * traffic are left out. Their blocks may not exist yet.
 */
export const movementOf = (
  courses: readonly Course[],
  chainId: string,
  { lane, number }: Origin,
): readonly TransactionRef[] =>
  courses.flatMap((course) => {
    const { legs, begunBy } = course
    const isOwn = legs.some((leg) => leg.on.chain.chainId === chainId && laneNameOf(course, leg) === lane?.name)
    const begun = lane || begunBy?.on.chain.chainId !== chainId ? undefined : begunBy.numberOf(number)
    const own = isOwn ? number : begun
    return own === undefined
      ? []
      : legs.map((leg) => ({
          chainId: leg.on.chain.chainId,
          hash: sequenceHash(own, ...laneScope(leg.on.fixtures, laneNameOf(course, leg))).toUpperCase(),
        }))
  })
