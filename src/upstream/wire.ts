import { z } from 'zod'

// Upstreams write 64-bit values as strings or numbers, lists as null, and moments in any zone. Each
// atom below reads all the spellings seen and gives one; unknown fields are ignored everywhere.

const decimal = z.union([
  z.string().regex(/^-?\d+$/),
  z
    .number()
    .int()
    .refine(Number.isSafeInteger, 'an integer beyond 2^53 loses digits as a JSON number'),
])

/** A whole number, as a decimal string or a JSON number. */
export const integer = decimal.transform((value) => BigInt(value))

/** A hex quantity of the EVM's JSON-RPC, or a decimal; null for `""` and for `"0x"`. */
export const quantity = z.union([
  z
    .string()
    .regex(/^(0x[0-9a-fA-F]*)?$/)
    .transform((hex) => (hex.length > 2 ? BigInt(hex) : null)),
  integer,
])

/** A list that upstreams may write as null or leave out. */
export const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

/** Text that upstreams may write as null or leave out; `""` then. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

/** Text where `""` means that there is none; null then. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value || null)

/** A moment in RFC 3339, brought to UTC; digits below the millisecond are kept. */
export const moment = z
  .string()
  .refine((value) => !Number.isNaN(Date.parse(value)), 'not an RFC 3339 moment')
  .transform((value) => (value.endsWith('Z') ? value : toUtc(value)))

function toUtc(value: string): string {
  const fraction = /\.\d+/.exec(value)?.[0] ?? ''
  return new Date(value).toISOString().replace(/\.\d+/, fraction)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * One record, bare or under `field`; `key` is the property that tells that it is bare. With `isAsked`
 * any other record than the one asked for is refused, so that it is not kept as that one.
 */
export const record = <T extends z.ZodType>(
  field: string,
  key: string,
  schema: T,
  isAsked: (found: z.output<T>) => boolean = () => true,
) =>
  z
    .preprocess((body) => (isObject(body) && !(key in body) ? body[field] : body), schema)
    .refine((found) => isAsked(found), 'not the record that was asked for')

const pagination = z.object({
  next_key: z.string().nullish(),
  total: decimal.nullish(),
})

/** One page of an upstream list. `total` is as sent: it may be no count at all. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextKey: string | null
  readonly total: bigint | null
}

/** A page whose records stand under `field`. */
export const pageOf = <T extends z.ZodType>(field: string, item: T) =>
  z.looseObject({ pagination: pagination.nullish() }).transform((body, context) => {
    const items = list(item).safeParse(body[field])
    if (!items.success) {
      for (const issue of items.error.issues) {
        context.addIssue({ code: 'custom', message: issue.message, path: [field, ...issue.path] })
      }
      return z.NEVER
    }
    const total = body.pagination?.total
    return {
      items: items.data,
      nextKey: body.pagination?.next_key || null,
      total: total === null || total === undefined ? null : BigInt(total),
    } satisfies Page<z.output<T>>
  })
