import { stringifyVariables } from '@urql/core'
import type {
  Cache,
  CacheExchangeOpts,
  FieldInfo,
  KeyingConfig,
  ResolveInfo,
  Resolver,
  Variables,
} from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { lists, records, values } from './generated/tables.ts'

/** The key of a record is its `id`. One that was read without it stays in its place, like a value. */
const idOf: KeyingConfig[string] = ({ id }) => (typeof id === 'string' ? id : null)

/** Keys for the `cacheExchange` of graphcache. Only records have one. */
export const keys: KeyingConfig = Object.fromEntries([
  ...records.map((name) => [name, idOf] as const),
  ...values.map((name) => [name, () => null] as const),
])

/**
 * A resolver for the pages of a list, also of one without arguments, of edges without a node, or that is null. Pages
 * that do not belong together, such as first pages of different sizes, are not joined.
 */
function pagesOf(): Resolver {
  const join = relayPagination()
  return (parent, args, cache, info) => {
    const pages = pagesIn(cache, args, info)
    const { parentKey, fieldName } = info
    return join(parent, args, pages, info) ?? pages.resolve(parentKey, fieldName, args)
  }
}

/** Resolvers for the `cacheExchange` of graphcache: the pages of each list form one list. */
export const resolvers: NonNullable<CacheExchangeOpts['resolvers']> = mapOf(lists, (fields) => mapOf(fields, pagesOf))

/**
 * A cache as `relayPagination` has to see it. It leaves out pages that were read without arguments, which have null in
 * their place, and edges whose node was not selected or is null.
 */
function pagesIn(cache: Cache, asked: Variables, { fieldName }: ResolveInfo): Cache {
  const seen: Pick<Cache, 'inspectFields' | 'resolve'> = {
    inspectFields(entity) {
      const pages = cache
        .inspectFields(entity)
        .filter((field) => field.fieldName === fieldName)
        .map((field) => ({ ...field, arguments: field.arguments ?? {} }))
      return chainOf(pages, asked, ({ fieldKey }, cursor) => {
        const page = cache.resolve(entity, fieldKey)
        const info = typeof page === 'string' && cache.resolve(page, 'pageInfo')
        return typeof info === 'string' ? cache.resolve(info, cursor) : undefined
      })
    },
    resolve(entity, field, args) {
      const value = cache.resolve(entity, field, Object.keys(args ?? {}).length > 0 ? args : null)
      return field === 'node' ? (value ?? entity) : value
    },
  }
  return Object.assign(Object.create(cache), seen)
}

type Page = FieldInfo & { readonly arguments: Variables }
type CursorOf = (page: Page, name: 'startCursor' | 'endCursor') => unknown

/** The page that is asked for, if it was read, with those that lead to it, and those that lead on from it. */
function chainOf(pages: readonly Page[], asked: Variables, cursorOf: CursorOf): Page[] {
  const isNext = ({ after, before }: Variables, page: Page) =>
    (typeof after === 'string' && after === cursorOf(page, 'endCursor')) ||
    (typeof before === 'string' && before === cursorOf(page, 'startCursor'))
  const key = stringifyVariables(asked)
  const chain = new Set(pages.filter((page) => stringifyVariables(page.arguments) === key))
  // A set hands out what is added to it meanwhile.
  for (const page of chain) {
    for (const next of pages) if (isNext(next.arguments, page)) chain.add(next)
  }
  for (let at: Variables | undefined = asked; at; ) {
    const before = pages.find((page) => !chain.has(page) && isNext(at ?? {}, page))
    if (before) chain.add(before)
    at = before?.arguments
  }
  return pages.filter((page) => chain.has(page))
}

function mapOf<From, To>(object: Readonly<Record<string, From>>, change: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
