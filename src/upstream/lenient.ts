import { z } from 'zod'
import { integer, timestamp } from './decode.ts'

// The router's bodies are an open set: fields come and go with its bridges. What is not essential is
// read by the atoms below, which give null for a value of an unexpected kind instead of failing.

/** Text, or a number written out; null where absent, `""`, or anything else. */
export const lenientString = z
  .union([z.string(), z.number()])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? null : String(value) || null))

/** A whole number; null where absent or anything else. */
export const lenientBigInt = integer
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/** A claim, as such or as text; false where absent or anything else. */
export const lenientBoolean = z
  .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })])
  .nullish()
  .catch(null)
  .transform((value) => value ?? false)

/** The id of a chain, which for EVM chains may be sent as a number. */
export const chainIdString = z.union([z.string().min(1), z.number().int()]).transform(String)

/** A number, as such or as text; null where absent or anything else. */
export const lenientNumber = z
  .union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)])
  .nullish()
  .catch(null)
  .transform((value) => (value === null || value === undefined ? null : Number(value)))

/** A whole number that a GraphQL `Int` holds; null where absent or anything else. */
export const lenientInt = lenientNumber.transform((value) =>
  value !== null && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null,
)

/** A moment; null where absent or anything else. */
export const lenientTimestamp = timestamp
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/** Texts, without those that are none. */
export const lenientStrings = z
  .array(lenientString)
  .nullish()
  .catch(null)
  .transform((items) => (items ?? []).filter((item) => item !== null))

/** What `schema` reads; null where that fails. */
export const lenient = <T extends z.ZodType>(schema: T) =>
  z
    .unknown()
    .optional()
    .transform((value): z.output<T> | null => schema.safeParse(value).data ?? null)

/** A list without the items that `schema` cannot read. */
export const lenientList = <T extends z.ZodType>(schema: T) =>
  z
    .array(lenient(schema))
    .nullish()
    .catch(null)
    .transform((items) => (items ?? []).filter((item) => item !== null))

/** An object of unknown keys. */
export const jsonObject = z.record(z.string(), z.unknown())
export type JsonObject = z.output<typeof jsonObject>

/** True for a JSON object, as against a list or a plain value. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
