import type {
  FieldNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLResolveInfo,
  ResponsePath,
} from 'graphql'
import type { CollectOptions } from './collectFields.ts'
import { compileArguments } from './compileArguments.ts'
import type { Output } from './output.ts'
import type { Args, Run } from './run.ts'

/** What selections are compiled with. */
export interface CompileOptions extends CollectOptions {
  /** What completed values are. */
  readonly output: Output
  /** Called for each compiled field. */
  readonly onField: () => void
}

/** What all positions below a field share. */
export interface Site {
  readonly options: CompileOptions
  readonly def: GraphQLField<unknown, unknown>
  readonly parent: GraphQLObjectType
  readonly nodes: readonly FieldNode[]
}

/** A step of a run at a path. Throws or rejects if it fails. */
export type Step = (run: Run, value: unknown, path: ResponsePath) => unknown

/** The `info` of a field. Items of a list have that of the field. */
export function infoOf(
  { options: { schema, fragments }, def, parent, nodes }: Site,
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

/** Whether the resolver of a field can get `info`. Without a resolver, a property can be a function. */
export const mayReadInfo = ({ def: { resolve } }: Site): boolean =>
  !resolve || resolve.length === 0 || resolve.length > 3

/**
 * Calls the resolver of a field. Without one, reads or calls the property of its name. A resolver that
 * declares one, two or three parameters gets no more: the others are made for each call, and few read them.
 */
export function compileResolver(site: Site): Step {
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
