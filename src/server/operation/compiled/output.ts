import type { ResponsePath } from 'graphql'
import { jsonText } from '../../../engine/wire/exactJson.ts'
import { isPromise } from '../../../kit/awaitable.ts'
import { countValue, shortLeaf, textBytes } from '../answerSize.ts'
import { type CompiledField, executeFields, type Results } from './executeFields.ts'
import type { Run } from './run.ts'

/**
 * The form of the values of a compiled operation: objects, or the text of the response. In both, null is null. A list
 * that waits for its items is a list until the object around it is complete. So errors mean the same and come in the
 * same order.
 */
export interface Output {
  readonly object: (
    run: Run,
    fields: readonly CompiledField[],
    source: unknown,
    path: ResponsePath | undefined,
  ) => unknown
  /** Completes a list whose items are complete. */
  readonly list: (items: readonly unknown[]) => unknown
  /** Completes a value that its type has serialized, and counts it with this many bytes of its name. */
  readonly leaf: (run: Run, value: unknown, nameBytes: number) => unknown
  /** Joins the results of the fields of a mutation, which run one after another. */
  readonly ofResults: (results: Results) => unknown
}

/** The output as objects and lists. */
export const valueOutput: Output = {
  object: executeFields,
  list: (items) => items,
  leaf(run, value, nameBytes) {
    if (typeof value === 'string') run.size.add(nameBytes + textBytes(value))
    else if (typeof value !== 'object') run.size.add(nameBytes + shortLeaf)
    else countValue(run.size, value, nameBytes)
    return value
  },
  ofResults: (results) => results,
}

/** The output as JSON text, in the order of the document. */
export const textOutput: Output = {
  object: writeFields,
  list: scalarText,
  leaf(run, value, nameBytes) {
    const text = leafText(run, value)
    run.size.add(nameBytes + textBytes(text))
    return text
  },
  ofResults: (results) => `{${Object.entries(results).map(([name, text]) => `"${name}":${scalarText(text)}`)}}`,
}

/** The characters that JSON must escape in a text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes them.
const escaped = /["\\\u0000-\u001f\ud800-\udfff]/

function leafText({ texts }: Run, value: unknown): string {
  if (typeof value === 'string' && !escaped.test(value)) return `"${value}"`
  if (typeof value === 'boolean' || Number.isFinite(value)) return String(value)
  if (typeof value !== 'object' || value === null) return jsonText(value)
  const text = texts.get(value) ?? jsonText(value)
  texts.set(value, text)
  return text
}

/** Runs fields in parallel, as `executeFields` does, and writes the JSON text of their object. */
function writeFields(
  run: Run,
  fields: readonly CompiledField[],
  source: unknown,
  path: ResponsePath | undefined,
): string | Promise<string> {
  let text = ''
  let pending: Pending | undefined
  try {
    for (const { head, execute } of fields) {
      const result = execute(run, source, path)
      text += head
      if (isPromise(result)) {
        pending ??= { texts: [], values: [] }
        pending.texts.push(text)
        pending.values.push(result)
        text = ''
      } else {
        text += scalarText(result)
      }
    }
  } catch (error) {
    if (!pending) throw error
    // The other fields are waited for, and their rejections are handled.
    return join(pending, '').finally(() => {
      throw error
    })
  }
  if (fields.length === 0) return '{}'
  return pending ? join(pending, `${text}}`) : `${text}}`
}

/** The fields that are not complete, and the text before each of them. */
interface Pending {
  readonly texts: string[]
  readonly values: Promise<unknown>[]
}

/** Takes as many steps as `executeFields` with its promises: the order of errors depends on them. */
const join = ({ texts, values }: Pending, end: string): Promise<string> =>
  Promise.all(values).then((completed) => {
    let text = ''
    for (const [i, value] of completed.entries()) text += texts[i] + scalarText(value)
    return text + end
  })

/** The text of a completed value, which is a text already unless it is null or a list. */
function scalarText(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? `[${value.map(scalarText).join()}]` : 'null'
}
