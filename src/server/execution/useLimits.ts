import {
  type ExecutionArgs,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  NoSchemaIntrospectionCustomRule,
  parse,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { Limits } from '../../config/limits.ts'
import { checkCost } from '../../graphql/complexity.ts'
import type { FormatError } from './formatError.ts'

/** Refuses documents of too many tokens while they are read. */
export const useTokenLimit = ({ maxTokens }: Limits): Plugin => ({
  onParse({ setParseFn }) {
    setParseFn((source, options) => {
      try {
        return parse(source, { ...options, maxTokens })
      } catch (error) {
        if (error instanceof GraphQLError) throw parseError(error)
        // The parser calls itself level by level, and lists within lists use up its stack first.
        if (error instanceof RangeError) throw parseError(new GraphQLError(tooDeep))
        throw error
      }
    })
  },
})

const tooDeep = 'Syntax Error: Document nests too deep. Parsing aborted.'

const parseError = ({ message, source, positions }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    source: source ?? null,
    positions: positions ?? null,
    extensions: { code: 'GRAPHQL_PARSE_FAILED', http: { status: 400, spec: true } },
  })

/** Refuses introspection, on every transport. */
export const useNoIntrospection = (): Plugin => ({
  onValidate({ addValidationRule }) {
    addValidationRule(NoSchemaIntrospectionCustomRule)
  },
})

/**
 * Refuses operations whose variables are wrong, or that cost too much with them, before anything runs.
 * A validation rule would not do: its verdict is kept for the document, whatever the variables.
 */
export function useCostLimit(limits: Limits, formatError: FormatError): Plugin {
  const check: OperationHook = ({ args, setResultAndStopExecution }) => {
    const errors = costErrors(limits, args)
    if (errors.length > 0) setResultAndStopExecution({ errors: errors.map(formatError) })
  }
  return { onExecute: check, onSubscribe: check }
}

type OperationHook = (hook: {
  args: ExecutionArgs
  setResultAndStopExecution: (result: { errors: GraphQLError[] }) => void
}) => void

function costErrors(limits: Limits, args: ExecutionArgs): readonly unknown[] {
  const { schema, document, operationName, contextValue } = args
  const operation = getOperationAST(document, operationName)
  const { errors } = getVariableValues(
    schema,
    operation?.variableDefinitions ?? [],
    args.variableValues ?? {},
    { maxErrors: 20 },
  )
  if (errors) return errors.map(variableError)
  try {
    checkCost(limits, {
      schema,
      document,
      operationName,
      variables: args.variableValues ?? {},
      context: Object(contextValue),
    })
    return []
  } catch (error) {
    return [error]
  }
}

const variableError = ({ message, nodes }: GraphQLError): GraphQLError =>
  new GraphQLError(message, {
    nodes: nodes ?? null,
    extensions: { code: 'BAD_USER_INPUT', http: { status: 400, spec: true } },
  })
