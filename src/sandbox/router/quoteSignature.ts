import { hexDigest } from '../random.ts'
import { isJsonObject, type JsonObject } from './jsonObject.ts'

/** What a quote was for; a seal made for other terms does not fit. */
export type QuoteTerms = Readonly<Record<string, string>>

const signatureKey = 'quote_seal'

/**
 * Operations are opaque to clients and must come back as they were given. Every operation carries,
 * under a key no client knows, a seal over all of them and the terms of the quote.
 */
export function signOperations(
  seed: string,
  terms: QuoteTerms,
  operations: readonly JsonObject[],
): readonly JsonObject[] {
  const signature = signatureOf(seed, terms, operations)
  return operations.map((operation) =>
    mapBody(operation, (body) => ({ ...body, [signatureKey]: signature })),
  )
}

/** Whether the operations are those of a quote for these terms; the order of keys does not matter. */
export function isSigned(
  seed: string,
  terms: QuoteTerms,
  operations: readonly JsonObject[],
): boolean {
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

/** The body of an operation under whichever key it has. */
export function bodyOf(
  operation: JsonObject,
): readonly [kind: string, body: JsonObject] | undefined {
  for (const [key, value] of Object.entries(operation)) if (isJsonObject(value)) return [key, value]
  return undefined
}

function mapBody(operation: JsonObject, change: (body: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(operation).map(([key, value]) => [
      key,
      isJsonObject(value) ? change(value) : value,
    ]),
  )
}

function signatureOf(seed: string, terms: QuoteTerms, operations: readonly JsonObject[]): string {
  return hexDigest(12, 'seal', seed, canonical(terms), canonical(operations))
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`
}
