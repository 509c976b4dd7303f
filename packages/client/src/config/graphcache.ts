import type { Cache, CacheExchangeOpts, KeyingConfig, Resolver } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { lists, records, values } from './generated/tables.ts'

/** The key of a record is its `id`. One that was read without it stays in its place, like a value. */
const idOf: KeyingConfig[string] = ({ id }) => (typeof id === 'string' ? id : null)

/** Keys for the `cacheExchange` of graphcache. Only records have one. */
export const keys: KeyingConfig = Object.fromEntries([
  ...records.map((name) => [name, idOf] as const),
  ...values.map((name) => [name, () => null] as const),
])

/** A resolver for the pages of a list, also of one without arguments, of edges without a node, or that is null. */
function pagesOf(): Resolver {
  const join = relayPagination()
  return (parent, args, cache, info) => {
    const pages = pagesIn(cache)
    const { parentKey, fieldName } = info
    return join(parent, args, pages, info) ?? pages.resolve(parentKey, fieldName, args)
  }
}

/** Resolvers for the `cacheExchange` of graphcache: the pages of each list form one list. */
export const resolvers: NonNullable<CacheExchangeOpts['resolvers']> = mapOf(lists, (fields) =>
  mapOf(fields, pagesOf),
)

/**
 * A cache as `relayPagination` has to see it. It leaves out pages that were read without arguments, which have null in
 * their place, and edges whose node was not selected or is null.
 */
function pagesIn(cache: Cache): Cache {
  const seen: Pick<Cache, 'inspectFields' | 'resolve'> = {
    inspectFields: (entity) =>
      cache
        .inspectFields(entity)
        .map((field) => (field.arguments ? field : { ...field, arguments: {} })),
    resolve(entity, field, args) {
      const value = cache.resolve(entity, field, Object.keys(args ?? {}).length > 0 ? args : null)
      return field === 'node' ? (value ?? entity) : value
    },
  }
  return Object.assign(Object.create(cache), seen)
}

function mapOf<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
