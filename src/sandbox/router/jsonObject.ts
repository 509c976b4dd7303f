import { validationError } from './replyError.ts'

/** A JSON object of unknown content. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is a JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object a request's body holds; refuses anything else. */
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

/** Reads the fields of a body and gathers the complaints, so that one reply can list them all. */
export interface FieldReader {
  /** A required, non-empty string. */
  text(name: string): string
  /** A required string of decimal digits. */
  amount(name: string): bigint
  /** The field when present and boolean. */
  flag(name: string): boolean | undefined
  /** A required list. */
  list(name: string): readonly unknown[]
  has(name: string): boolean
  /** Throws when anything read so far was not as it should be. */
  check(): void
}

/** A reader over one body. A null field counts as absent. */
export function fieldReader(fields: JsonObject): FieldReader {
  const complaints: string[] = []
  const has = (name: string): boolean => fields[name] !== undefined && fields[name] !== null
  return {
    has,
    text(name) {
      const value = fields[name]
      if (typeof value === 'string' && value !== '') return value
      const empty = !has(name) || value === ''
      complaints.push(empty ? `${name} should not be empty` : `${name} must be a string`)
      return ''
    },
    amount(name) {
      const value = fields[name]
      if (typeof value === 'string' && /^\d{1,60}$/.test(value) && BigInt(value) > 0n) {
        return BigInt(value)
      }
      complaints.push(`${name} must be a positive number string`)
      return 0n
    },
    flag(name) {
      const value = fields[name]
      if (typeof value === 'boolean') return value
      if (has(name)) complaints.push(`${name} must be a boolean value`)
      return undefined
    },
    list(name) {
      const value = fields[name]
      if (Array.isArray(value)) return value
      if (has(name)) complaints.push(`${name} must be an array`)
      else complaints.push(`${name} should not be empty`)
      return []
    },
    check() {
      if (complaints.length > 0) throw validationError(complaints)
    },
  }
}
