import { badInput } from '../upstream/error.ts'
import { builder, type Context, callCost } from './builder.ts'

/** Arguments that cut a page, as the Relay cursor connections specification has them. */
export interface CursorArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** Arguments of a connection over a list that has an order. */
export interface PageArgs extends CursorArgs {
  readonly order: 'ASC' | 'DESC'
}

const Order = builder.enumType('Order', {
  description: 'Which end of a list comes first.',
  values: {
    DESC: { description: 'The newest, highest or largest first.' },
    ASC: { description: 'The oldest, lowest or smallest first.' },
  },
})

/** The arguments of a list that has one order only. */
export const cursorArgs = () =>
  builder.args((t) => ({
    first: t.int({ description: 'How many records to give from the start, or after `after`.' }),
    after: t.string({ description: 'A cursor of this list; the page begins behind it.' }),
    last: t.int({ description: 'How many records to give from the end, or before `before`.' }),
    before: t.string({ description: 'A cursor of this list; the page ends ahead of it.' }),
  }))

/** The arguments of a list, with the order it is best read in. */
export const pageArgs = (order: 'ASC' | 'DESC' = 'DESC') =>
  builder.args((t) => ({
    ...cursorArgs(),
    order: t.field({
      type: Order,
      required: true,
      defaultValue: order,
      description: 'The order of the list. A cursor holds for the order it was cut in.',
    }),
  }))

/** The cost of a connection: one request, and its fields once for each record it may give. */
export const pageCost = (args: Pick<CursorArgs, 'first' | 'last'>) => ({
  field: callCost,
  multiplier: Math.max(1, args.first ?? args.last ?? 20),
})

/** How many records to give, from where, and which way. Throws `BAD_USER_INPUT` for what cuts no page. */
export function readCursorArgs(args: CursorArgs, { limits }: Context) {
  const { first, last, after, before } = args
  const { maxPageSize, defaultPageSize } = limits
  const isForward = (last ?? null) === null && (before ?? null) === null
  if (!isForward && ((first ?? null) !== null || (after ?? null) !== null)) {
    throw badInput('A page is cut with `first` and `after`, or with `last` and `before`, not both.')
  }
  const count = first ?? last ?? defaultPageSize
  if (count < 0 || count > maxPageSize) {
    throw badInput(`\`first\` and \`last\` go from 0 to ${maxPageSize}.`)
  }
  return { count, isForward, cursor: after ?? before ?? null }
}
