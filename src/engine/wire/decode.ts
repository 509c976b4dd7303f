import { z } from 'zod'
import { wholeDigits } from './decimalText.ts'
import { isLongNumber } from './exactJson.ts'
import { hasManyParts } from './manyParts.ts'
import { optional, type unreadable } from './optional.ts'

// Upstreams write 64-bit values as strings or numbers, empty lists as null, and times in any zone. Each
// schema below reads all the forms in use and gives one. Unknown fields are ignored everywhere.

/** A JSON number of more digits than a JavaScript number holds, for `String` or `Number`. */
export const longNumber = z.unknown().refine(isLongNumber)

/** A JSON number, rounded if it is longer than a JavaScript number. Invalid if it is larger than one can be. */
export const number = z.union([z.number(), longNumber.transform(Number).refine(Number.isFinite)])

/** The digits of a whole number of at most 256 bits. */
const wholeNumber = z.string().regex(/^-?\d{1,78}$/)

/** The digits of a number that is written with a point or an exponent. */
const writtenOtherwise = (value: unknown): string => wholeDigits(String(value)) ?? ''

/**
 * A whole number in any notation, from a text or a JSON number. Invalid with more than the 78 digits of a 256-bit
 * integer: reading a string of digits takes time by its square. A JSON number that lost digits is a long number, so
 * the shortest text of any other one has the digits that were sent.
 */
export const integer = z
  .union([
    wholeNumber,
    z.number().refine(Number.isSafeInteger),
    z.union([z.string(), z.number(), longNumber]).transform(writtenOtherwise).pipe(wholeNumber),
  ])
  .transform(toBigint)

/** V8 makes a BigInt of a number in half the time that a text takes. Of 15 digits none is lost. */
function toBigint(value: string | number): bigint {
  return BigInt(typeof value === 'string' && value.length <= 15 ? Number(value) : value)
}

/** Whether `UInt53` of the graph has the number. */
const isCount = (value: bigint): boolean => value >= 0n && value < 2n ** 53n

/** A height, an index or a number of records. */
export const count = integer.refine(isCount)

/** The same, if it is not missing. */
export const optionalCount = optional(count)

/** A number that a chain keeps in 64 bits, if it is not missing. */
export const optionalUint64 = optional(integer.refine((value) => value >= 0n && value < 2n ** 64n))

/** The number for a `UInt53`. Null for a larger one, which the `BigInt` beside it has. */
export const countOrNull = (value: bigint | null): bigint | null => (value !== null && isCount(value) ? value : null)

/** The first number of more than 256 bits. */
const beyond256Bits = 2n ** 256n

const isAmount = (value: bigint): boolean => value >= 0n && value < beyond256Bits

/** An amount of a coin, or of gas: it is never negative. */
export const amount = integer.refine(isAmount)

/** The same, if it is not missing. */
export const optionalAmount = optional(amount)

/** A small whole number as a JavaScript number, in any notation. */
export const smallInteger = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^-?\d{1,15}$/)
      .transform(Number),
    integer.transform(Number),
  ])
  .refine(Number.isSafeInteger)

/** A hex quantity of up to 256 bits as in Ethereum's JSON-RPC, or a decimal. Null for `""` and `"0x"`. */
export const quantity = z.union([
  z
    .string()
    .regex(/^(0x[0-9a-fA-F]{0,64})?$/)
    .transform((hex) => (hex.length > 2 ? BigInt(hex) : null)),
  amount,
])

/** A height or an index as in Ethereum's JSON-RPC. Null for `""` and `"0x"`. */
export const countQuantity = quantity.refine((value) => value === null || isCount(value))

/** A hash in any notation. It stands in paths, so that an odd one would fail there. */
export const hashText = z.string().regex(/^\w+$/)

/** A list. Empty if it is null or missing. */
export const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? [])

/** Text. `""` if it is null or missing. */
export const stringOrEmpty = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

/** Text. Null if it is `""`, null or missing. */
export const stringOrNull = z
  .string()
  .nullish()
  .transform((value) => value || null)

/** Times in UTC that are valid in any month. `Date.parse`, which decides all others, is slower. */
const isPlainUtc = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?Z$/

/** The forms of RFC 3339, and those without a zone, which Cosmos SDK writes for times in UTC. */
const rfc3339 = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/i

/** A time as in RFC 3339, converted to UTC. One without a zone is UTC. Digits below the millisecond are kept. */
export const timestamp = z
  .string()
  .refine((value) => isPlainUtc.test(value) || isTime(value), 'not an RFC 3339 time')
  .transform((value) => (isPlainUtc.test(value) ? value : toUtc(value)))

