import type { Context } from '../../../graphql/builder.ts'
import type { PageInfoShape } from '../../../graphql/connection.ts'
import { type Gap, positionBeside } from '../../../pagination/gap.ts'
import type { ListOrder, ListSource } from '../../../pagination/listPage.ts'
import { encodeMergedCursor } from '../../../pagination/mergedCursor.ts'
import type { Batch, MergedItem, MergedPage } from '../../../pagination/mergedPage.ts'
import { fetchListPage } from '../../../pagination/readList.ts'
import { badInput, GatewayError } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { withinShare } from './chainShare.ts'
import type { ListHeight, ListHeights } from './listHeights.ts'
import { type UnavailableChainShape, unavailableChains } from './unavailable.ts'

/** A record on a page of a list over several chains. */
export interface MultichainEdge<T> {
  /** The address of the account in hex. */
  readonly account: string
  readonly chain: ServedChain
  readonly merged: MergedItem<T>
  readonly cursor: () => string
}

/** A page of a list over several chains. */
export interface MultichainPage<T> {
  readonly edges: readonly MultichainEdge<T>[]
  readonly pageInfo: PageInfoShape
  readonly unavailable: readonly UnavailableChainShape[]
  /** Of the chains that were read, if they are selected. */
  readonly heights: readonly ListHeight[]
}

/** The graph's value for a merged page. Its cursors are signed for the name of the list. */
export function multichainPage<T>(
  signer: Context['signer'],
  name: string,
  page: MergedPage<T>,
  request: {
    /** The address of the account in hex. */
    readonly account: string
    readonly chains: ReadonlyMap<string, ServedChain>
    readonly isForward: boolean
    readonly cursor: string | null
    readonly heights: ListHeights
  },
): MultichainPage<T> {
  const { account, chains, isForward, cursor, heights } = request
  const write = (places: ReadonlyMap<string, Gap>) => () => encodeMergedCursor(signer, name, places)
  const edges = page.items.flatMap((merged): MultichainEdge<T>[] => {
    const chain = chains.get(merged.list)
    const at = () => encodeMergedCursor(signer, name, merged.places())
    return chain ? [{ account, chain, merged, cursor: at }] : []
  })
  const [first, last] = [edges[0], edges.at(-1)]
  const far = last && !page.isPastItems ? last.cursor : write(page.end)
  const near = first?.cursor ?? far
  return {
    edges: isForward ? edges : edges.toReversed(),
    pageInfo: {
      hasNextPage: isForward ? page.hasMore : cursor !== null,
      hasPreviousPage: isForward ? cursor !== null : page.hasMore,
      start: isForward ? near : far,
      end: isForward ? far : near,
    },
    unavailable: unavailableChains(page.errors),
    heights: heights.all,
  }
}

/** The chains with these IDs, or all of them. Throws `BAD_USER_INPUT` for a chain without an indexer. */
export function chosenChains(
  chains: ReadonlyMap<string, ServedChain>,
  ids: readonly string[] | null | undefined,
): ReadonlyMap<string, ServedChain> {
  if (!ids) return chains
  const chosen = new Map([...chains].filter(([chainId]) => ids.includes(chainId)))
  const missing = ids.find((id) => !chains.has(id))
  if (missing === undefined) return chosen
  throw badInput(
    '`filter.chainIds` names a chain without an indexer. `Query.chains` has those with one.',
    'CHAIN_NOT_INDEXED',
  )
}

/** Which records of a list to read. */
interface BatchRequest {
  readonly heights: ListHeights
  readonly order: ListOrder
  readonly isForward: boolean
  readonly count: number
  readonly gap: Gap
}

/** Reads a page of one chain. Resolves to an error if the chain does not answer within its share of the time. */
export async function readBatch<T>(
  context: Context,
  chain: ServedChain,
  source: ListSource<T>,
  request: BatchRequest,
): Promise<Batch<T> | { readonly error: unknown }> {
  const { gap, isForward, heights } = request
  const from = positionBeside(gap, isForward)
  if (from === undefined) return { items: [], hasMore: false }
  try {
    const page = await withinShare(context, chain.chainId, async () => {
      await heights.readBefore(chain)
      return fetchListPage(context, chain.indexer, source, { ...request, from })
    })
    if (page === null) return { items: [], hasMore: false }
    return isForward
      ? { items: page.items, hasMore: page.hasNextPage }
      : { items: page.items.toReversed(), hasMore: page.hasPreviousPage }
  } catch (error) {
    // What the client did wrong is an error of the whole list.
    if (error instanceof GatewayError && error.code === 'BAD_USER_INPUT') throw error
    return { error }
  }
}
