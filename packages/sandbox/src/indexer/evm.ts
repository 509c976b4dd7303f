import { lastSequence } from '../world/schedule.ts'
import { everyPosition } from '../world/series.ts'
import type { World } from '../world/world.ts'
import { internalTxHeight } from './blocks.ts'
import { HttpError } from './httpError.ts'
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

/** Routes for EVM receipts and EVM internal transactions. */
export const evmRoutes: readonly Route[] = [
  {
    path: '/indexer/tx/v1/evm-txs',
    summary: 'All EVM transactions',
    isList: true,
    answer: (context) => receiptList(context, receiptsUpTo(context.world), 'newest'),
  },
  {
    path: '/indexer/tx/v1/evm-txs/by_account/{account}',
    summary: 'EVM transactions that name an account',
    isList: true,
    filters: ['is_signer'],
    answer(context, text) {
      const { world, query } = context
      context.page()
      const account = readAccount(context, text)
      const series = world.evm.byAccount(account, query.get('is_signer') === 'true')
      return receiptList(context, { ...receiptsUpTo(world), series })
    },
  },
  {
    path: '/indexer/tx/v1/evm-txs/by_height/{height}',
    summary: 'EVM transactions of a block',
    isList: true,
    answer(context, text) {
      context.page()
      const height = readHeight(text)
      const { world } = context
      const low = lastReceipt(world, height - 1) + 1
      const high = Math.min(lastReceipt(world, height), receiptsUpTo(world).high)
      return receiptList(context, { field: 'sequence', series: everyPosition, low, high })
    },
  },
  {
    path: '/indexer/tx/v1/evm-txs/{tx_hash}',
    summary: 'One EVM transaction',
    isList: false,
    answer({ world }, text) {
      const sequence = findReceipt(world, text)
      if (!sequence || sequence > receiptsUpTo(world).high) throw new HttpError(404, 'tx not found')
      return { tx: world.evm.record(sequence) }
    },
  },
  {
    path: '/indexer/tx/v1/evm-internal-txs',
    summary: 'All calls within EVM transactions',
    isList: true,
    answer: (context) => callList(context, tracedCalls(context.world), 'newest'),
  },
  {
    path: '/indexer/tx/v1/evm-internal-txs/by_account/{account}',
    summary: 'Calls from or to an account',
    isList: true,
    answer(context, text) {
      context.page()
      const series = context.world.calls.byAccount(readAccount(context, text))
      return callList(context, { ...tracedCalls(context.world), series })
    },
  },
  {
    path: '/indexer/tx/v1/evm-internal-txs/by_height/{height}',
    summary: 'Calls within the EVM transactions of a block',
    isList: true,
    answer(context, text) {
      context.page()
      const height = readHeight(text)
      const { world } = context
      const low = world.calls.lastOf(lastReceipt(world, height - 1)) + 1
      const end = world.calls.lastOf(lastReceipt(world, height))
      const high = Math.min(end, tracedCalls(world).high)
      return callList(context, { field: 'sequence', series: everyPosition, low, high })
    },
  },
  {
    path: '/indexer/tx/v1/evm-internal-txs/{tx_hash}',
    summary: 'Calls within one EVM transaction',
    isList: true,
    answer(context, text) {
      context.page()
      const { world } = context
      const sequence = findReceipt(world, text)
      if (!sequence || sequence > lastReceipt(world, internalTxHeight(world))) {
        throw new HttpError(404, 'transaction not found')
      }
      const low = world.calls.lastOf(sequence - 1) + 1
      const high = world.calls.lastOf(sequence)
      return callList(context, { field: 'sequence', series: everyPosition, low, high })
    },
  },
]

/** The sequence of the last EVM transaction at or below a height. */
function lastReceipt(world: World, height: number): number {
  return world.workload.evm.rank(lastSequence(height))
}

function receiptsUpTo(world: World): KeysetList {
  const high = lastReceipt(world, world.height())
  return { field: 'sequence', series: everyPosition, low: 1, high }
}

function tracedCalls(world: World): KeysetList {
  const high = world.calls.lastOf(lastReceipt(world, internalTxHeight(world)))
  return { field: 'sequence', series: everyPosition, low: 1, high }
}

function findReceipt({ evm }: World, text: string): number | undefined {
  const hash = readHash(text)
  return hash.length === 64 ? evm.find(hash) : undefined
}

function receiptList(context: RouteContext, list: KeysetList, total?: 'newest') {
  const { record } = context.world.evm
  const page = keysetPage(context.page(), list)
  return listBody('txs', { ...page, rows: page.rows.map(record) }, totalOf(context, list, total))
}

function callList(context: RouteContext, list: KeysetList, total?: 'newest') {
  const { record } = context.world.calls
  const page = keysetPage(context.page(), list)
  const rows = page.rows.map(record)
  return listBody('internal_txs', { ...page, rows }, totalOf(context, list, total))
}

/** The total of a list of all records is the newest sequence. Other totals are counted. */
function totalOf(context: RouteContext, list: KeysetList, total?: 'newest'): string {
  const request = context.page()
  if (total === 'newest') return request.countTotal ? String(list.high) : '0'
  return countedTotal(context, request, () => keysetCount(list))
}
