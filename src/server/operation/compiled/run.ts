import { GraphQLError, type GraphQLResolveInfo, type OperationDefinitionNode, type ResponsePath } from 'graphql'
import type { Context } from '../../../engine/graphql/builder.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { Work } from '../../../kit/clock/work.ts'
import type { AnswerSize } from '../answerSize.ts'
import { maxErrors, RepeatedError } from '../formatError.ts'

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

export interface CollectedErrors {
  /**
   * In the order of their occurrence, and each by itself if there are at most 100. Else one for each cause, with the
   * number of its errors: 60,000 rows without a price say the same.
   */
  all(): readonly GraphQLError[]
  /** Adds the error that makes the value at a path null. The path of the whole response is undefined. */
  add(error: GraphQLError, path: ResponsePath | undefined): void
}

/** Collects as graphql-js does: an error below a value that is already null is dropped. */
export function createCollectedErrors(): CollectedErrors {
  const first: GraphQLError[] = []
  let causes: Map<string, { readonly error: GraphQLError; count: number }> | undefined
  let others = 0
  let nulled: Set<ResponsePath | undefined> | undefined

  const isNulled = (path: ResponsePath | undefined): boolean => {
    if (!nulled) return false
    for (let at = path; at; at = at.prev) if (nulled.has(at)) return true
    return nulled.has(undefined)
  }

  const count = (error: GraphQLError) => {
    causes ??= new Map()
    const key = causeOf(error)
    const known = causes.get(key)
    if (known) known.count += 1
    else if (causes.size < maxErrors) causes.set(key, { error, count: 1 })
    else others += 1
  }

  return {
    all() {
      if (!causes) return first
      const all = [...causes.values()].map(({ error, count }) => new RepeatedError(error, count))
      return others === 0 ? all : [...all.slice(0, -1), unlisted(all.at(-1), others)]
    },
    add(error, path) {
      if (isNulled(path)) return
      nulled ??= new Set()
      nulled.add(path)
      if (first.length < maxErrors) {
        first.push(error)
        return
      }
      if (!causes) for (const each of first) count(each)
      count(error)
    },
  }
}

/** A key that is equal for errors with one cause. */
function causeOf({ message, originalError }: GraphQLError): string {
  const { code, service } = originalError instanceof GatewayError ? originalError : {}
  return JSON.stringify([code, service, message])
}

/** Stands for the last cause that has a place, and for all errors of causes without one. */
function unlisted(last: RepeatedError | undefined, others: number): GraphQLError {
  const count = (last?.count ?? 0) + others
  const original = new GatewayError('QUERY_TOO_COMPLEX', `${count} further errors are not listed.`)
  return new GraphQLError(original.message, {
    path: last?.path ?? null,
    nodes: last?.nodes ?? null,
    originalError: original,
  })
}
