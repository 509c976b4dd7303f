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
import { type Args, pathToArray, type Run } from './run.ts'

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

/** Whether the resolver of a field can get `info`. The property that stands for a resolver can be a function too. */
export const mayReadInfo = ({ def: { resolve } }: FieldSite): boolean =>
  !resolve || resolve.length === 0 || resolve.length > 3

/**
 * Calls the resolver of a field, or else reads or calls the property of its name. A resolver that declares one, two or
 * three parameters gets only these: the others are made for each call, and few read them.
 */
export function compileResolver(site: FieldSite): ResolverStep {
  const { resolve, name } = site.def
  if (resolve?.length === 1) {
    // Its type has four parameters, whatever the function declares.
    const ofSource = resolve as (source: unknown) => unknown
    return (_run, source) => ofSource(source)
  }
  const argsOf = compileArguments(site)
  if (resolve && !mayReadInfo(site)) {
    // Its type has four parameters, whatever the function declares.
    const withoutInfo = resolve as (source: unknown, args: Args, context: unknown) => unknown
    return (run, source) => withoutInfo(source, argsOf(run), run.context)
  }
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
