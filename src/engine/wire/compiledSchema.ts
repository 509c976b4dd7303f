import { z } from 'zod'
import { hasManyParts } from './manyParts.ts'
import { keep, objectReader, type Reader } from './objectReader.ts'

// Reads bodies with closures that are made once from each zod schema, several times faster than zod. The
// zod schema stays the only definition: a kind of schema or check that is not known here is left to zod,
// and where the compiled reader refuses a body, zod reads it again and has the last word.
//
// This file reads the definitions of zod's schemas, so it depends on the exact version of zod. A test
// compares both readers on mutated bodies for each schema of an upstream. Asynchronous schemas are not
// supported.

/** The result of a compiled reader for a value that the schema does not accept. */
const refused = Symbol('refused')

type Schema = z.core.$ZodType

/**
 * The readers of schemas that were used before. A reader follows from its schema alone, so it is shared
 * by all gateways of the process.
 */
const readers = new WeakMap<Schema, Reader>()

/**
 * The output of `schema` for a value parsed from JSON.
 * @throws z.ZodError if the schema does not accept it, and another error for a value with many parts.
 */
export function decode<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const output = compileReader(schema)(value)
  // A compiled reader returns what its schema would, which the fuzz test checks.
  if (output !== refused) return output as z.output<T>
  if (hasManyParts(value)) throw new Error('The shape of a large value is not the expected one.')
  return schema.parse(value)
}

function compileReader(schema: Schema): Reader {
  const known = readers.get(schema)
  if (known) return known
  const reader = compile(schema) ?? zodReader(schema)
  readers.set(schema, reader)
  return reader
}

const zodReader =
  (schema: Schema): Reader =>
  (value) => {
    const result = z.safeParse(schema, value)
    return result.success ? result.data : refused
  }

/** Compiles a schema with its checks. Undefined if the kind of the schema or of a check is unknown. */
function compile(schema: Schema): Reader | undefined {
  const read = compileKind(schema)
  const checks = schema._zod.def.checks ?? []
  const tests = checks.flatMap((check) => compileCheck(check) ?? [])
  if (!read || tests.length < checks.length) return undefined
  const [test] = tests
  if (!test) return read
  if (tests.length === 1) {
    return (value) => {
      const output = read(value)
      return output === refused || test(output) ? output : refused
    }
  }
  return (value) => {
    const output = read(value)
    return output === refused || tests.every((passes) => passes(output)) ? output : refused
  }
}

/** Whether a schema is of exactly this class. Subclasses can read values differently. */
const isKind = <T extends Schema>(schema: Schema, kind: new (...args: never[]) => T): schema is T =>
  (schema._zod.constr as unknown) === kind

function compileKind(schema: Schema): Reader | undefined {
  if (isKind(schema, z.ZodString)) {
    if (schema.def.coerce) return undefined
    return (value) => (typeof value === 'string' ? value : refused)
  }
  if (isKind(schema, z.ZodNumber)) return schema.def.coerce ? readCoercedNumber : readNumber
  if (isKind(schema, z.ZodBoolean)) {
    if (schema.def.coerce) return undefined
    return (value) => (typeof value === 'boolean' ? value : refused)
  }
  if (isKind(schema, z.ZodNull)) return (value) => (value === null ? null : refused)
  if (isKind(schema, z.ZodUnknown)) return (value) => value
  if (isKind(schema, z.ZodObject)) return compileObject(schema)
  if (isKind(schema, z.ZodArray)) return compileArray(schema)
  if (isKind(schema, z.ZodRecord)) return compileRecord(schema)
  if (isKind(schema, z.ZodUnion)) return compileUnion(schema)
  if (isKind(schema, z.ZodNullable)) {
    const read = compileReader(schema.def.innerType)
    return (value) => (value === null ? null : read(value))
  }
  if (isKind(schema, z.ZodOptional)) {
    // A default inside would take the place of an absent value.
    if (schema.def.innerType._zod.optin === 'defaulted') return undefined
    const read = compileReader(schema.def.innerType)
    return (value) => (value === undefined ? undefined : read(value))
  }
  if (isKind(schema, z.ZodPipe) || isKind(schema, z.ZodPreprocess)) {
    const readIn = compileReader(schema.def.in)
    const readOut = compileReader(schema.def.out)
    return (value) => {
      const output = readIn(value)
      return output === refused ? refused : readOut(output)
    }
  }
  if (isKind(schema, z.ZodTransform)) return compileTransform(schema)
  if (isKind(schema, z.ZodCatch)) return compileCatch(schema)
  return undefined
}

