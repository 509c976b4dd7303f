import {
  assertValidSchema,
  createSourceEventStream,
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute as executeWithGraphqlJs,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  Kind,
  locatedError,
  type OperationDefinitionNode,
  visit,
} from 'graphql'
import { isPromise } from '../../../kit/awaitable.ts'
import { unpaced } from '../../../kit/clock/work.ts'
import { uncounted } from '../answerSize.ts'
import { JsonText } from '../result.ts'
import { compileFields } from './compileSelection.ts'
import { type CompiledField, executeFieldsSerially, type Results } from './executeFields.ts'
import type { Executor, ExecutorArgs } from './executor.ts'
import { type Output, textOutput, valueOutput } from './output.ts'
import { createCollectedErrors, type Run } from './run.ts'

// graphql-js finds out anew in each run, for each field of each row, which resolver there is, whether it has arguments,
// and what type it returns. Here all this is decided once for a document: each field becomes a closure with what is
// known built in, and a run only calls closures. They are kept with the document, one set for each combination of the
// variables of `@skip` and `@include`, which change what is selected. A position is compiled when a run first reaches
// it. The same closures write either objects or, for HTTP, the text of the answer (`output.ts`). A property test
// compares both with graphql-js, error for error.

type CoercedVariables =
  | { readonly coerced: Run['variables']; readonly errors?: undefined }
  | { readonly coerced?: undefined; readonly errors: readonly GraphQLError[] }

/**
 * An executor that compiles each document to closures, once for every combination of its `@skip` and
 * `@include` variables. Its results are those of graphql-js, including the order of errors, except that
 * their objects have a prototype, and that a document fails as a whole if a variable of `@skip` or `@include` is null.
 * A resolver must not change the values in its arguments: constant ones are coerced once, and others once per run.
 * Sources of subscriptions are opened by graphql-js.
 */
export function createCompiledExecutor(schema: GraphQLSchema): Executor {
  const plans = new WeakMap<DocumentNode, Plan>()

  const makePlan = (document: DocumentNode): Plan => {
    let plan = plans.get(document)
    if (!plan) {
      assertValidSchema(schema)
      plan = createPlan(document)
      plans.set(document, plan)
    }
    return plan
  }

  return {
    execute(args) {
      const { document, operationName, isText = false } = args
      const plan = makePlan(document)
      const operation = getOperationAST(document, operationName)
      const type = operation && schema.getRootType(operation.operation)
      // It says what is missing.
      if (!type) return executeWithGraphqlJs(toExecutionArgs(schema, args))

      const { coerced, errors } = coerce(schema, operation, args)
      if (!coerced) return { errors }
      const key = variantKey(plan, operation, coerced, isText)
      if (key === undefined) return { errors: [nullCondition()] }
      const output = isText ? textOutput : valueOutput
      const fieldsFor = (run: Run) => fieldsOf(schema, plan, key, type, run, output)
      return execute(makeRun(args, operation, coerced), fieldsFor, output)
    },
    subscribe: (args) => createSourceEventStream(toExecutionArgs(schema, args)),
  }
}

/** The arguments that functions of graphql-js take. */
const toExecutionArgs = (schema: GraphQLSchema, args: ExecutorArgs): ExecutionArgs => ({
  schema,
  document: args.document,
  operationName: args.operationName,
  rootValue: args.rootValue,
  contextValue: args.context,
  variableValues: args.variables,
})

/** The error of graphql-js for a null variable of `@skip` or `@include`. */
const nullCondition = () => new GraphQLError('Argument "if" of non-null type "Boolean!" must not be null.')

const coerce = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  { variables, coerced }: ExecutorArgs,
): CoercedVariables =>
  coerced ? { coerced } : getVariableValues(schema, variableDefinitions, variables, { maxErrors })

/** Variables are coerced until there are this many errors. */
const maxErrors = 50

const makeRun = (
  { context, rootValue, size = uncounted, work = unpaced }: ExecutorArgs,
  operation: OperationDefinitionNode,
  variables: Run['variables'],
): Run => ({
  context,
  rootValue,
  operation,
  variables,
  size,
  work,
  args: undefined,
  errors: createCollectedErrors(),
  texts: new WeakMap(),
})

