import { GraphQLError } from 'graphql'
import { type ErrorCode, limitExceeded, type RefusingLimit } from '../../engine/upstream/error.ts'

/** The error for a request that passes a limit. */
export const limitError = (
  limit: RefusingLimit,
  message: string,
  extensions: GraphQLError['extensions'] & { readonly code: ErrorCode },
): GraphQLError =>
  new GraphQLError(message, {
    originalError: limitExceeded(limit, extensions.code, message),
    extensions,
  })
