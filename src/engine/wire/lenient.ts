import { z } from 'zod'
import { plainDecimal } from './decimalText.ts'
import { longNumber, number, optionalAmount, timestamp } from './decode.ts'
import { ifReadable, type Optional, optional, unreadable } from './optional.ts'

// The shapes of the router's bodies are not fixed: fields change with its bridges. The schemas below read
// what is not essential. A value of an unexpected kind never fails its record: it is `unreadable`, and its field has an
// error. A value that is absent or `""` is null.

/** Reads a value that is there and has the expected kind. */
export const ifThere =
  <T, U>(read: (value: T) => U) =>
  (value: Optional<T>): U | null | typeof unreadable => {
    if (value === null || value === undefined) return null
    return value === unreadable ? unreadable : read(value)
  }

/** A string, or a number as a string. */
export const lenientString = optional(z.union([z.string(), z.number(), longNumber])).transform(
  ifThere((value) => String(value) || null),
)

/** A decimal number as text, without an exponent. */
const lenientDecimal = lenientString.transform(ifThere((text) => plainDecimal(text) ?? unreadable))

/** A decimal number of at least 0, without an exponent. */
export const lenientPrice = lenientDecimal.transform(ifThere((text) => (text.startsWith('-') ? unreadable : text)))

/** A loss in percent, of at most 100. A negative one is a gain. */
export const lenientLossPercent = lenientDecimal.transform(ifThere((text) => (Number(text) > 100 ? unreadable : text)))

/** An amount in base units. */
export const lenientAmount = optionalAmount.transform((value) => value ?? null)

/** A boolean, or `"true"` or `"false"`. False if absent or anything else. */
export const lenientBoolean = z
  .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
  .nullish()
  .catch(null)
  .transform((value) => value ?? false)

/** A chain id. Routers may send the id of an EVM chain as a number. */
export const chainIdString = z.union([z.string().min(1), z.number().int()]).transform(String)

/** A number, or a number as a string. */
export const lenientNumber = optional(z.union([number, z.string().regex(/^-?\d{1,78}(\.\d{1,78})?$/)])).transform(
  ifThere(Number),
)

/** A whole number from 0 to `max`. */
const lenientWhole = (max: number) =>
  lenientNumber.transform(
    ifThere((value) => (Number.isInteger(value) && value >= 0 && value <= max ? value : unreadable)),
  )

/** A count or an index, in the range of a GraphQL `Int`. */
export const lenientCount = lenientWhole(2 ** 31 - 1)

/** A number of decimal places: 10^77 is the largest unit in 256 bits. */
export const lenientDecimals = lenientWhole(77)

/** A timestamp. */
export const lenientTimestamp = optional(timestamp).transform((value) => value ?? null)

/** A list of strings, without items that are not strings. */
export const lenientStrings = z.array(lenientString).nullish().catch(null).transform(readableItems)

/** The output of `schema` for a value that can be missing. */
export const lenient = <T extends z.ZodType>(schema: T) => optional(schema).transform((value) => value ?? null)

/** The output of `schema`, or null if it fails. For values that no field shows as they are. */
export const lenientOrNull = <T extends z.ZodType>(schema: T) => lenient(schema).transform(ifReadable)

/** The object of these fields. Null if it is missing or none. */
export const lenientGroup = <T extends z.ZodRawShape>(shape: T) => lenientOrNull(z.object(shape))

/** A list without the items that `schema` refuses. Anything but a list fails. */
export const lenientItems = <T extends z.ZodType>(schema: T) =>
  z.array(lenient(schema)).nullish().transform(readableItems)

/** The same, and an empty list for anything but a list. */
export const lenientList = <T extends z.ZodType>(schema: T) =>
  z.array(lenient(schema)).nullish().catch(null).transform(readableItems)

/**
 * A body that has one of the fields of a schema, or none at all. Some services send an error with status 200: it is no
 * empty list.
 */
export const bodyWith = <T extends z.ZodObject>(schema: T) =>
  z
    .unknown()
    .refine(
      (body) =>
        !isJsonObject(body) ||
        Object.keys(body).length === 0 ||
        Object.keys(schema.shape).some((field) => field in body),
      'not the body of this response',
    )
    .pipe(schema)

/** The items of a list that are there and can be read. */
function readableItems<T>(items: readonly Optional<T>[] | null | undefined): T[] {
  return (items ?? []).filter((item): item is T & {} => ifReadable(item) !== null)
}

/** An object with any keys. */
export type JsonObject = Record<string, unknown>

/** An object with any keys. It stays as it is: a copy by zod would lack the key `__proto__`. */
export const jsonObject = z.custom<JsonObject>((value) => isJsonObject(value), 'not an object')

/** Whether the value is a JSON object, not a list or a primitive. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
