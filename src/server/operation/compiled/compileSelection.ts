import {
  defaultTypeResolver,
  type GraphQLAbstractType,
  GraphQLBoolean,
  GraphQLError,
  GraphQLID,
  type GraphQLLeafType,
  type GraphQLNonNull,
  type GraphQLNullableType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLString,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type ResponsePath,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
} from 'graphql'
import { isPromise } from '../../../kit/awaitable.ts'
import { nameBytes } from '../answerSize.ts'
import { collectFields } from './collectFields.ts'
import { compileList } from './compileList.ts'
import {
  type CompileOptions,
  compileErrorHandler,
  compileResolver,
  type FieldSite,
  infoOf,
  type ResolverStep,
} from './compileResolver.ts'
import type { CompiledField } from './executeFields.ts'
import type { Run } from './run.ts'
import { findRuntimeType, inspect } from './runtimeType.ts'

/** Compiles the fields of an object type. */
export function compileFields(
  options: CompileOptions,
  parent: GraphQLObjectType,
  selectionSets: Parameters<typeof collectFields>[2],
): CompiledField[] {
  const defs = parent.getFields()
  const fields: CompiledField[] = []
  for (const [name, nodes] of collectFields(options, parent, selectionSets)) {
    options.onField()
    const head = `${fields.length === 0 ? '{' : ','}"${name}":`
    const fieldName = nodes[0]?.name.value ?? ''
    const def = defs[fieldName] ?? metaField(options.schema, parent, fieldName)
    if (fieldName === TypeNameMetaFieldDef.name) {
      fields.push({ name, head, execute: writeTypename(options, parent, name) })
    } else if (def) {
      fields.push({ name, head, execute: compileField({ options, def, parent, nodes }, name) })
    }
  }
  return fields
}

/** The fields of introspection, which the root type of queries does not list. */
function metaField(schema: GraphQLSchema, parent: GraphQLObjectType, name: string) {
  if (parent !== schema.getQueryType()) return undefined
  return [SchemaMetaFieldDef, TypeMetaFieldDef].find((field) => field.name === name)
}

function writeTypename(
  { output }: CompileOptions,
  { name: typename }: GraphQLObjectType,
  name: string,
): CompiledField['execute'] {
  const bytes = nameBytes(name)
  return (run) => output.leaf(run, typename, bytes)
}

function compileField(site: FieldSite, name: string): CompiledField['execute'] {
  const { def, parent } = site
  const resolve = compileResolver(site)
  const complete = compileType(site, def.type)
  const onError = compileErrorHandler(site, def.type)
  return (run, source, prev) => {
    const path: ResponsePath = { prev, key: name, typename: parent.name }
    try {
      const result = resolve(run, source, path)
      const completed = isPromise(result)
        ? result.then((value) =>
            run.work.isLong() ? run.work.later(() => complete(run, value, path)) : complete(run, value, path),
          )
        : complete(run, result, path)
      if (!isPromise(completed)) return completed
      return completed.then(undefined, (error) => onError(run, error, path))
    } catch (error) {
      return onError(run, error, path)
    }
  }
}

/** Completes a value of any type. A value that is an error is thrown. */
function compileType(site: FieldSite, type: GraphQLOutputType): ResolverStep {
  if (isNonNullType(type)) {
    const complete = compileType(site, type.ofType)
    const message = `Cannot return null for non-nullable field ${site.parent.name}.${site.def.name}.`
    return (run, value, path) => {
      const completed = complete(run, value, path)
      if (completed === null) throw new Error(message)
      return completed
    }
  }
  const complete = compileNullable(site, type)
  return (run, value, path) => {
    if (value === null || value === undefined) return null
    if (value instanceof Error) throw value
    return complete(run, value, path)
  }
}

type Nullable = Exclude<GraphQLOutputType, GraphQLNonNull<GraphQLNullableType>>

function compileNullable(site: FieldSite, type: Nullable): ResolverStep {
  if (isListType(type)) return compileList(site, type, compileType(site, type.ofType))
  if (isLeafType(type)) return compileLeaf(site, type)
  if (isObjectType(type)) return compileObject(site, type)
  return compileAbstract(site, type)
}

function compileObject(site: FieldSite, type: GraphQLObjectType): ResolverStep {
  // Compiled when the first value arrives: a position that is never reached costs nothing.
  let fields: readonly CompiledField[] | undefined
  const { output } = site.options
  const selectionSets = site.nodes.flatMap(({ selectionSet }) => selectionSet ?? [])
  const execute: ResolverStep = (run, value, path) => {
    fields ??= compileFields(site.options, type, selectionSets)
    return output.object(run, fields, value, path)
  }
  const { isTypeOf } = type
  if (!isTypeOf) return execute

  const check = (isType: boolean, value: unknown) => {
    if (isType) return
    const message = `Expected value of type "${type.name}" but got: ${inspect(value)}.`
    throw new GraphQLError(message, { nodes: site.nodes })
  }
  return (run, value, path) => {
    const isType = isTypeOf.call(type, value, run.context, infoOf(site, run, path))
    if (isPromise(isType)) {
      return isType.then((resolved) => {
        check(resolved, value)
        return execute(run, value, path)
      })
    }
    check(isType, value)
    return execute(run, value, path)
  }
}

function compileAbstract(site: FieldSite, type: GraphQLAbstractType): ResolverStep {
  const { options, parent, def, nodes } = site
  const field = { name: `${parent.name}.${def.name}`, nodes }
  const resolveType = type.resolveType ?? defaultTypeResolver
  const byName = new Map<unknown, ResolverStep>()

  const completeAs = (run: Run, value: unknown, path: ResponsePath, typeName: unknown) => {
    let complete = byName.get(typeName)
    if (!complete) {
      const runtimeType = findRuntimeType(options.schema, type, field, value, typeName)
      complete = compileObject(site, runtimeType)
      byName.set(typeName, complete)
    }
    return complete(run, value, path)
  }
  return (run, value, path) => {
    const typeName = resolveType(value, run.context, infoOf(site, run, path), type)
    return isPromise(typeName)
      ? typeName.then((resolved) => completeAs(run, value, path, resolved))
      : completeAs(run, value, path, typeName)
  }
}

/** Scalars, each with the `typeof` of the values that it serializes unchanged. */
const identities: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [GraphQLString, 'string'],
  [GraphQLID, 'string'],
  [GraphQLBoolean, 'boolean'],
])

/** Completes a value of a scalar or an enum. */
function compileLeaf({ options: { output }, nodes }: FieldSite, type: GraphQLLeafType): ResolverStep {
  const { leaf } = output
  const [node] = nodes
  const bytes = nameBytes(node?.alias?.value ?? node?.name.value ?? '')
  const identity = identities.get(type)
  return (run, value) => {
    if (typeof value === identity) return leaf(run, value, bytes)
    const serialized = type.serialize(value)
    if (serialized !== undefined && serialized !== null) return leaf(run, serialized, bytes)
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
    )
  }
}
