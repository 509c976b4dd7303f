import { GraphQLError, type GraphQLList, type GraphQLOutputType, isIntrospectionType, type ResponsePath } from 'graphql'
import { isPromise } from '../../../kit/awaitable.ts'
import { compileErrorHandler, type FieldSite, type ResolverStep } from './compileResolver.ts'
import type { Run } from './run.ts'

/** Completes a list, each item with `complete`. */
export function compileList(
  site: FieldSite,
  { ofType }: GraphQLList<GraphQLOutputType>,
  complete: ResolverStep,
): ResolverStep {
  const onError = compileErrorHandler(site, ofType)
  const { output } = site.options
  // A page is paid for by the arguments of its connection, and introspection by the schema.
  const isPaid = 'pageInfo' in site.parent.getFields() || isIntrospectionType(site.parent)
  const message = `Expected Iterable, but did not find one for field "${site.parent.name}.${site.def.name}".`

  const completeItem = (run: Run, item: unknown, path: ResponsePath): unknown => {
    try {
      const completed = isPromise(item) ? item.then((value) => complete(run, value, path)) : complete(run, item, path)
      if (!isPromise(completed)) return completed
      return completed.then(undefined, (error) => onError(run, error, path))
    } catch (error) {
      return onError(run, error, path)
    }
  }

  return (run, list, path) => {
    if (!isIterable(list)) throw new GraphQLError(message)
    const items = Array.isArray(list) ? list : [...list]
    if (!isPaid) run.size.addRows(items.length)
    const results: unknown[] = []
    let isPending = false
    let handled = 0
    /** Nobody waits yet for the items so far. Node ends a process over a rejection that nobody handles. */
    const handleRejections = () => {
      for (; handled < results.length; handled += 1) {
        const result = results[handled]
        if (isPromise(result)) result.then(undefined, () => {})
      }
    }
    const completeRest = (): unknown => {
      try {
        while (results.length < items.length) {
          const key = results.length
          const result = completeItem(run, items[key], { prev: path, key, typename: undefined })
          isPending ||= isPromise(result)
          results.push(result)
          if (run.work.isLong()) {
            handleRejections()
            return run.work.later(completeRest)
          }
        }
      } catch (error) {
        handleRejections()
        throw error
      }
      return isPending ? Promise.all(results) : output.list(results)
    }
    return completeRest()
  }
}

const isIterable = (value: unknown): value is Iterable<unknown> =>
  typeof value === 'object' &&
  value !== null &&
  Symbol.iterator in value &&
  typeof value[Symbol.iterator] === 'function'
