import type { ResponsePath } from 'graphql'
import type { CompiledField } from './executeFields.ts'
import { isPromise, type Run } from './run.ts'

/** Runs fields in parallel, as `executeFields` does, and writes the JSON text of their object. */
export function writeFields(
  run: Run,
  fields: readonly CompiledField[],
  source: unknown,
  path: ResponsePath | undefined,
): string | Promise<string> {
  let text = ''
  /** Texts and promises for texts in turn. */
  let parts: unknown[] | undefined
  try {
    for (const { head, execute } of fields) {
      const result = execute(run, source, path)
      text += head
      if (isPromise(result)) {
        parts ??= []
        parts.push(text, result)
        text = ''
      } else {
        text += textOf(result)
      }
    }
  } catch (error) {
    if (!parts) throw error
    // The other fields are waited for, and their rejections are handled.
    return join(parts, '').finally(() => {
      throw error
    })
  }
  if (fields.length === 0) return '{}'
  return parts ? join(parts, `${text}}`) : `${text}}`
}

/** Takes as many steps as `executeFields` with its promises: the order of errors depends on them. */
const join = (parts: readonly unknown[], end: string): Promise<string> =>
  Promise.all(parts).then((values) => {
    let text = ''
    for (const value of values) text += textOf(value)
    return text + end
  })

/** The text of a completed value, which is a text already unless it is null or a list. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? `[${value.map(textOf).join()}]` : 'null'
}