const readNumber: Reader = (value) => (Number.isFinite(value) ? value : refused)

const readCoercedNumber: Reader = (value) => {
  try {
    return readNumber(Number(value))
  } catch {
    // An object whose `valueOf` and `toString` are not functions.
    return refused
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function compileObject({ def }: z.ZodObject): Reader | undefined {
  const { catchall } = def
  if (catchall && !isKind(catchall, z.ZodUnknown)) return undefined
  const supported = Object.values(def.shape).every(({ _zod }) => _zod.optin !== 'defaulted')
  if (!supported) return undefined
  // Compiled at first use, so that a schema may contain itself.
  let read: Reader | undefined
  return (value) => {
    if (!isObject(value)) return refused
    read ??= objectReader({
      properties: Object.entries(def.shape)
        .filter(([key]) => key !== '__proto__')
        .map(([key, schema]) => ({
          key,
          read: compileReader(schema),
          isRequired: schema._zod.optin === undefined,
          isLeftOut: schema._zod.optin === 'optional' && schema._zod.optout === 'optional',
        })),
      isLoose: catchall !== undefined,
      refused,
    })
    return read(value)
  }
}

function compileArray({ def }: z.ZodArray): Reader {
  const read = compileReader(def.element)
  return (value) => {
    if (!Array.isArray(value)) return refused
    // A list whose elements stay what they are is its own output.
    let output: unknown[] | undefined
    for (let i = 0; i < value.length; i++) {
      const item = read(value[i])
      if (item === refused) return refused
      if (item !== value[i]) output ??= value.slice()
      if (output) output[i] = item
    }
    return output ?? value
  }
}

function compileRecord({ def }: z.ZodRecord): Reader | undefined {
  const hasAnyKeys = isKind(def.keyType, z.ZodString) && !def.keyType.def.checks?.length
  if (!hasAnyKeys || (def.keyType as z.ZodString).def.coerce) return undefined
  const read = compileReader(def.valueType)
  // In a list by names, no name is this one.
  const isJson = isKind(def.valueType, z.ZodUnknown)
  return (value) => {
    if (!z.core.util.isPlainObject(value)) return refused
    const output: Record<string, unknown> = {}
    for (const key of Object.keys(value)) {
      if (key === '__proto__' && !isJson) continue
      const result = read(value[key])
      if (result === refused) return refused
      keep(output, key, result)
    }
    return output
  }
}

function compileUnion({ def }: z.ZodUnion): Reader {
  const options = def.options.map(compileReader)
  return (value) => {
    for (const read of options) {
      const output = read(value)
      if (output !== refused) return output
    }
    return refused
  }
}

function compileTransform({ def }: z.ZodTransform): Reader {
  if (def.transform.length === 1) {
    // It declares no context, so it cannot refuse.
    return def.transform as (value: unknown) => unknown
  }
  return (value) => {
    const issues: z.core.$ZodRawIssue[] = []
    let isRefused = false
    const addIssue = () => {
      isRefused = true
    }
    const payload = { value, issues, addIssue }
    const output = def.transform(value, payload)
    return isRefused || issues.length > 0 ? refused : output
  }
}

function compileCatch({ def }: z.ZodCatch): Reader | undefined {
  // A function with a parameter wants zod's issues.
  if (def.catchValue.length > 0) return undefined
  const read = compileReader(def.innerType)
  const fallback = def.catchValue as () => unknown
  return (value) => {
    const output = read(value)
    return output === refused ? fallback() : output
  }
}

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
