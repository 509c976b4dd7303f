import { z } from 'zod'

const isNotEmpty = (output: unknown): boolean =>
  (typeof output === 'string' || Array.isArray(output)) && output.length > 0

/** Compiles a check of an output. Undefined if its kind is unknown. */
export function compileCheck(check: z.core.$ZodCheck): ((output: unknown) => boolean) | undefined {
  if (check instanceof z.core.$ZodCheckRegex) {
    const { pattern } = check._zod.def
    // The position of a global pattern would depend on the text before.
    if (pattern.global || pattern.sticky) return undefined
    return (output) => typeof output === 'string' && pattern.test(output)
  }
  if (check instanceof z.core.$ZodCheckMinLength) {
    const { minimum } = check._zod.def
    // zod counts code points. The number of UTF-16 units differs only for a minimum above 1.
    return minimum === 1 ? isNotEmpty : undefined
  }
  if (check instanceof z.core.$ZodCheckNumberFormat) {
    return check._zod.def.format === 'safeint' ? Number.isSafeInteger : undefined
  }
  if (check instanceof z.ZodCustom) {
    const { fn, when } = check._zod.def
    return when ? undefined : (output) => Boolean(fn(output))
  }
  return undefined
}
