import type { z } from 'zod'

/** The numbers of schemas, in the order of their first use. */
const numbers = new WeakMap<z.core.$ZodType, number>()
let lastNumber = 0

/** A number that no other schema of the process has. */
export function schemaNumber(schema: z.core.$ZodType): number {
  const known = numbers.get(schema)
  if (known !== undefined) return known
  lastNumber += 1
  numbers.set(schema, lastNumber)
  return lastNumber
}