/** Executes the fields of an operation. Never throws or rejects. */
function execute(
  run: Run,
  fieldsFor: (run: Run) => readonly CompiledField[],
  output: Output,
): ExecutionResult | Promise<ExecutionResult> {
  const isSerial = run.operation.operation === 'mutation'
  const onData = (data: unknown) => makeResult(run, dataOf(isSerial ? output.ofResults(data as Results) : data))
  const onError = (error: unknown) => {
    run.errors.add(locatedError(error, undefined), undefined)
    return makeResult(run, null)
  }
  try {
    const executeRoot = isSerial ? executeFieldsSerially : output.object
    const data = executeRoot(run, fieldsFor(run), run.rootValue, undefined)
    return isPromise(data) ? data.then(onData, onError) : onData(data)
  } catch (error) {
    return onError(error)
  }
}

/** The data of a result. An output makes an object of the fields of the root, or its text. */
const dataOf = (data: unknown): Results => (typeof data === 'string' ? new JsonText(data) : (data as Results))

function makeResult({ errors }: Run, data: ExecutionResult['data']): ExecutionResult {
  const all = errors.all()
  return all.length === 0 ? { data } : { errors: all, data }
}

/** The compiled operations of a document. They are kept for as long as the document itself is. */
export interface Plan {
  readonly fragments: Record<string, FragmentDefinitionNode>
  /** Variables that `@skip` and `@include` read, in all operations. */
  readonly conditions: readonly string[]
  /** Compiled operations, by `variantKey`. */
  readonly variants: Map<string, Variant>
  /** Bounds the compiled fields by the size of the document. */
  readonly maxFields: number
  /** Whether compiled operations are kept. Not if the document compiles to too many fields. */
  isKept: boolean
}

/** An operation compiled for one combination of the values of its conditions. */
interface Variant {
  readonly fields: readonly CompiledField[]
  /** Number of compiled fields. Grows when a run reaches a position for the first time. */
  readonly size: { count: number }
}

/** Reads from a document what its plan depends on. */
function createPlan(document: DocumentNode): Plan {
  const fragments: Plan['fragments'] = Object.create(null)
  const conditions = new Set<string>()
  visit(document, {
    FragmentDefinition(node) {
      fragments[node.name.value] = node
    },
    Directive({ name, arguments: nodes = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return
      for (const { value } of nodes) if (value.kind === Kind.VARIABLE) conditions.add(value.name.value)
    },
  })
  const maxFields = 64 + 4 * (document.tokenCount ?? 0)
  return { fragments, conditions: [...conditions], variants: new Map(), maxFields, isKept: true }
}

/** The key of a variant. Undefined if a condition is null, which is an error in some position. */
function variantKey(
  { conditions }: Plan,
  { name, variableDefinitions = [] }: OperationDefinitionNode,
  variables: Run['variables'],
  isText: boolean,
): string | undefined {
  let key = `${name?.value ?? ''}:`
  for (const condition of conditions) {
    const value = variables[condition]
    if (typeof value === 'boolean') key += value ? '1' : '0'
    else if (variableDefinitions.some(({ variable }) => variable.name.value === condition)) return
    else key += '-'
  }
  return isText ? `${key} text` : key
}

/** The compiled fields at the root of an operation. They are compiled for the first run with that key. */
function fieldsOf(
  schema: GraphQLSchema,
  plan: Plan,
  key: string,
  type: GraphQLObjectType,
  run: Run,
  output: Output,
): readonly CompiledField[] {
  const { variants, maxFields } = plan
  const existing = variants.get(key)
  if (existing) return existing.fields
  const count = [...variants.values()].reduce((sum, { size }) => sum + size.count, 0)
  if (count > maxFields) variants.clear()
  const variant = compile(schema, plan, type, run, output)
  if (plan.isKept) variants.set(key, variant)
  return variant.fields
}

function compile(schema: GraphQLSchema, plan: Plan, type: GraphQLObjectType, run: Run, output: Output): Variant {
  const size = { count: 0 }
  const onField = () => {
    size.count += 1
    if (size.count <= plan.maxFields) return
    // Each further run compiles its own fields.
    plan.isKept = false
    plan.variants.clear()
  }
  const { fragments } = plan
  const { operation, variables: conditions } = run
  const options = { schema, fragments, conditions, output, onField }
  return { size, fields: compileFields(options, type, [operation.selectionSet]) }
}
