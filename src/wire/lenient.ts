import { z } from 'zod'
import { plainDecimal } from './decimalText.ts'
import { longNumber, number, optionalAmount, timestamp } from './decode.ts'

// The shapes of the router's bodies are not fixed: fields change with its bridges. The schemas below read
// what is not essential. For a value of an unexpected kind they give null instead of failing.

/** A string, or a number as a string. Null if absent, `""` or anything else. */
export const lenientString = z
  .union([z.string(), z.number(), longNumber])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? null : String(value) || null))

/** A decimal number as text, without an exponent. Null if absent or anything else. */
const lenientDecimal = lenientString.transform((text) =>
  text === null ? null : (plainDecimal(text) ?? null),
)

/** A decimal number of at least 0, without an exponent. Null if absent or anything else. */
export const lenientPrice = lenientDecimal.transform((text) =>
  text?.startsWith('-') ? null : text,
)

/** A loss in percent, of at most 100. A negative one is a gain. Null if absent or anything else. */
export const lenientLossPercent = lenientDecimal.transform((text) =>
  Number(text) > 100 ? null : text,
)

/** An amount in base units, if it is not missing. `unreadable` for anything else. */
export const lenientAmount = optionalAmount.transform((value) => value ?? null)

/** A boolean, or `"true"` or `"false"`. False if absent or anything else. */
export const lenientBoolean = z
  .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
  .nullish()
  .catch(null)
  .transform((value) => value ?? false)

/** A chain id. Routers may send the id of an EVM chain as a number. */
export const chainIdString = z.union([z.string().min(1), z.number().int()]).transform(String)

/** A number, or a number as a string. Null if absent or anything else. */
export const lenientNumber = z
  .union([number, z.string().regex(/^-?\d{1,78}(\.\d{1,78})?$/)])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? null : Number(value)))

/** A whole number from 0 to `max`. Null if absent or anything else. */
const lenientWhole = (max: number) =>
  lenientNumber.transform((value) =>
    value !== null && Number.isInteger(value) && value >= 0 && value <= max ? value : null,
  )

/** A count or an index, in the range of a GraphQL `Int`. Null if absent or anything else. */
export const lenientCount = lenientWhole(2 ** 31 - 1)

/** A number of decimal places. Null if absent or anything else: 10^77 is the largest unit in 256 bits. */
export const lenientDecimals = lenientWhole(77)

/** A timestamp. Null if absent or anything else. */
export const lenientTimestamp = timestamp
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/** A list of strings, without items that are not strings. */
export const lenientStrings = z
  .array(lenientString)
  .nullish()
  .catch(null)
  .transform((items) => (items ?? []).filter((item) => item !== null))

/** The output of `schema`. Null if it fails. */
export const lenient = <T extends z.ZodType>(schema: T) =>
  z
    .union([
      schema,
      z
        .unknown()
        .optional()
        .transform(() => null),
    ])
    .transform((value): z.output<T> | null => value ?? null)

/** A list without the items that `schema` refuses. */
export const lenientList = <T extends z.ZodType>(schema: T) =>
  z
    .array(lenient(schema))
    .nullish()
    .catch(null)
    .transform((items) => (items ?? []).filter((item) => item !== null))

/** An object with any keys. */
export const jsonObject = z.record(z.string(), z.unknown())

/** An object with any keys. */
export type JsonObject = z.output<typeof jsonObject>

/** Whether the value is a JSON object, not a list or a primitive. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
