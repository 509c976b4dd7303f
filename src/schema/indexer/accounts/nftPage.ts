import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../../graphql/builder.ts'
import { type CursorArgs, readCursorArgs } from '../../../graphql/pageArgs.ts'
import type { Gap } from '../../../pagination/gap.ts'
import type { ListSource } from '../../../pagination/listPage.ts'
import { decodeMergedCursor } from '../../../pagination/mergedCursor.ts'
import { type Batch, type MergedList, mergePage } from '../../../pagination/mergedPage.ts'
import { fetchListPage } from '../../../pagination/readList.ts'
import { scanLimit, scanPage } from '../../../pagination/source.ts'
import { badInput } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { type Listed, readable, UnreadableRecord } from '../../../wire/decode.ts'
import type { AccountShape } from '../../account/account.ts'
import { checkAddress } from '../../account/address.ts'
import { areTied, keyInCollection, listWindow } from '../nft/listOrder.ts'
import {
  accountCollectionsPath,
  accountTokensPath,
  collectionsPage,
  type TokenRecord,
  tokensPage,
} from '../nft/wire.ts'
import { withinShare } from './chainShare.ts'
import { openListHeights } from './listHeights.ts'
import { chosenChains, type MultichainPage, multichainPage, readBatch } from './multichainList.ts'

/** An NFT of a chain, which is known by its index in the order of the list. */
interface ChainToken {
  readonly index: number
  readonly token: Listed<TokenRecord>
}

/** A page of the NFTs of an account on several chains. */
export type NftsPage = MultichainPage<ChainToken>

interface NftFilter {
  readonly chainIds?: readonly string[] | null | undefined
  readonly collection?: string | null | undefined
  readonly search?: string | null | undefined
}

interface NftArgs extends CursorArgs {
  readonly filter?: NftFilter | null | undefined
}

/** How often one page reads each chain with a filter. */
const maxFilteredReads = 3

const lettersOf = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}]/gu, '').toLowerCase()

/** Reads a page of the NFTs of an account, chain by chain, and by token id on each. */
export async function readNfts(
  { bytes, chains: all }: AccountShape,
  args: NftArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<NftsPage> {
  const { count, isForward, cursor } = readCursorArgs(args, context)
  const { chainIds, collection, search } = args.filter ?? {}
  const chains = chosenChains(all, chainIds)
  const part = search == null ? null : lettersOf(search)
  if (part === '') throw badInput('`filter.search` must contain a letter or a number.')
  const ids = [...chains.keys()].toSorted()
  const name = `nfts of ${JSON.stringify([bytes, ids, collection ?? null, part])}`
  const address = `0x${bytes}`
  const heights = openListHeights(context, info)
  const wanted = new Map<number, ReadonlySet<string>>()
  const read = async (
    chain: ServedChain,
    index: number,
    gap: Gap,
  ): Promise<Batch<ChainToken> | { readonly error: unknown }> => {
    const source: ListSource<Listed<TokenRecord>> = {
      path: accountTokensPath(address),
      query: {
        order_by: 'token_id',
        collection_addr: collection ? checkAddress(chain, collection) : undefined,
      },
      page: tokensPage,
      ...(collection == null
        ? { strategy: { kind: 'offset' }, window: listWindow, isTied: areTied }
        : { strategy: { kind: 'record', keyOf: keyInCollection } }),
      total: 'none',
    }
    if (part !== null && !wanted.has(index)) {
      try {
        const named = await withinShare(context, chain.chainId, () =>
          collectionsNamed(context, chain, address, part),
        )
        wanted.set(index, named)
      } catch (error) {
        return { error }
      }
    }
    if (wanted.get(index)?.size === 0) return { items: [], hasMore: false }
    const size = part === null ? count : scanPage
    const request = { order: 'ASC', isForward, count: size, gap, heights } as const
    const batch = await readBatch(context, chain, source, request)
    if ('error' in batch) return batch
    const items = batch.items.map(({ item: token, position }) => ({
      item: { index, token },
      position,
    }))
    return { ...batch, items }
  }
  const page = await mergePage<ChainToken>({
    lists: [...chains].map(
      ([chainId, chain], index): MergedList<ChainToken> => ({
        name: chainId,
        read: (gap) => read(chain, index, gap),
      }),
    ),
    from: cursor === null ? new Map() : decodeMergedCursor(context.signer, name, cursor),
    count,
    isForward,
    // Pages are found by counting, so NFTs that arrive meanwhile can be anywhere.
    fixedEnds: ['start', 'end'],
    compare: (a, b) => a.index - b.index,
    isChained: true,
    filter:
      part === null
        ? undefined
        : ({ index, token }) =>
            token instanceof UnreadableRecord ||
            wanted.get(index)?.has(token.collection_addr.toLowerCase()) === true,
    maxReads: part === null ? 2 : maxFilteredReads,
    isHeldBack: false,
  })
  return multichainPage(context.signer, name, page, {
    account: address,
    chains,
    isForward,
    cursor,
    heights,
  })
}

/** The addresses of the collections of an account whose name or origin name contains a part. */
async function collectionsNamed(
  context: Context,
  { indexer }: ServedChain,
  address: string,
  part: string,
): Promise<ReadonlySet<string>> {
  const source = {
    path: accountCollectionsPath(address),
    page: collectionsPage,
    strategy: { kind: 'offset' },
    total: 'none',
  } as const
  const request = { order: 'ASC', count: scanLimit, isForward: true, from: null } as const
  const page = await fetchListPage(context, indexer, source, request)
  const matching = readable(page?.items.map(({ item }) => item) ?? []).filter(({ collection }) =>
    [collection.name, collection.origin_name].some((name) => lettersOf(name).includes(part)),
  )
  return new Set(matching.map(({ object_addr }) => object_addr.toLowerCase()))
}
