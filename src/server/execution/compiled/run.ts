import type { GraphQLResolveInfo, OperationDefinitionNode, ResponsePath } from 'graphql'
import type { Context } from '../../../graphql/builder.ts'
import type { Work } from '../../../kit/clock/pace.ts'
import type { AnswerSize } from '../../operation/answerSize.ts'
import type { CollectedErrors } from './collectedErrors.ts'

/** One run of a compiled operation. */
export interface Run {
  readonly context: Context
  readonly rootValue: unknown
  readonly operation: OperationDefinitionNode
  readonly variables: GraphQLResolveInfo['variableValues']
  /** Coerced arguments that depend on variables, by field. Undefined until there are some. */
  args: Map<object, Args> | undefined
  readonly errors: CollectedErrors
  /** Counts what is written. */
  readonly size: AnswerSize
  /** Its pace: a long list is completed in several turns. */
  readonly work: Work
  /** The texts of objects and lists that a scalar holds, since aliases can write one many times. */
  readonly texts: WeakMap<object, string>
}

/** Coerced arguments of a field. */
export type Args = Record<string, unknown>

/** The keys of a path, from the root. */
export function pathToArray(path: ResponsePath): (string | number)[] {
  const keys: (string | number)[] = []
  for (let at: ResponsePath | undefined = path; at; at = at.prev) keys.push(at.key)
  return keys.reverse()
}
