import { toBech32 } from '../address.ts'
import type { CollectionRecord, TokenRecord } from '../world/nfts.ts'
import { lastSequence } from '../world/schedule.ts'
import { HttpError, internalError } from './httpError.ts'
import { countedTotal, listBody, type Route, type RouteContext, readAccount, readCollection } from './httpRoute.ts'
import { boundedPage, offsetPage, type Page, type PageRequest } from './paging.ts'
import { allTransactions, transactionList } from './transactions.ts'

/** Routes for NFT collections, their tokens, and the transactions of a token. */
export const nftRoutes: readonly Route[] = [
  {
    path: '/indexer/nft/v1/collections',
    summary: 'All collections',
    isList: true,
    answer(context) {
      const request = context.page()
      const rows = collectionsOf(context)
      // The real indexer returns the estimate of its database, which lags behind.
      const total = request.countTotal ? Math.max(0, rows.length - 1) : 0
      return listBody('collections', collectionPage(request, rows), total)
    },
  },
  {
    path: '/indexer/nft/v1/collections/by_account/{account}',
    summary: 'Collections of which an account owns a token',
    isList: true,
    answer(context, text) {
      const request = context.page()
      const owner = ownerOf(context, text)
      if (request.key.kind === 'misfit' && request.key.of === 'height') throw internalError()
      const addresses = new Set(
        tokensOf(context)
          .filter((token) => token.owner === owner)
          .map((token) => token.collection_addr),
      )
      const rows = collectionsOf(context).filter(({ object_addr }) => addresses.has(object_addr))
      const total = request.countTotal ? rows.length : 0
      return listBody('collections', collectionPage(request, rows), total)
    },
  },
  {
    path: '/indexer/nft/v1/collections/by_name/{name}',
    summary: 'Collections whose name contains a text',
    isList: true,
    answer(context, name) {
      const request = context.page()
      const part = normalizeName(name)
      const rows = collectionsOf(context).filter(({ collection }) =>
        [collection.name, collection.origin_name].some((text) => normalizeName(text).includes(part)),
      )
      // As in the real indexer, a height key always returns the first page, with a height key again.
      const page =
        request.key.kind === 'height'
          ? boundedPage(request, rows, 0, ({ height }) => ({ height }))
          : offsetPage(request, rows)
      return listBody('collections', page, rows.length)
    },
  },
  {
    path: '/indexer/nft/v1/collections/{collection_addr}',
    summary: 'One collection',
    isList: false,
    answer(context, text) {
      const address = readCollection(context, text)
      const collection = collectionsOf(context).find(({ object_addr }) => object_addr === address)
      if (!collection) throw new HttpError(404, 'nft collection not found')
      return { collection }
    },
  },
  {
    path: '/indexer/nft/v1/tokens/by_account/{account}',
    summary: 'Tokens an account owns',
    isList: true,
    filters: ['collection_addr', 'token_id', 'order_by'],
    answer(context, text) {
      context.page()
      const owner = ownerOf(context, text)
      const collection = context.query.get('collection_addr')
      const address = collection ? readCollection(context, collection) : undefined
      return tokenList(context, (token) => token.owner === owner && (!address || token.collection_addr === address))
    },
  },
  {
    path: '/indexer/nft/v1/tokens/by_collection/{collection_addr}',
    summary: 'Tokens of a collection',
    isList: true,
    filters: ['token_id', 'order_by'],
    answer(context, text) {
      context.page()
      const address = readCollection(context, text)
      return tokenList(context, (token) => token.collection_addr === address)
    },
  },
  {
    path: '/indexer/nft/v1/txs/{collection_addr}/{token_id}',
    summary: 'Transactions of a token',
    isList: true,
    answer(context, text, tokenId) {
      context.page()
      const series = context.world.nfts.transactionsOf(readCollection(context, text), tokenId)
      const list = allTransactions(context.world)
      const { transactions } = context.world
      return transactionList(
        context,
        series ? { ...list, series: transactions.ofTraffic(series) } : { ...list, high: 0 },
      )
    },
  },
]

function collectionsOf({ world }: RouteContext): readonly CollectionRecord[] {
  return world.nfts.collections(lastSequence(world.height()))
}

function tokensOf({ world }: RouteContext): readonly TokenRecord[] {
  return world.nfts.tokens(lastSequence(world.height()))
}

function ownerOf(context: RouteContext, text: string): string {
  return toBech32(context.world.chain.bech32Prefix, readAccount(context, text))
}

function collectionPage(request: PageRequest, rows: readonly CollectionRecord[]): Page<CollectionRecord> {
  const { key } = request
  if (key.kind !== 'height') return offsetPage(request, rows)
  const bounded = rows.filter(({ height }) => isAfterKey(request, height - key.value))
  return boundedPage(request, bounded, 0, ({ height }) => ({ height }))
}

function tokenList(context: RouteContext, matches: (token: TokenRecord) => boolean) {
  const request = context.page()
  const order = readOrder(context.query)
  const tokenId = context.query.get('token_id')
  if (tokenId?.includes('\u0000')) throw internalError()
  const rows = tokensOf(context)
    .filter((token) => matches(token) && (!tokenId || token.nft.token_id === tokenId))
    .sort(order)
  const total = countedTotal(context, request, () => rows.length)
  return listBody('tokens', tokenPage(request, rows, order), total)
}

type Cursor = Pick<TokenRecord, 'height'> & { readonly nft: { readonly token_id: string } }

function tokenPage(
  request: PageRequest,
  rows: readonly TokenRecord[],
  order: (a: Cursor, b: Cursor) => number,
): Page<TokenRecord> {
  const { key, offset } = request
  if (key.kind === 'token') {
    const start = { height: key.value, nft: { token_id: key.tokenId } }
    const bounded = rows.filter((row) => isAfterKey(request, order(row, start)))
    return boundedPage(request, bounded, 0, ({ height, nft }) => ({
      height,
      token_id: nft.token_id,
    }))
  }
  if (key.kind === 'height') {
    const bounded = rows.filter(({ height }) => isAfterKey(request, height - key.value))
    return boundedPage(request, bounded, offset, ({ height }) => ({ height }))
  }
  return offsetPage(request, rows)
}

/** Whether a row comes after the row of the key in the requested direction, given how the two compare. */
function isAfterKey({ reverse }: PageRequest, comparison: number): boolean {
  return reverse ? comparison < 0 : comparison > 0
}

function readOrder(query: URLSearchParams): (a: Cursor, b: Cursor) => number {
  const orderBy = query.get('order_by') ?? ''
  const byText = (a: Cursor, b: Cursor) => compareText(a.nft.token_id, b.nft.token_id)
  const byHeight = (a: Cursor, b: Cursor) => a.height - b.height
  switch (orderBy.trim().toLowerCase()) {
    case '':
    case 'token_id':
      return (a, b) => byText(a, b) || byHeight(a, b)
    case 'height':
      return (a, b) => byHeight(a, b) || byText(a, b)
    default:
      throw new HttpError(400, `invalid order_by value '${orderBy}', must be one of: token_id, height`)
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Names are compared by their letters, marks and numbers only, each in lower case by itself. */
function normalizeName(name: string): string {
  const kept = name.replace(/[^\p{L}\p{M}\p{N}]/gu, '')
  // One character becomes one: `İ` has no dot beside it, and a final sigma is like any other.
  return Array.from(kept, (character) => Array.from(character.toLowerCase())[0]).join('')
}
