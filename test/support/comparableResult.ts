import { type ExecutionResult, GraphQLError } from 'graphql'

/** A result in a form in which two can be compared: fields and errors in order, and all parts of errors. */
export const comparable = ({ data, errors, ...rest }: ExecutionResult) => ({
  ...rest,
  data: JSON.stringify(data, (_key, value) => {
    if (typeof value === 'bigint') return `${value}n`
    // JSON does not have it.
    return typeof value === 'symbol' ? null : value
  }),
  errors: errors?.map((error) => ({
    ...error.toJSON(),
    isGraphQLError: error instanceof GraphQLError,
    nodes: error.nodes,
    positions: error.positions,
    originalError: error.originalError && `${error.originalError.name}: ${error.originalError.message}`,
  })),
})
