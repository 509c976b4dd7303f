import type { ExecutionResult, GraphQLError } from 'graphql'
import { jsonText, parseJson } from '../../engine/wire/exactJson.ts'
import { type FormatError, maxErrors, RepeatedError } from './formatError.ts'
import type { Sender } from './sender.ts'

/** The data of a result, which its executor has written as JSON text. In other JSON it is parsed. */
export class JsonText {
  // The data of a result is an object, which this stands for.
  readonly [name: string]: unknown
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The text. */
  toString(): string {
    return this.#text
  }

  toJSON(): unknown {
    return parseJson(this.#text)
  }
}

/** The JSON text of a result. */
export function resultText(result: object): string {
  const data = 'data' in result ? result.data : undefined
  if (!(data instanceof JsonText)) return jsonText(result)
  // To join parts would copy the text, which can be large.
  let text = ''
  for (const [name, value] of Object.entries(result)) {
    // Leaves out `stringify`, a function that yoga adds.
    if (value === undefined || typeof value === 'function') continue
    text += `${text === '' ? '{' : ','}"${name}":`
    text += value === data ? data : jsonText(value)
  }
  return `${text}}`
}

/** A result with errors of fields that have data all the same, after the others. The last one stands for those beyond 100. */
export function withErrors(result: ExecutionResult, errors: readonly GraphQLError[]): ExecutionResult {
  const all = [...(result.errors ?? []), ...errors]
  const rest = all.slice(maxErrors - 1)
  const [last] = rest
  if (!last || rest.length === 1) return { ...result, errors: all }
  const count = rest.reduce((sum, error) => sum + (error instanceof RepeatedError ? error.count : 1), 0)
  return { ...result, errors: [...all.slice(0, maxErrors - 1), new RepeatedError(last, count)] }
}

/** Formats the errors of an operation. A client that has left reads none, so none are logged. */
export const formatErrors = (
  errors: readonly unknown[],
  { signal, requestId }: Sender,
  formatError: FormatError,
): readonly GraphQLError[] => (signal.aborted ? [] : errors.map((error) => formatError(error, requestId)))

/** A result with formatted errors. A client that has left reads nothing. */
export function formatResult(result: ExecutionResult, sender: Sender, formatError: FormatError): ExecutionResult {
  if (sender.signal.aborted) return { errors: [] }
  if (!result.errors) return result
  return { ...result, errors: formatErrors(result.errors, sender, formatError) }
}
