import {
  assertValidSchema,
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  locatedError,
  type OperationDefinitionNode,
} from 'graphql'
import { isPromise } from '../../../kit/awaitable.ts'
import { unpaced } from '../../../kit/clock/pace.ts'
import { uncounted } from '../../operation/answerSize.ts'
import { JsonText } from '../../operation/result.ts'
import { createCollectedErrors } from './collectedErrors.ts'
import { type CompiledField, executeFieldsSerially, type Results } from './executeFields.ts'
import { createExecutor, type Executor, type ExecutorArgs } from './executor.ts'
import type { Output } from './output.ts'
import { createPlan, fieldsOf, outputOf, type Plan, variantKey } from './plan.ts'
import type { Run } from './run.ts'

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

  const planOf = (document: DocumentNode): Plan => {
    let plan = plans.get(document)
    if (!plan) {
      assertValidSchema(schema)
      plan = createPlan(document)
      plans.set(document, plan)
    }
    return plan
  }

  const graphqlJs = createExecutor(schema)
  return {
    execute(args) {
      const { document, operationName, isText = false } = args
      const plan = planOf(document)
      const operation = getOperationAST(document, operationName)
      const type = operation && schema.getRootType(operation.operation)
      // It says what is missing.
      if (!type) return graphqlJs.execute(args)

      const { coerced, errors } = coerce(schema, operation, args)
      if (!coerced) return { errors }
      const key = variantKey(plan, operation, coerced, isText)
      if (key === undefined) return { errors: [nullCondition()] }
      const output = outputOf(isText)
      const fieldsFor = (run: Run) => fieldsOf(schema, plan, key, type, run, output)
      return execute(runOf(args, operation, coerced), fieldsFor, output)
    },
    subscribe: graphqlJs.subscribe,
  }
}

/** The error of graphql-js for a null variable of `@skip` or `@include`. */
const nullCondition = () =>
  new GraphQLError('Argument "if" of non-null type "Boolean!" must not be null.')

const coerce = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  { variables, coerced }: ExecutorArgs,
): CoercedVariables =>
  coerced ? { coerced } : getVariableValues(schema, variableDefinitions, variables, { maxErrors })

/** Variables are coerced until there are so many errors. */
const maxErrors = 50

const runOf = (
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
  const onData = (data: unknown) =>
    resultOf(run, dataOf(isSerial ? output.ofResults(data as Results) : data))
  const onError = (error: unknown) => {
    run.errors.add(locatedError(error, undefined), undefined)
    return resultOf(run, null)
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
const dataOf = (data: unknown): Results =>
  typeof data === 'string' ? new JsonText(data) : (data as Results)

function resultOf({ errors }: Run, data: ExecutionResult['data']): ExecutionResult {
  const all = errors.all()
  return all.length === 0 ? { data } : { errors: all, data }
}
