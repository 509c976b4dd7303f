import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { PageInfoShape } from '../../../engine/graphql/connection.ts'
import { type CursorArgs, readCursorArgs } from '../../../engine/graphql/pageArgs.ts'
import { type Boundary, positionBeside } from '../../../engine/pagination/cursor.ts'
import { List } from '../../../engine/pagination/list.ts'
import { decodeMergedCursor, encodeMergedCursor } from '../../../engine/pagination/mergedCursor.ts'
import { type Batch, type MergedItem, type MergeRequest, mergePage } from '../../../engine/pagination/mergedPage.ts'
import type { ListOrder, ListSource } from '../../../engine/pagination/source.ts'
import { badInput, GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { withinShare } from './chainShare.ts'
import { type ListHeight, type ListHeights, openListHeights } from './listHeights.ts'
import { reportUnavailable, type UnavailableChainShape, unavailableChains } from './unavailable.ts'

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

/** The most reads of each chain for one page with a filter: enough to find few records. */
export const maxFilteredReads = 3

/** A list over several chains, and how its chains are read. */
interface MultichainList<T>
  extends Pick<
    MergeRequest<T>,
    'fixedEnds' | 'compare' | 'isChained' | 'filter' | 'maxReads' | 'canReadOn' | 'isHeldBack'
  > {
  /** The cursors are signed for it. */
  readonly name: string
  /** The address of the account in hex. */
  readonly account: string
  readonly chains: ReadonlyMap<string, ServedChain>
  /** Reads records of a chain. `index` is its place among the chains. */
  readonly read: (chain: ServedChain, request: BatchRequest, index: number) => Promise<ChainBatch<T>>
}

/** The records that were read from a chain, or why it cannot be read. */
export type ChainBatch<T> = Batch<T> | { readonly error: unknown }

/** Reads a page of a list over several chains. */
export async function readMultichain<T>(
  context: Context,
  info: GraphQLResolveInfo,
  args: CursorArgs,
  { name, account, chains, read, ...merge }: MultichainList<T>,
): Promise<MultichainPage<T>> {
  const { signer } = context
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const heights = openListHeights(context, info)
  const page = await mergePage<T>({
    ...merge,
    lists: [...chains].map(([chainId, chain], index) => ({
      name: chainId,
      read: (boundary) => read(chain, { heights, isForward, count, boundary }, index),
    })),
    from: cursor === null ? new Map() : decodeMergedCursor(signer, name, cursor),
    count,
    isForward,
  })
  const write = (places: ReadonlyMap<string, Boundary>) => () => encodeMergedCursor(signer, name, places)
  const edges = page.items.flatMap((merged): MultichainEdge<T>[] => {
    const chain = chains.get(merged.list)
    const at = () => encodeMergedCursor(signer, name, merged.places())
    return chain ? [{ account, chain, merged, cursor: at }] : []
  })
  const [first, last] = [edges[0], edges.at(-1)]
  const far = last && !page.isPastItems ? last.cursor : write(page.end)
  const near = first?.cursor ?? far
  const unavailable = unavailableChains(page.errors)
  reportUnavailable(context, info, unavailable)
  return {
    edges: isForward ? edges : edges.toReversed(),
    pageInfo: {
      hasNextPage: isForward ? page.hasMore : cursor !== null,
      hasPreviousPage: isForward ? cursor !== null : page.hasMore,
      start: isForward ? near : far,
      end: isForward ? far : near,
    },
    unavailable,
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
export interface BatchRequest {
  readonly heights: ListHeights
  readonly isForward: boolean
  readonly count: number
  readonly boundary: Boundary
}

/** Reads a page of one chain. Resolves to an error if the chain does not answer within its share of the time. */
export async function readBatch<T>(
  context: Context,
  chain: ServedChain,
  source: ListSource<T>,
  request: BatchRequest & { readonly order: ListOrder },
): Promise<ChainBatch<T>> {
  const { boundary, isForward, heights } = request
  const from = positionBeside(boundary, isForward)
  if (from === undefined) return { items: [], hasMore: false }
  try {
    const page = await withinShare(context, chain.chainId, async () => {
      await heights.readBefore(chain)
      return new List(context.scope, chain.indexer, source, request.order).read({
        ...request,
        from,
      })
    })
    if (page === null) return { items: [], hasMore: false }
    return isForward
      ? { items: page.items, hasMore: page.hasNextPage }
      : { items: page.items.toReversed(), hasMore: page.hasPreviousPage }
  } catch (error) {
    // A mistake of the client is an error of the whole list.
    if (error instanceof GatewayError && error.code === 'BAD_USER_INPUT') throw error
    return { error }
  }
}