/** Whether the time has the form of RFC 3339 and a day that exists. `Date` takes the 30th of February for a day of March. */
function isTime(value: string): boolean {
  const [, day = ''] = rfc3339.exec(value) ?? []
  const date = new Date(day)
  return (
    !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && !Number.isNaN(Date.parse(withZone(value)))
  )
}

const withZone = (value: string): string => (/(?:Z|[+-]\d\d:\d\d)$/i.test(value) ? value : `${value}Z`)

function toUtc(value: string): string {
  const fraction = /\.\d+/.exec(value)?.[0] ?? ''
  return new Date(withZone(value)).toISOString().replace(/\.\d+/, fraction)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** One record, recognized by its property `key`: the body itself, or the field that wraps it. */
export const unwrapped = <T extends z.ZodType>(key: string, schema: T) =>
  z.preprocess((body) => recordIn(body, key), schema)

function recordIn(body: unknown, key: string): unknown {
  if (!isObject(body) || key in body) return body
  return Object.values(body).find((value) => isObject(value) && key in value)
}

const pagination = z.object({
  next_key: z
    .union([z.string(), z.number().transform(String), longNumber.transform(String)])
    .nullish()
    .transform((key) => key || null),
  total: optional(integer),
})

/** Stands in a page for a record that cannot be read, so that the others can. The message says why. */
export class UnreadableRecord extends Error {}

/** An item of a page. */
export type Listed<T> = T | UnreadableRecord

/** The records of a page that can be read. */
export const readable = <T>(items: readonly Listed<T>[]): T[] =>
  items.filter((item): item is T => !(item instanceof UnreadableRecord))

/** A record that its schema does not accept. */
class RefusedRecord {
  readonly record: unknown

  constructor(record: unknown) {
    this.record = record
  }
}

/** The output of `schema`, or the record that it does not accept. */
const listed = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.unknown().transform((record) => new RefusedRecord(record))])

/** The most records of a page whose message says why they cannot be read: zod reports all their faults. */
const maxExplained = 3

/** Marks the records that cannot be read. */
function markRefused<T>(schema: z.ZodType, items: readonly (T | RefusedRecord)[]): readonly Listed<T>[] {
  let explained = 0
  const mark = ({ record }: RefusedRecord): UnreadableRecord => {
    explained += 1
    return new UnreadableRecord(explained > maxExplained ? undefined : findFault(schema, record))
  }
  const isRefused = (item: T | RefusedRecord) => item instanceof RefusedRecord
  return items.some(isRefused)
    ? items.map((item) => (item instanceof RefusedRecord ? mark(item) : item))
    : (items as readonly T[])
}

/** The first fault of a record. Undefined if it has so many parts that zod would take too long. */
function findFault(schema: z.ZodType, record: unknown): string | undefined {
  if (hasManyParts(record)) return undefined
  const [issue] = schema.safeParse(record).error?.issues ?? []
  return issue && `${issue.path.join('.')}: ${issue.message}`
}

/** One page of an upstream list. `total` is as sent, and not always a count. */
export class Page<T> {
  readonly items: readonly T[]
  readonly nextKey: string | null
  readonly total: bigint | null | typeof unreadable

  constructor({ items, nextKey, total }: Page<T>) {
    this.items = items
    this.nextKey = nextKey
    this.total = total
  }
}

/** Above the largest page that is requested. Each record takes time, and an unreadable one most. */
const maxRecords = 2_000

function isTooLong(body: unknown, field: string): boolean {
  const records = isObject(body) ? body[field] : undefined
  return Array.isArray(records) && records.length > maxRecords
}

/**
 * A page whose records are in `field`, each read on its own. A body with neither that field nor
 * `pagination` is invalid.
 */
export const pageOf = <T extends z.ZodType>(field: string, item: T) =>
  z
    .unknown()
    .refine((body) => isObject(body) && (field in body || 'pagination' in body), 'not a page of a list')
    .refine((body) => !isTooLong(body, field), 'more records than a page can have')
    .pipe(
      z.preprocess(
        (body) => (isObject(body) ? { pagination: body.pagination, items: body[field] } : body),
        z.object({ pagination: pagination.nullish(), items: list(listed(item)) }),
      ),
    )
    .transform(
      ({ items, pagination: ends }) =>
        new Page<Listed<z.output<T>>>({
          items: markRefused<z.output<T>>(item, items),
          nextKey: ends?.next_key ?? null,
          total: ends?.total ?? null,
        }),
    )
