import type { ExecutionResult, GraphQLError } from 'graphql'
import type { TracedClient } from '../client.ts'
import type { FormatError } from '../formatError.ts'

/** Formats what clients read. A client that has left reads nothing, so nothing is logged for it. */
export interface ResultFormat {
  result(result: ExecutionResult, client: TracedClient): ExecutionResult
  errors(errors: readonly unknown[], client: TracedClient): readonly GraphQLError[]
  /** Formats the error that ends a stream. */
  readonly error: FormatError
}

/** Formats results with a formatter of errors. */
export function createResultFormat(formatError: FormatError): ResultFormat {
  const errors: ResultFormat['errors'] = (all, { signal, requestId }) =>
    signal.aborted ? [] : all.map((error) => formatError(error, requestId))
  return {
    error: formatError,
    errors,
    result(result, client) {
      if (client.signal.aborted) return { errors: [] }
      return result.errors ? { ...result, errors: errors(result.errors, client) } : result
    },
  }
}
