import { GraphQLError, type GraphQLList, type GraphQLOutputType, type ResponsePath } from 'graphql'
import { isPromise } from '../isPromise.ts'
import { compileErrorHandler } from './compileErrors.ts'
import type { Site, Step } from './compileResolver.ts'
import type { Run } from './run.ts'

/** Completes a list, each item with `complete`. */
export function compileList(
  site: Site,
  { ofType }: GraphQLList<GraphQLOutputType>,
  complete: Step,
): Step {
  const onError = compileErrorHandler(site, ofType)
  const message = `Expected Iterable, but did not find one for field "${site.parent.name}.${site.def.name}".`

  const completeItem = (run: Run, item: unknown, path: ResponsePath): unknown => {
    try {
      const completed = isPromise(item)
        ? item.then((value) => complete(run, value, path))
        : complete(run, item, path)
      if (!isPromise(completed)) return completed
      return completed.then(undefined, (error) => onError(run, error, path))
    } catch (error) {
      return onError(run, error, path)
    }
  }

  return (run, list, path) => {
    if (!isIterable(list)) throw new GraphQLError(message)
    const results: unknown[] = []
    let isPending = false
    try {
      for (const item of list) {
        const itemPath = { prev: path, key: results.length, typename: undefined }
        const result = completeItem(run, item, itemPath)
        isPending ||= isPromise(result)
        results.push(result)
      }
    } catch (error) {
      // Nobody waits for the items before. graphql-js leaves their rejections unhandled.
      if (isPending) Promise.allSettled(results)
      throw error
    }
    return isPending ? Promise.all(results) : results
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Symbol.iterator in value &&
  typeof value[Symbol.iterator] === 'function'
