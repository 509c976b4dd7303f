import { z } from 'zod'

/** Stands for a value that an upstream has sent and that cannot be read. `readValue` makes the error of it. */
export const unreadable: unique symbol = Symbol('unreadable')

/** A value that an upstream may leave out. */
export type Optional<T> = T | null | undefined | typeof unreadable

/** The value, or null if it is missing or cannot be read. */
export const ifReadable = <T>(value: Optional<T>): T | null => (value === unreadable ? null : (value ?? null))

/** Reads everything as `unreadable`: the last choice of a union. */
const refusedValue = z.unknown().transform((): typeof unreadable => unreadable)

/** The output of a schema of values that can be missing. `unreadable` for a value that it refuses. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.union([schema.nullish(), z.literal('').transform(() => null), refusedValue])

/** Text that can be missing. */
export const optionalText = optional(z.string()).transform((text) => (text === '' ? null : text))
