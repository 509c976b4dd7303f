import { validationError } from './replyError.ts'

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The JSON object in the body of a request. Throws a validation error if it is anything else. */
export function parseJsonObject(body: string): JsonObject {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    throw validationError(['body must be valid JSON'])
  }
  if (!isJsonObject(value)) throw validationError(['body must be an object'])
  return value
}

/** Reads the fields of a body and collects all errors, so that one reply can list them. */
export interface FieldReader {
  /** A required, non-empty string. */
  text(name: string): string
  /** A required string of decimal digits. */
  amount(name: string): bigint
  /** An optional boolean. */
  flag(name: string): boolean | undefined
  /** A required list. */
  list(name: string): readonly unknown[]
  /** Whether the field is present and not null. */
  has(name: string): boolean
  /** Throws a validation error if any field read so far was invalid. */
  check(): void
}

/** A reader over one body. A null field counts as absent. */
export function fieldReader(fields: JsonObject): FieldReader {
  const errors: string[] = []
  const has = (name: string): boolean => fields[name] !== undefined && fields[name] !== null
  return {
    has,
    text(name) {
      const value = fields[name]
      if (typeof value === 'string' && value !== '') return value
      const empty = !has(name) || value === ''
      errors.push(empty ? `${name} should not be empty` : `${name} must be a string`)
      return ''
    },
    amount(name) {
      const value = fields[name]
      if (typeof value === 'string' && /^\d{1,60}$/.test(value) && BigInt(value) > 0n) {
        return BigInt(value)
      }
      errors.push(`${name} must be a positive number string`)
      return 0n
    },
    flag(name) {
      const value = fields[name]
      if (typeof value === 'boolean') return value
      if (has(name)) errors.push(`${name} must be a boolean value`)
      return undefined
    },
    list(name) {
      const value = fields[name]
      if (Array.isArray(value)) return value
      if (has(name)) errors.push(`${name} must be an array`)
      else errors.push(`${name} should not be empty`)
      return []
    },
    check() {
      if (errors.length > 0) throw validationError(errors)
    },
  }
}
