import { GraphQLError } from 'graphql'

/** An error that stands for others, which have the same cause. */
export class RepeatedError extends GraphQLError {
  /** Errors that it stands for, itself included. */
  readonly count: number

  /** At the place of the first one. */
  constructor(first: GraphQLError, count: number) {
    const { message, nodes, source, positions, path, originalError, extensions } = first
    super(message, {
      ...{ source, positions, originalError, extensions },
      nodes: nodes ?? null,
      path: path ?? null,
    })
    this.count = count
  }
}
