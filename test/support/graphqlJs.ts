import { createSourceEventStream, execute, type GraphQLSchema } from 'graphql'
import type { Executor, ExecutorArgs } from '../../src/server/operation/compiled/executor.ts'

/** The executor of graphql-js, with which tests compare the compiled one. It counts nothing, and writes no text. */
export function createGraphqlJsExecutor(schema: GraphQLSchema): Executor {
  const toExecutionArgs = ({ context, variables, document, operationName, rootValue }: ExecutorArgs) => ({
    ...{ schema, document, operationName, rootValue },
    contextValue: context,
    variableValues: variables,
  })
  return {
    execute: (args) => execute(toExecutionArgs(args)),
    subscribe: (args) => createSourceEventStream(toExecutionArgs(args)),
  }
}
