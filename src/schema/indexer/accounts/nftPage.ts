import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../../engine/graphql/builder.ts'
import type { CursorArgs } from '../../../engine/graphql/pageArgs.ts'
import { List } from '../../../engine/pagination/list.ts'
import { scanLimit, scanPage } from '../../../engine/pagination/page.ts'
import type { ListSource } from '../../../engine/pagination/source.ts'
import { badInput } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Listed, readable, UnreadableRecord } from '../../../engine/wire/decode.ts'
import type { AccountShape } from '../../account/account.ts'
import { checkAddress, indexedAddress } from '../../account/address.ts'
import { areTied, keyInCollection, listWindow } from '../nft/listOrder.ts'
import {
  accountCollectionsPath,
  accountTokensPath,
  collectionsPage,
  type TokenRecord,
  tokensPage,
} from '../nft/wire.ts'
import { withinShare } from './chainShare.ts'
import {
  type BatchRequest,
  type ChainBatch,
  chosenChains,
  type MultichainPage,
  maxFilteredReads,
  readBatch,
  readMultichain,
} from './multichainList.ts'

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

const keepLetters = (name: string): string => name.replace(/[^\p{L}\p{M}\p{N}]/gu, '').toLowerCase()

/** Reads a page of the NFTs of an account, chain by chain, and by token id on each. */
export function readNfts(
  { bytes, chains: all }: AccountShape,
  args: NftArgs,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<NftsPage> {
  const { chainIds, collection, search } = args.filter ?? {}
  const chains = chosenChains(all, chainIds)
  const part = search == null ? null : keepLetters(search)
  if (part === '') throw badInput('`filter.search` must contain a letter or a number.')
  const ids = [...chains.keys()].toSorted()
  const account = `0x${bytes}`
  const wanted = new Map<number, ReadonlySet<string>>()
  const isWanted = ({ index, token }: ChainToken) =>
    token instanceof UnreadableRecord || wanted.get(index)?.has(token.collection_addr.toLowerCase()) === true
  return readMultichain<ChainToken>(context, info, args, {
    name: `nfts of ${JSON.stringify([bytes, ids, collection ?? null, part])}`,
    account,
    chains,
    // Pages are found by counting, so NFTs that arrive meanwhile can be anywhere.
    fixedEnds: ['start', 'end'],
    compare: (a, b) => a.index - b.index,
    isChained: true,
    filter: part === null ? undefined : isWanted,
    maxReads: part === null ? 2 : maxFilteredReads,
    isHeldBack: false,
    async read(chain, request, index) {
      const address = await indexedAddress(context, chain, account)
      const source = toTokens(chain, address, collection)
      if (part === null) return readTokens(context, chain, source, request, index)
      const named = wanted.get(index) ?? (await readNamed(context, chain, address, part))
      if ('error' in named) return named
      wanted.set(index, named)
      if (named.size === 0) return { items: [], hasMore: false }
      return readTokens(context, chain, source, { ...request, count: scanPage }, index)
    },
  })
}

/** The list of the NFTs of an account on a chain, or of those in one collection. */
const toTokens = (
  chain: ServedChain,
  account: string,
  collection: string | null | undefined,
): ListSource<Listed<TokenRecord>> => ({
  path: accountTokensPath(account),
  query: {
    order_by: 'token_id',
    collection_addr: collection ? checkAddress(chain, collection) : undefined,
  },
  page: tokensPage,
  ...(collection == null
    ? { strategy: { kind: 'offset' }, window: listWindow, isTied: areTied }
    : { strategy: { kind: 'record', keyOf: keyInCollection } }),
  total: 'none',
})

async function readTokens(
  context: Context,
  chain: ServedChain,
  source: ListSource<Listed<TokenRecord>>,
  request: BatchRequest,
  index: number,
): Promise<ChainBatch<ChainToken>> {
  const batch = await readBatch(context, chain, source, { ...request, order: 'ASC' })
  if ('error' in batch) return batch
  const items = batch.items.map(({ item: token, position }) => ({
    item: { index, token },
    position,
  }))
  return { ...batch, items }
}

/** The result of `collectionsNamed` within the chain's share of time, or the error. */
const readNamed = (context: Context, chain: ServedChain, account: string, part: string) =>
  withinShare(context, chain.chainId, () => collectionsNamed(context, chain, account, part)).catch(
    (error: unknown) => ({ error }),
  )

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
  const request = { count: scanLimit, isForward: true, from: null }
  const page = await new List(context.scope, indexer, source, 'ASC').read(request)
  const matching = readable(page?.items.map(({ item }) => item) ?? []).filter(({ collection }) =>
    [collection.name, collection.origin_name].some((name) => keepLetters(name ?? '').includes(part)),
  )
  return new Set(matching.map(({ object_addr }) => object_addr.toLowerCase()))
}
