import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isNonNullType,
  locatedError,
  type ResponsePath,
} from 'graphql'
import { withoutStack } from '../formatError.ts'
import { compileArguments } from './compileArguments.ts'
import type { Output } from './output.ts'
import { pathToArray, type Run } from './run.ts'

/** The parts of a document that selections are compiled with. */
export interface CompileOptions {
  readonly schema: GraphQLSchema
  readonly fragments: Record<string, FragmentDefinitionNode>
  /** The variables of `@skip` and `@include`. */
  readonly conditions: Readonly<Record<string, unknown>>
  /** The form of completed values. */
  readonly output: Output
  readonly onField: () => void
}

/** A field of a document. All positions below it share it. */
export interface FieldSite {
  readonly options: CompileOptions
  readonly def: GraphQLField<unknown, unknown>
  readonly parent: GraphQLObjectType
  readonly nodes: readonly FieldNode[]
}

/** A step of a run at a path. Throws or rejects if it fails. */
export type ResolverStep = (run: Run, value: unknown, path: ResponsePath) => unknown

/** The `info` of a field. Items of a list have that of the field. */
export function infoOf(
  { options: { schema, fragments }, def, parent, nodes }: FieldSite,
  run: Run,
  at: ResponsePath,
): GraphQLResolveInfo {
  let path = at
  while (typeof path.key === 'number' && path.prev) path = path.prev
  return {
    fieldName: def.name,
    fieldNodes: nodes,
    returnType: def.type,
    parentType: parent,
    path,
    schema,
    fragments,
    rootValue: run.rootValue,
    operation: run.operation,
    variableValues: run.variables,
  }
}

/**
 * Calls the resolver of a field with all four parameters, or else reads or calls the property of its name. The `length`
 * of a function is no measure of what it reads: it ends before the first parameter with a default.
 */
export function compileResolver(site: FieldSite): ResolverStep {
  const { resolve, name } = site.def
  const argsOf = compileArguments(site)
  if (resolve) {
    return (run, source, path) => resolve(source, argsOf(run), run.context, infoOf(site, run, path))
  }
  return (run, source, path) => {
    if (!isRecord(source)) return undefined
    const property = source[name]
    if (typeof property !== 'function') return property
    return property.call(source, argsOf(run), run.context, infoOf(site, run, path))
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  (typeof value === 'object' && value !== null) || typeof value === 'function'

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
