import { z } from 'zod'
import { hasManyParts } from './manyParts.ts'

/** The output of a compiled schema for a value that it does not accept. */
const refused: unique symbol = Symbol('refused')

type Reader = (value: unknown) => unknown

/** The readers of schemas that were used before. A reader follows from its schema alone, so all gateways of the process share it. */
const readers = new WeakMap<z.ZodType, Reader>()

/**
 * The output of `schema` for a value parsed from JSON.
 * @throws z.ZodError if the schema does not accept it, and another error for a value with many parts.
 */
export function decode<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const output = readerOf(schema)(value)
  // A compiled schema returns what the schema itself would.
  if (output !== refused) return output as z.output<T>
  if (hasManyParts(value)) throw new Error('The shape of a large value is not the expected one.')
  return schema.parse(value)
}

function readerOf(schema: z.ZodType): Reader {
  const known = readers.get(schema)
  if (known) return known
  // With a choice that takes any value, zod never lists the faults of a value that is refused.
  const compiled = z.compile(z.union([schema, z.unknown().transform(() => refused)]))
  const reader: Reader = (value) => compiled.parse(value)
  readers.set(schema, reader)
  return reader
}
