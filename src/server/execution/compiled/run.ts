import type {
  GraphQLError,
  GraphQLResolveInfo,
  OperationDefinitionNode,
  ResponsePath,
} from 'graphql'
import type { Context } from '../../../graphql/builder.ts'
import type { Work } from '../../../kit/clock/pace.ts'
import type { AnswerSize } from '../pipeline/answerSize.ts'

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

/** The errors of a run, in the order of their occurrence. */
export interface CollectedErrors {
  readonly list: readonly GraphQLError[]
  /** Adds the error that makes the value at a path null. The path of the whole response is undefined. */
  add(error: GraphQLError, path: ResponsePath | undefined): void
}

/** Collects as graphql-js does: an error below a value that is already null is dropped. */
export function createCollectedErrors(): CollectedErrors {
  const list: GraphQLError[] = []
  let nulled: Set<ResponsePath | undefined> | undefined
  const isNulled = (path: ResponsePath | undefined): boolean => {
    if (!nulled) return false
    for (let at = path; at; at = at.prev) if (nulled.has(at)) return true
    return nulled.has(undefined)
  }
  return {
    list,
    add(error, path) {
      if (isNulled(path)) return
      nulled ??= new Set()
      nulled.add(path)
      list.push(error)
    },
  }
}

/** The keys of a path, from the root. */
export function pathToArray(path: ResponsePath): (string | number)[] {
  const keys: (string | number)[] = []
  for (let at: ResponsePath | undefined = path; at; at = at.prev) keys.push(at.key)
  return keys.reverse()
}
