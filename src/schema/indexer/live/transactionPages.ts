import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { fetchPage } from '../../../engine/pagination/page.ts'
import { isShortPage, learntCaps } from '../../../engine/pagination/pageCaps.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { get, type Path } from '../../../engine/upstream/request.ts'
import type { RequestScope } from '../../../engine/upstream/requestScope.ts'
import type { Listed } from '../../../engine/wire/decode.ts'
import { type TransactionRecord, transactionsPage } from '../transaction/wire.ts'

/** A page of a list of transactions. Empty if the indexer does not serve the list. */
export interface TransactionPage {
  readonly items: readonly Listed<TransactionRecord>[]
  readonly nextKey: string | null
  /** Whether it has fewer records than the list would give. */
  readonly isShort: boolean
}

/** Which page of a list of transactions to read. */
interface PageOptions {
  readonly key?: string | undefined
  readonly limit: number
  /** Whether the newest come first. */
  readonly isReverse: boolean
}

/** Reads a page of a list of transactions. */
export type ReadPage = (
  path: Path | string,
  options: PageOptions,
  signal: RequestScope['signal'],
) => Promise<TransactionPage>

/** Transactions of one request. */
export const pageSize = 100

/** Reads lists of transactions of a chain for subscriptions. */
export function openPages({ indexer }: ServedChain, { cache, peers }: Pick<LiveContext, 'cache' | 'peers'>): ReadPage {
  const upstream = peers.over(indexer)
  return async (path, { key, limit: wanted, isReverse }, signal) => {
    const caps = learntCaps(cache, upstream.source, path)
    const list = {
      caps,
      fetchPage: ({ limit }: { readonly limit: number }) =>
        upstream.send(
          get(path, transactionsPage, {
            query: {
              'pagination.key': key,
              'pagination.limit': limit,
              'pagination.reverse': isReverse,
              'pagination.count_total': false,
            },
          }),
          signal,
        ),
    }
    const page = await fetchPage(list, { limit: wanted, isReverse })
    if (page === null) return { items: [], nextKey: null, isShort: true }
    const { items, nextKey } = page
    return { items, nextKey, isShort: isShortPage(caps.current(), page, wanted) }
  }
}

/** Reasons of errors that no retry can mend. */
const reasons: readonly unknown[] = ['NO_SEQUENCES', 'TOO_FAR_BACK']

/** The error for a chain whose new transactions cannot be distinguished from older ones. */
export const unsupported = (chainId: string): GatewayError =>
  new GatewayError(
    'UPSTREAM_REJECTED',
    `The indexer of ${chainId} neither numbers its transactions nor lists the newest first, so new ones cannot be followed.`,
    { service: chainId, reason: 'NO_SEQUENCES' },
  )

/** The error for an account that has too many transactions since a place, where they have to be read back to it. */
export const tooFarBack = (chainId: string): GatewayError =>
  new GatewayError(
    'UPSTREAM_REJECTED',
    `The account has more transactions on ${chainId} since this cursor than can be read back. Start without a cursor there.`,
    { service: chainId, reason: 'TOO_FAR_BACK' },
  )

/** Whether no retry can succeed after an error. */
export const isFinal = (error: unknown): boolean => error instanceof GatewayError && reasons.includes(error.reason)
