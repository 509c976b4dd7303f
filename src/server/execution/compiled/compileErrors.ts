import { type GraphQLOutputType, isNonNullType, locatedError, type ResponsePath } from 'graphql'
import { withoutStack } from '../formatError.ts'
import type { FieldSite } from './compileResolver.ts'
import { pathToArray, type Run } from './run.ts'

/**
 * Makes a nullable position null and collects the error. Throws it for a position that is not nullable, and below
 * the root if the answer is too large: a null there would look like missing data.
 */
export const compileErrorHandler =
  ({ nodes }: FieldSite, type: GraphQLOutputType) =>
  (run: Run, rawError: unknown, path: ResponsePath): null => {
    // It has the stack of the error that it locates.
    const error = withoutStack(() => locatedError(rawError, nodes, pathToArray(path)))
    const isRoot = path.prev === undefined
    if (isNonNullType(type) || (!isRoot && run.size.stops(error))) throw error
    run.errors.add(error, path)
    return null
  }
