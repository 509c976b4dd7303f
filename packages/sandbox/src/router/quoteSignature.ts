import { hexDigest } from '../random.ts'
import { isJsonObject, type JsonObject } from './jsonObject.ts'

/** The amounts and assets of a quote. A signature is valid for its terms only. */
export type QuoteTerms = Readonly<Record<string, string>>

const signatureKey = 'quote_seal'

/**
 * Adds a signature to every operation, under a key that clients do not know. It covers all operations
 * and the terms of the quote, so that a client must return the operations unchanged.
 */
export function signOperations(
  seed: string,
  terms: QuoteTerms,
  operations: readonly JsonObject[],
): readonly JsonObject[] {
  const signature = signatureOf(seed, terms, operations)
  return operations.map((operation) => mapBody(operation, (body) => ({ ...body, [signatureKey]: signature })))
}

/** Whether the operations belong to a quote with these terms. The order of keys does not matter. */
export function isSigned(seed: string, terms: QuoteTerms, operations: readonly JsonObject[]): boolean {
  const signatures: unknown[] = []
  const bare = operations.map((operation) =>
    mapBody(operation, ({ [signatureKey]: signature, ...body }) => {
      signatures.push(signature)
      return body
    }),
  )
  const signature = signatureOf(seed, terms, bare)
  return signatures.length === operations.length && signatures.every((other) => other === signature)
}

/** The kind and the body of an operation: its one field that is an object. */
export function bodyOf(operation: JsonObject): readonly [kind: string, body: JsonObject] | undefined {
  for (const [key, value] of Object.entries(operation)) if (isJsonObject(value)) return [key, value]
  return undefined
}

function mapBody(operation: JsonObject, change: (body: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(operation).map(([key, value]) => [key, isJsonObject(value) ? change(value) : value]),
  )
}

function signatureOf(seed: string, terms: QuoteTerms, operations: readonly JsonObject[]): string {
  return hexDigest(12, 'seal', seed, canonical(terms), canonical(operations))
}

/** JSON with sorted keys, so that equal values have equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`
}
