import { z } from 'zod'

// Upstreams write 64-bit values as strings or numbers, lists as null, and moments in any zone. Each
// atom below reads all the spellings seen and gives one; unknown fields are ignored everywhere.

/** A whole number, as a decimal string or a JSON number. */
export const integer = z
  .union([
    z.string().regex(/^-?\d+$/),
    z
      .number()
      .int()
      .refine(Number.isSafeInteger, 'an integer beyond 2^53 loses digits as a JSON number'),
  ])
  .transform((value) => BigInt(value))

/** A whole number that upstreams may leave out, or write in a way of their own; null then. */
export const optionalInteger = integer.nullish().catch(null)

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
export const stringOrEmpty = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

/** Text where `""` means that there is none; null then. */
export const stringOrNull = z
  .string()
  .nullish()
  .transform((value) => value || null)

/** A moment in RFC 3339, brought to UTC; digits below the millisecond are kept. */
export const timestamp = z
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
 * One record, known by its property `key`: bare, or under whichever field the upstream wraps it in.
 * With `isAsked` any other record than the one asked for is refused, so that it is not kept as that one.
 */
export const unwrapped = <T extends z.ZodType>(
  key: string,
  schema: T,
  isAsked: (found: z.output<T>) => boolean = () => true,
) =>
  z
    .preprocess((body) => recordIn(body, key), schema)
    .refine((found) => isAsked(found), 'not the record that was asked for')

function recordIn(body: unknown, key: string): unknown {
  if (!isObject(body) || key in body) return body
  return Object.values(body).find((value) => isObject(value) && key in value)
}

const pagination = z.object({
  next_key: z
    .union([z.string(), z.number().transform(String)])
    .nullish()
    .transform((key) => key || null),
  total: optionalInteger,
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
    if (!(field in body || 'pagination' in body)) {
      context.addIssue({ code: 'custom', message: 'no page of a list' })
      return z.NEVER
    }
    const items = list(item).safeParse(body[field])
    if (!items.success) {
      for (const issue of items.error.issues) {
        context.addIssue({ code: 'custom', message: issue.message, path: [field, ...issue.path] })
      }
      return z.NEVER
    }
    return {
      items: items.data,
      nextKey: body.pagination?.next_key ?? null,
      total: body.pagination?.total ?? null,
    } satisfies Page<z.output<T>>
  })
