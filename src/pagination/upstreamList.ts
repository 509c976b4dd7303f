import type { z } from 'zod'
import type { CacheStore } from '../cache/cache.ts'
import type { Upstream } from '../upstream/client.ts'
import type { Page } from '../upstream/decode.ts'
import { get, type Path, type Query } from '../upstream/request.ts'
import type { RequestScope } from '../upstream/requestScope.ts'
import { learntCaps } from './pageCaps.ts'
import type { UpstreamList } from './source.ts'

/** What reading a list needs of an operation's context. */
export interface ListContext {
  readonly scope: RequestScope
  readonly cache: CacheStore
}

/** The pages of a list in one order, each fetched once in an operation. */
export const upstreamList = <T>(
  { scope, cache }: ListContext,
  upstream: Upstream,
  {
    path,
    query = {},
    page,
  }: { path: Path | string; query?: Query | undefined; page: z.ZodType<Page<T>> },
  order: 'ASC' | 'DESC',
): Pick<UpstreamList<T>, 'isDescending' | 'caps' | 'fetchPage'> => ({
  isDescending: order === 'DESC',
  caps: learntCaps(cache, upstream.service, path, filterNames(query)),
  fetchPage: ({ key, offset, limit, isReverse }) =>
    scope.fetch(
      upstream,
      get(path, page, {
        query: {
          ...query,
          'pagination.key': key,
          'pagination.offset': offset,
          'pagination.limit': limit,
          'pagination.reverse': isReverse,
          'pagination.count_total': false,
        },
      }),
    ),
})

const filterNames = (query: Query): string[] =>
  Object.keys(query).filter((name) => query[name] !== undefined)
