import { everyPosition, type Series } from '../world/series.ts'
import type { World } from '../world/world.ts'
import { HttpError, internalError } from './httpError.ts'
import {
  countedTotal,
  listBody,
  type Route,
  type RouteContext,
  readAccount,
  readHash,
  readHeight,
} from './httpRoute.ts'
import { type KeysetList, keysetCount, keysetPage, type Page } from './paging.ts'

/** Routes for native transactions. */
export const transactionRoutes: readonly Route[] = [
  {
    path: '/indexer/tx/v1/txs',
    summary: 'All transactions',
    isList: true,
    filters: ['msgs'],
    answer(context) {
      const request = context.page()
      const list = allTransactions(context.world)
      const filtered = messageFilter(context)
      if (filtered) return transactionList(context, { ...list, series: filtered })
      const page = keysetPage(request, list)
      return body(context.world, page, request.countTotal ? list.high : 0)
    },
  },
  {
    path: '/indexer/tx/v1/txs/by_account/{account}',
    summary: 'Transactions that name an account',
    isList: true,
    filters: ['msgs', 'is_signer'],
    answer(context, text) {
      context.page()
      const account = readAccount(context, text)
      if (messageFilter(context)) throw internalError()
      const onlySigned = context.query.get('is_signer') === 'true'
      const series = context.world.transactions.byAccount(account, onlySigned)
      return transactionList(context, { ...allTransactions(context.world), series })
    },
  },
  {
    path: '/indexer/tx/v1/txs/by_height/{height}',
    summary: 'Transactions of a block',
    isList: true,
    filters: ['msgs'],
    answer(context, text) {
      const request = context.page()
      const height = readHeight(text)
      const filtered = messageFilter(context)
      if (filtered && request.key.kind === 'sequence') throw internalError()
      const newest = allTransactions(context.world).high
      const { transactions } = context.world
      return transactionList(context, {
        field: 'sequence',
        series: filtered ?? everyPosition,
        low: transactions.lastAt(height - 1) + 1,
        high: Math.min(newest, transactions.lastAt(height)),
      })
    },
  },
  {
    path: '/indexer/tx/v1/txs/{tx_hash}',
    summary: 'One transaction',
    isList: false,
    answer({ world }, text) {
      const hash = readHash(text)
      const sequence = hash.length === 64 ? world.transactions.find(hash) : undefined
      if (!sequence || sequence > world.transactions.lastAt(world.height())) {
        throw new HttpError(404, '[NOT_FOUND] transaction not found')
      }
      return { tx: world.transactions.record(sequence) }
    },
  },
]

/** The list of all existing transactions. */
export function allTransactions(world: World): KeysetList {
  return { field: 'sequence', series: everyPosition, low: 1, high: world.transactions.lastAt(world.height()) }
}

/** A page of transactions with a total that has to be counted. */
export function transactionList(context: RouteContext, list: KeysetList): unknown {
  const request = context.page()
  const total = countedTotal(context, request, () => keysetCount(list))
  return body(context.world, keysetPage(request, list), total)
}

function body(world: World, page: Page<number>, total: number | string) {
  return listBody('txs', { ...page, rows: page.rows.map(world.transactions.record) }, total)
}

/** The transactions with a message of the `msgs` types. Undefined, so no filter, if no transaction has one: the real indexer ignores unknown types. */
function messageFilter({ world, query }: RouteContext): Series | undefined {
  const types = query.getAll('msgs')
  if (types.length === 0) return undefined
  const series = world.transactions.byMessages(types)
  return series.rank(world.transactions.lastAt(world.height())) > 0 ? series : undefined
}
