import { builder, type Context, callCost } from '../../../engine/graphql/builder.ts'
import { type PageArgs, pageCost } from '../../../engine/graphql/pageArgs.ts'
import { badInput } from '../../../engine/upstream/error.ts'

/** When records are of, as fields of a filter have it. */
export interface TimeFilter {
  readonly since?: string | null | undefined
  readonly until?: string | null | undefined
}

/** A span of time, in nanoseconds since 1970. It begins with `since`, and ends before `until`. */
export interface Span {
  readonly since: bigint | undefined
  readonly until: bigint | undefined
}

/** The fields of a filter by time. */
export const timeFields = {
  since: {
    type: 'DateTime',
    description:
      'Only records of this time or later. Costs about 5 upstream requests, 10 on the EVM, at most 20, once.',
  },
  until: { type: 'DateTime', description: 'Only records before this time, at the same cost.' },
} as const

const TimeFilterInput = builder.inputType('TimeFilter', {
  description: 'Which records to list, by the time of their block. All conditions hold.',
  fields: (t) => ({ since: t.field(timeFields.since), until: t.field(timeFields.until) }),
})

/** The argument of a list that can be filtered by time alone. */
export const timeArg = () =>
  builder.args((t) => ({
    filter: t.field({ type: TimeFilterInput, description: 'Which records to list.' }),
  }))

/** The time of a record in nanoseconds since 1970. Times on the wire are in UTC, with any number of decimals. */
export const parseNanoseconds = (timestamp: string): bigint =>
  BigInt(Date.parse(`${timestamp.slice(0, 19)}Z`)) * 1_000_000n +
  BigInt(timestamp.slice(20, -1).slice(0, 9).padEnd(9, '0'))

/** The span of a filter. Undefined for all times. Throws `BAD_USER_INPUT` if it ends before it begins. */
export function parseSpan(filter: TimeFilter | null | undefined): Span | undefined {
  const [since, until] = [filter?.since, filter?.until].map((time) =>
    time == null ? undefined : parseNanoseconds(time),
  )
  if (since === undefined && until === undefined) return undefined
  if (since !== undefined && until !== undefined && since > until) {
    throw badInput('`since` must not be later than `until`.')
  }
  return { since, until }
}

/** The requests for a bound of a span, as they are priced: the usual number. */
const requestsOfBound = 10

/** The cost of a filter by time, in addition to the list. */
export const spanCost = (filter: TimeFilter | null | undefined): number =>
  [filter?.since, filter?.until].filter((time) => time != null).length * requestsOfBound * callCost

/** The cost of a list that can be filtered by time. */
export const timedPageCost = (
  args: Pick<PageArgs, 'first' | 'last'> & { readonly filter?: TimeFilter | null | undefined },
  context: Context,
) => {
  const { field, multiplier } = pageCost(args, context)
  return { field: field + spanCost(args.filter), multiplier }
}

/** Names a span, for cursors: one is good for a list with the same span only. */
export const spanName = ({ since, until }: Span): string => `${since ?? ''}..${until ?? ''}`
