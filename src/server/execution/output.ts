import type { ResponsePath } from 'graphql'
import { jsonText } from '../../upstream/exactJson.ts'
import { type CompiledField, executeFields, type Results } from './executeFields.ts'
import type { Run } from './run.ts'
import { textOf, writeFields } from './writeFields.ts'

/**
 * What a compiled operation makes of its values: objects, or the text of the response. In both, null is null
 * and a list is a list until the object around it is complete, so that errors mean the same and come in the
 * same order.
 */
export interface Output {
  /** Completes an object from its fields. */
  readonly object: (
    run: Run,
    fields: readonly CompiledField[],
    source: unknown,
    path: ResponsePath | undefined,
  ) => unknown
  /** Completes a value that its type has serialized. */
  readonly leaf: (value: unknown) => unknown
  /** What the fields of a mutation have given, one after another. */
  readonly ofResults: (results: Results) => unknown
}

/** The output as objects and lists. */
export const valueOutput: Output = {
  object: executeFields,
  leaf: (value) => value,
  ofResults: (results) => results,
}

/** The output as JSON text, in the order of the document. */
export const textOutput: Output = {
  object: writeFields,
  leaf: leafText,
  ofResults: (results) =>
    `{${Object.entries(results).map(([name, text]) => `"${name}":${textOf(text)}`)}}`,
}

/** What JSON cannot hold as it is in a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

function leafText(value: unknown): string {
  if (typeof value === 'string' && !escaped.test(value)) return `"${value}"`
  if (typeof value === 'boolean' || Number.isFinite(value)) return String(value)
  return jsonText(value)
}
