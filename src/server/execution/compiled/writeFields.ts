import type { ResponsePath } from 'graphql'
import { isPromise } from '../isPromise.ts'
import type { CompiledField } from './executeFields.ts'
import type { Run } from './run.ts'

/** Runs fields in parallel, as `executeFields` does, and writes the JSON text of their object. */
export function writeFields(
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
        text += textOf(result)
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
    for (const [i, value] of completed.entries()) text += texts[i] + textOf(value)
    return text + end
  })

/** The text of a completed value, which is a text already unless it is null or a list. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? `[${value.map(textOf).join()}]` : 'null'
}
