import { hexDigest } from '../random.ts'
import { type Fields, isFields } from './fields.ts'

/** What a quote was for; a seal made for other terms does not fit. */
export type Terms = Readonly<Record<string, string>>

const sealKey = 'quote_seal'

/**
 * Operations are opaque to clients and must come back as they were given. Every operation carries,
 * under a key no client knows, a seal over all of them and the terms of the quote.
 */
export function seal(seed: string, terms: Terms, operations: readonly Fields[]): readonly Fields[] {
  const mark = sealOf(seed, terms, operations)
  return operations.map((operation) =>
    mapInner(operation, (inner) => ({ ...inner, [sealKey]: mark })),
  )
}

/** Whether the operations are those of a quote for these terms; the order of keys does not matter. */
export function isSealed(seed: string, terms: Terms, operations: readonly Fields[]): boolean {
  const marks: unknown[] = []
  const bare = operations.map((operation) =>
    mapInner(operation, ({ [sealKey]: mark, ...inner }) => {
      marks.push(mark)
      return inner
    }),
  )
  const mark = sealOf(seed, terms, bare)
  return marks.length === operations.length && marks.every((found) => found === mark)
}

/** The body of an operation under whichever key it has. */
export function innerOf(operation: Fields): readonly [kind: string, inner: Fields] | undefined {
  for (const [key, value] of Object.entries(operation)) if (isFields(value)) return [key, value]
  return undefined
}

function mapInner(operation: Fields, change: (inner: Fields) => Fields): Fields {
  return Object.fromEntries(
    Object.entries(operation).map(([key, value]) => [key, isFields(value) ? change(value) : value]),
  )
}

function sealOf(seed: string, terms: Terms, operations: readonly Fields[]): string {
  return hexDigest(12, 'seal', seed, canonical(terms), canonical(operations))
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isFields(value)) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  entries.sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`
}
