import { builder, type Context } from '../../../graphql/builder.ts'
import type { PageInfoShape } from '../../../graphql/connection.ts'
import { type Gap, positionBeside } from '../../../pagination/gap.ts'
import type { ListOrder, ListSource } from '../../../pagination/listPage.ts'
import { encodeMergedCursor } from '../../../pagination/mergedCursor.ts'
import type { Batch, MergedItem, MergedPage } from '../../../pagination/mergedPage.ts'
import { fetchListPage } from '../../../pagination/readList.ts'
import { badInput, GatewayError } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { chainAt } from '../height.ts'
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
  { signer, network }: Pick<Context, 'signer' | 'network'>,
  name: string,
  page: MergedPage<T>,
  request: {
    /** The address of the account in hex. */
    readonly account: string
    readonly isForward: boolean
    readonly cursor: string | null
    readonly heights: ListHeights
  },
): MultichainPage<T> {
  const { account, isForward, cursor, heights } = request
  const write = (places: ReadonlyMap<string, Gap>) => () => encodeMergedCursor(signer, name, places)
  const edges = page.items.flatMap((merged): MultichainEdge<T>[] => {
    const chain = network.chains.get(merged.list)
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

/** The chains with these IDs, or all. Throws `BAD_USER_INPUT` for a chain without an indexer. */
export function chosenChains(
  { network: { chains } }: Pick<Context, 'network'>,
  ids: readonly string[] | null | undefined,
): ReadonlyMap<string, ServedChain> {
  if (!ids) return chains
  const chosen = new Map([...chains].filter(([chainId]) => ids.includes(chainId)))
  const missing = ids.find((id) => !chains.has(id))
  if (missing === undefined) return chosen
  throw badInput('`filter.chains` names a chain without an indexer. `chains` has those with one.')
}

/** The heights that chains must have, of which a list names some. */
export interface MinHeightsArgs {
  readonly minHeights?:
    | readonly { readonly chainId: string; readonly height: bigint }[]
    | null
    | undefined
}

const ChainHeight = builder.inputType('ChainHeightInput', {
  description: 'A height of a chain.',
  fields: (t) => ({
    chainId: t.field({ type: 'ChainId', required: true, description: 'Chain ID.' }),
    height: t.field({ type: 'UInt53', required: true, description: 'Block height.' }),
  }),
})

/** The argument of lists over several chains that can wait for heights. */
export const minHeightsArg = () =>
  builder.args((t) => ({
    minHeights: t.field({
      type: [ChainHeight],
      description:
        'Waits until the indexers of these chains have these heights, such as those of transactions just sent. A chain that takes too long is in `unavailableChains`.',
    }),
  }))

/** The height that each chain must have. Throws `BAD_USER_INPUT` for a chain that is not in the list. */
export function minHeightsOf(
  { minHeights }: MinHeightsArgs,
  chains: ReadonlyMap<string, ServedChain>,
): ReadonlyMap<string, bigint> {
  const heights = new Map<string, bigint>()
  for (const { chainId, height } of minHeights ?? []) {
    if (!chains.has(chainId)) throw badInput('`minHeights` names a chain that is not in the list.')
    const known = heights.get(chainId)
    if (known === undefined || height > known) heights.set(chainId, height)
  }
  return heights
}

/** The chain once it has a height, if one is given, within a part of its share of the time. */
export const chainAfter = (
  context: Context,
  chain: ServedChain,
  minHeight: bigint | undefined,
): ServedChain | Promise<ServedChain> =>
  minHeight === undefined ? chain : chainAt(context, chain, minHeight, waitingShare)

/** The share of the time of an operation that one chain is waited for. It is a part of its share to answer. */
const waitingShare = 0.4

/** Which records of a list to read. */
interface BatchRequest {
  /** Waits until the indexer has it. */
  readonly minHeight: bigint | undefined
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
  const { gap, isForward, minHeight, heights } = request
  const from = positionBeside(gap, isForward)
  if (from === undefined) return { items: [], hasMore: false }
  try {
    const page = await withinShare(context, chain.chainId, async () => {
      const ready = await chainAfter(context, chain, minHeight)
      await heights.readBefore(ready)
      return fetchListPage(context, ready.indexer, source, { ...request, from })
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
