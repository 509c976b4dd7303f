import type { ExecutionResult, GraphQLError } from 'graphql'
import type { Client } from '../execution/client.ts'
import type { FormatError } from '../execution/formatError.ts'

/** Formats the errors of an operation. A client that has left reads none, so none are logged. */
export const formatErrors = (
  errors: readonly unknown[],
  { signal, requestId }: Client,
  formatError: FormatError,
): readonly GraphQLError[] =>
  signal.aborted ? [] : errors.map((error) => formatError(error, requestId))

/** A result with formatted errors. A client that has left reads nothing. */
export function formatResult(
  result: ExecutionResult,
  client: Client,
  formatError: FormatError,
): ExecutionResult {
  if (client.signal.aborted) return { errors: [] }
  if (!result.errors) return result
  return { ...result, errors: formatErrors(result.errors, client, formatError) }
}
