import { GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from 'graphql'
import type { GatewayError } from '../upstream/error.ts'
import type { Context } from './builder.ts'

/**
 * Adds an error to the answer of a field that has data all the same. An executor has no form for that: a field that throws is
 * null.
 */
export function addErrorBeside(
  { errorsBeside }: Pick<Context, 'errorsBeside'>,
  { fieldNodes, path }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'path'>,
  error: GatewayError,
): void {
  const { message } = error
  errorsBeside.push(
    new GraphQLError(message, { nodes: fieldNodes, path: responsePathAsArray(path), originalError: error }),
  )
}
