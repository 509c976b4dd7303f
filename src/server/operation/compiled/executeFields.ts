import type { ResponsePath } from 'graphql'
import { isPromise } from '../../../kit/awaitable.ts'
import type { Run } from './run.ts'

/** A field of a selection: throws or rejects when the value above has to become null. */
export interface CompiledField {
  readonly name: string
  /** The JSON text before its value: a bracket or comma, and the name. */
  readonly head: string
  execute(run: Run, source: unknown, path: ResponsePath | undefined): unknown
}

/** The fields of an object in the result, by their response names. */
export type Results = Record<string, unknown>

/** A field can have this name in the response. To assign it would set the prototype. */
const setProto = (results: Results, value: unknown) =>
  Object.defineProperty(results, '__proto__', {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })

/** Runs fields in parallel, as graphql-js does for everything but the fields of a mutation. */
export function executeFields(
  run: Run,
  fields: readonly CompiledField[],
  source: unknown,
  path: ResponsePath | undefined,
): Results | Promise<Results> {
  const results: Results = {}
  let pending: string[] | undefined
  try {
    for (const { name, execute } of fields) {
      const result = execute(run, source, path)
      if (name === '__proto__') setProto(results, result)
      else results[name] = result
      if (!isPromise(result)) continue
      pending ??= []
      pending.push(name)
    }
  } catch (error) {
    if (!pending) throw error
    // The other fields are waited for, and their rejections are handled.
    return settle(results, pending).finally(() => {
      throw error
    })
  }
  return pending ? settle(results, pending) : results
}

/**
 * Runs fields one after another, for the fields of a mutation, in as many steps as graphql-js: the order of
 * errors depends on them.
 */
export function executeFieldsSerially(
  run: Run,
  fields: readonly CompiledField[],
  source: unknown,
): Results | Promise<Results> {
  const results: Results = {}
  const keep = (name: string, value: unknown) => {
    if (name === '__proto__') setProto(results, value)
    else results[name] = value
    return results
  }
  const step = ({ name, execute }: CompiledField) => {
    const result = execute(run, source, undefined)
    return isPromise(result) ? result.then((value) => keep(name, value)) : keep(name, result)
  }
  let last: Results | Promise<Results> = results
  for (const field of fields) last = isPromise(last) ? last.then(() => step(field)) : step(field)
  return last
}

/** Replaces the promises among the results by their values. */
const settle = (results: Results, names: readonly string[]): Promise<Results> =>
  Promise.all(names.map((name) => results[name])).then((values) => {
    for (const [i, name] of names.entries()) results[name] = values[i]
    return results
  })
