import { type FieldNode, type GraphQLField, getArgumentValues } from 'graphql'
import type { Args, Run } from './run.ts'

/** A field at a place of a document. */
export interface ArgumentSite {
  readonly def: GraphQLField<unknown, unknown>
  readonly nodes: readonly FieldNode[]
}

/**
 * Coerces the arguments of a field as graphql-js does, once for each run. Each call with arguments gets an object of
 * its own, but the calls of one run share the lists and objects in it.
 */
export function compileArguments(site: ArgumentSite): (run: Run) => Args {
  const { def, nodes } = site
  const [node] = nodes
  if (!node || def.args.length === 0) return () => noArguments
  return (run) => {
    let coerced = run.args?.get(site)
    if (!coerced) {
      coerced = getArgumentValues(def, node, run.variables)
      run.args ??= new Map()
      run.args.set(site, coerced)
    }
    return { ...coerced }
  }
}

/** Most fields have none, and an object for each call of them would be much of what an operation allocates. */
const noArguments: Args = Object.freeze({})
