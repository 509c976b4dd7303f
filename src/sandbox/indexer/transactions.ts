import { lastSequence } from '../world/schedule.ts'
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
import { type KeysetList, keysetCount, keysetPage } from './paging.ts'

/** The chain-native transactions. */
export const transactionRoutes: readonly Route[] = [
  {
    path: '/indexer/tx/v1/txs',
    summary: 'All transactions',
    isList: true,
    filters: ['msgs'],
    answer(question) {
      const request = question.page()
      const list = allTransactions(question.world)
      const filtered = messageFilter(question)
      if (filtered) return transactionList(question, { ...list, series: filtered })
      const found = keysetPage(request, list)
      return body(question.world, found, request.countTotal ? list.high : 0)
    },
  },
  {
    path: '/indexer/tx/v1/txs/by_account/{account}',
    summary: 'Transactions that name an account',
    isList: true,
    filters: ['msgs', 'is_signer'],
    answer(question, text) {
      question.page()
      const account = readAccount(question, text)
      if (messageFilter(question)) throw internalError()
      const onlySigned = question.query.get('is_signer') === 'true'
      const series = question.world.transactions.byAccount(account, onlySigned)
      return transactionList(question, { ...allTransactions(question.world), series })
    },
  },
  {
    path: '/indexer/tx/v1/txs/by_height/{height}',
    summary: 'Transactions of a block',
    isList: true,
    filters: ['msgs'],
    answer(question, text) {
      const request = question.page()
      const height = readHeight(text)
      const filtered = messageFilter(question)
      if (filtered && request.key.kind === 'sequence') throw internalError()
      const newest = allTransactions(question.world).high
      return transactionList(question, {
        field: 'sequence',
        series: filtered ?? everyPosition,
        low: lastSequence(height - 1) + 1,
        high: Math.min(newest, lastSequence(height)),
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
      if (!sequence || sequence > lastSequence(world.height())) {
        throw new HttpError(404, '[NOT_FOUND] transaction not found')
      }
      return { tx: world.transactions.record(sequence) }
    },
  },
]

/** Every transaction there is by now. */
export function allTransactions(world: World): KeysetList {
  return { field: 'sequence', series: everyPosition, low: 1, high: lastSequence(world.height()) }
}

/** A page of transactions whose total has to be counted. */
export function transactionList(question: RouteContext, list: KeysetList) {
  const request = question.page()
  const total = countedTotal(question, request, () => keysetCount(list))
  return body(question.world, keysetPage(request, list), total)
}

function body(world: World, found: ReturnType<typeof keysetPage>, total: number | string) {
  return listBody('txs', { ...found, rows: found.rows.map(world.transactions.record) }, total)
}

/** The transactions with a message of the types asked for; undefined, thus no filter, when the chain has seen none of them. */
function messageFilter({ world, query }: RouteContext): Series | undefined {
  const types = query.getAll('msgs')
  if (types.length === 0) return undefined
  const series = world.transactions.byMessages(types)
  return series.rank(lastSequence(world.height())) > 0 ? series : undefined
}
