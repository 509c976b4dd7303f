import type { Limits } from '../limits/limits.ts'
import { scanLimit, scanPage } from '../pagination/page.ts'
import { badInput, limitExceeded } from '../upstream/error.ts'
import { builder, type Context, callCost } from './builder.ts'

/** The paging arguments of the Relay cursor connections specification. */
export interface CursorArgs {
  readonly first?: number | null | undefined
  readonly after?: string | null | undefined
  readonly last?: number | null | undefined
  readonly before?: string | null | undefined
}

/** The paging arguments of a list with two orders. */
export interface PageArgs extends CursorArgs {
  readonly order: 'ASC' | 'DESC'
}

const OrderDirection = builder.enumType('OrderDirection', {
  description: 'Direction of a list.',
  values: {
    DESC: { description: 'Newest, highest or largest first.' },
    ASC: { description: 'Oldest, lowest or smallest first.' },
  },
})

/** The paging arguments of a list with one order. */
export const cursorArgs = () =>
  builder.args((t) => ({
    first: t.int({ description: 'Records from the start.' }),
    after: t.string({ description: 'Records after this cursor.' }),
    last: t.int({ description: 'Records from the end.' }),
    before: t.string({ description: 'Records before this cursor.' }),
  }))

/** The paging arguments of a list with two orders, and its default order. */
export const pageArgs = (defaultOrder: 'ASC' | 'DESC' = 'DESC') =>
  builder.args((t) => ({
    ...cursorArgs(),
    order: t.field({
      type: OrderDirection,
      required: true,
      defaultValue: defaultOrder,
      description: 'Order of the list.',
    }),
  }))

/** The records of a page when neither `first` nor `last` is given: as many as a screen shows. */
export const defaultPageSize = ({ maxPageSize }: Pick<Limits, 'maxPageSize'>): number => Math.min(20, maxPageSize)

/** The cost of a connection: one upstream request, and its fields once for each record of a page. */
export const pageCost = (args: Pick<CursorArgs, 'first' | 'last'>, { limits }: Context) => ({
  field: callCost,
  multiplier: Math.max(1, args.first ?? args.last ?? defaultPageSize(limits)),
})

/**
 * The cost of a connection whose records the gateway filters: its worst case. It then requests as many
 * pages as a read examines, and decodes all their records for a tenth of a point each.
 */
export const filteredPageCost = (args: Pick<CursorArgs, 'first' | 'last'>, context: Context) => ({
  ...pageCost(args, context),
  field: callCost * (scanLimit / scanPage) + scanLimit / 10,
})

/** The size, direction and cursor of a page. Throws `BAD_USER_INPUT` if the arguments contradict. */
export function readCursorArgs(args: CursorArgs, { limits }: Context) {
  const { first, last, after, before } = args
  const { maxPageSize } = limits
  const isForward = (last ?? null) === null && (before ?? null) === null
  if (!isForward && ((first ?? null) !== null || (after ?? null) !== null)) {
    throw badInput('Use either `first` and `after`, or `last` and `before`.')
  }
  const count = first ?? last ?? defaultPageSize(limits)
  if (count < 0 || count > maxPageSize) {
    const message = `\`first\` and \`last\` must be between 0 and ${maxPageSize}.`
    throw count < 0 ? badInput(message) : limitExceeded('page_size', 'BAD_USER_INPUT', message)
  }
  return { count, isForward, cursor: after ?? before ?? null }
}
