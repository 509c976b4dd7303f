import {
  assertValidSchema,
  type DocumentNode,
  type ExecutionResult,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { isPromise } from '../isPromise.ts'
import { uncounted } from '../pipeline/answerSize.ts'
import { JsonText } from '../pipeline/jsonResult.ts'
import { compileFields } from './compileSelection.ts'
import { type CompiledField, executeFieldsSerially, type Results } from './executeFields.ts'
import type { Executor, ExecutorArgs } from './executor.ts'
import { type Output, textOutput, valueOutput } from './output.ts'
import { createCollectedErrors, type Run } from './run.ts'

/** Why graphql-js runs an operation instead. */
export type FallbackReason =
  /** The document reads `__schema` or `__type`. */
  | 'introspection'
  /** A variable of `@skip` or `@include` is null. */
  | 'condition'
  /** A field is called `__proto__` in the response. */
  | 'response_name'
  /** The document compiles to too many fields. */
  | 'size'
  /** The document has no such operation, or the schema no such root type. */
  | 'operation'

/** What a compiled executor runs on. */
export interface CompiledExecutorOptions {
  readonly schema: GraphQLSchema
  /** Runs what this executor does not, and opens the sources of subscriptions. */
  readonly fallback: Executor
  /** Called for each run that is left to the fallback. */
  readonly onFallback: (reason: FallbackReason) => void
}

type CoercedVariables =
  | { readonly coerced: Run['variables']; readonly errors?: undefined }
  | { readonly coerced?: undefined; readonly errors: readonly GraphQLError[] }

/** What is remembered of a document, for as long as the document itself is. */
interface Plan {
  readonly fragments: Record<string, FragmentDefinitionNode>
  /** Variables that `@skip` and `@include` read, in all operations. */
  readonly conditions: readonly string[]
  /** Compiled operations, by name and the values of the conditions. */
  readonly variants: Map<string, Variant>
  /** Bounds what is remembered by the size of the document. */
  readonly maxFields: number
  /** Why no operation of the document is compiled. */
  reason: FallbackReason | undefined
}

/** An operation compiled for one combination of the values of its conditions. */
interface Variant {
  readonly fields: readonly CompiledField[]
  /** Number of compiled fields. Grows when a run reaches a position for the first time. */
  readonly size: { count: number }
}

/**
 * An executor that compiles each document to closures, once for every combination of its `@skip` and
 * `@include` variables. Its results are those of graphql-js, including the order of errors, except that
 * their objects have a prototype. A resolver must not change the values in its arguments: constant ones
 * are coerced once, and others once per run.
 */
export function createCompiledExecutor(options: CompiledExecutorOptions): Executor {
  const { schema, fallback, onFallback } = options
  const plans = new WeakMap<DocumentNode, Plan>()

  const planOf = (document: DocumentNode): Plan => {
    let plan = plans.get(document)
    if (!plan) {
      assertValidSchema(schema)
      plan = createPlan(document)
      plans.set(document, plan)
    }
    return plan
  }

  const compile = (plan: Plan, type: GraphQLObjectType, run: Run, output: Output): Variant => {
    const size = { count: 0 }
    const onField = () => {
      size.count += 1
      if (size.count <= plan.maxFields) return
      // This run still uses what it compiles. Nothing of it is kept.
      plan.reason = 'size'
      plan.variants.clear()
    }
    const { fragments } = plan
    const { operation, variables: conditions } = run
    const compileOptions = { schema, fragments, conditions, output, onField }
    return { size, fields: compileFields(compileOptions, type, [operation.selectionSet]) }
  }

  const variantOf = (
    plan: Plan,
    key: string,
    type: GraphQLObjectType,
    run: Run,
    output: Output,
  ): Variant => {
    const existing = plan.variants.get(key)
    if (existing) return existing
    const sizes = [...plan.variants.values()].map(({ size }) => size.count)
    if (sizes.reduce((a, b) => a + b, 0) > plan.maxFields) plan.variants.clear()
    const variant = compile(plan, type, run, output)
    if (!plan.reason) plan.variants.set(key, variant)
    return variant
  }

  const coerce = (
    { variableDefinitions = [] }: OperationDefinitionNode,
    { variables, coerced }: ExecutorArgs,
  ): CoercedVariables =>
    coerced
      ? { coerced }
      : getVariableValues(schema, variableDefinitions, variables, { maxErrors: 50 })

  const leave = (args: ExecutorArgs, reason: FallbackReason) => {
    onFallback(reason)
    return fallback.execute(args)
  }

  return {
    execute(args) {
      const { document, operationName, context, rootValue } = args
      const plan = planOf(document)
      if (plan.reason) return leave(args, plan.reason)
      const operation = getOperationAST(document, operationName)
      const type = operation && schema.getRootType(operation.operation)
      if (!type) return leave(args, 'operation')

      const { coerced, errors } = coerce(operation, args)
      if (!coerced) return { errors }
      const conditions = variantKey(plan, operation, coerced)
      if (conditions === undefined) return leave(args, 'condition')
      const output = args.isText ? textOutput : valueOutput
      const key = args.isText ? `${conditions} text` : conditions
      return run(
        {
          context,
          rootValue,
          operation,
          variables: coerced,
          args: undefined,
          errors: createCollectedErrors(),
          size: args.size ?? uncounted,
          texts: new WeakMap(),
        },
        (run) => variantOf(plan, key, type, run, output).fields,
        output,
      )
    },
    subscribe: (args) => fallback.subscribe(args),
  }
}

/** Runs the fields of an operation. Never throws or rejects. */
function run(
  run: Run,
  fieldsOf: (run: Run) => readonly CompiledField[],
  output: Output,
): ExecutionResult | Promise<ExecutionResult> {
  const isSerial = run.operation.operation === 'mutation'
  const onData = (data: unknown) =>
    resultOf(run, dataOf(isSerial ? output.ofResults(data as Results) : data))
  const onError = (error: unknown) => {
    run.errors.add(locatedError(error, undefined), undefined)
    return resultOf(run, null)
  }
  try {
    const execute = isSerial ? executeFieldsSerially : output.object
    const data = execute(run, fieldsOf(run), run.rootValue, undefined)
    return isPromise(data) ? data.then(onData, onError) : onData(data)
  } catch (error) {
    return onError(error)
  }
}

/** The data of a result. An output makes an object of the fields of the root, or its text. */
const dataOf = (data: unknown): Results =>
  typeof data === 'string' ? new JsonText(data) : (data as Results)

function resultOf({ errors: { list } }: Run, data: ExecutionResult['data']): ExecutionResult {
  return list.length === 0 ? { data } : { errors: list, data }
}

function createPlan(document: DocumentNode): Plan {
  const fragments: Plan['fragments'] = Object.create(null)
  const conditions = new Set<string>()
  let reason: FallbackReason | undefined
  visit(document, {
    FragmentDefinition(node) {
      fragments[node.name.value] = node
    },
    Field({ name, alias }) {
      if (name.value === '__schema' || name.value === '__type') reason = 'introspection'
      if (alias?.value === '__proto__') reason = 'response_name'
    },
    Directive({ name, arguments: nodes = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return
      for (const { value } of nodes)
        if (value.kind === Kind.VARIABLE) conditions.add(value.name.value)
    },
  })
  const maxFields = 64 + 4 * (document.tokenCount ?? 0)
  return { fragments, conditions: [...conditions], variants: new Map(), maxFields, reason }
}

/** The key of a variant. Undefined if a condition is null, which is an error in some position. */
function variantKey(
  { conditions }: Plan,
  { name, variableDefinitions = [] }: OperationDefinitionNode,
  variables: Run['variables'],
): string | undefined {
  let key = `${name?.value ?? ''}:`
  for (const condition of conditions) {
    const value = variables[condition]
    if (typeof value === 'boolean') key += value ? '1' : '0'
    else if (variableDefinitions.some(({ variable }) => variable.name.value === condition)) return
    else key += '-'
  }
  return key
}
