import type { CacheExchangeOpts, KeyingConfig, Resolver } from '@urql/exchange-graphcache'
import { relayPagination } from '@urql/exchange-graphcache/extras'
import { lists, records, values } from './generated/tables.ts'

/** The key of a record is its `id`. One that was read without it stays in its place, like a value. */
const idOf: KeyingConfig[string] = ({ id }) => (typeof id === 'string' ? id : null)

/** Keys for the `cacheExchange` of graphcache. Only records have one. */
export const keys: KeyingConfig = Object.fromEntries([
  ...records.map((name) => [name, idOf] as const),
  ...values.map((name) => [name, () => null] as const),
])

/** Resolvers for the `cacheExchange` of graphcache: the pages of each list form one list. */
export const resolvers: NonNullable<CacheExchangeOpts['resolvers']> = mapOf(lists, (fields) =>
  mapOf(fields, (): Resolver => relayPagination()),
)

function mapOf<From, To>(
  object: Readonly<Record<string, From>>,
  change: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
