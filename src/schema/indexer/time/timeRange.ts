import type { Context } from '../../../engine/graphql/builder.ts'
import { List } from '../../../engine/pagination/list.ts'
import type { Total } from '../../../engine/pagination/page.ts'
import type { KeyRange, ListSource } from '../../../engine/pagination/source.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Listed, UnreadableRecord } from '../../../engine/wire/decode.ts'
import { type BlockRecord, blockList } from '../block/wire.ts'
import {
  type InternalTransactionRecord,
  internalTransactionsPage,
  internalTransactionsPath,
  type ReceiptRecord,
  receiptsPage,
  receiptsPath,
} from '../evm/wire.ts'
import { type TransactionRecord, transactionsPage, transactionsPath } from '../transaction/wire.ts'
import { findEnds, findKey, maxRequests, type NumberedList, type RequestBudget } from './numberedList.ts'
import { parseNanoseconds, type Span, spanName } from './timeFilter.ts'

/** A kind of records whose lists can be read by time. */
export interface TimedRecords<T> {
  /** The list of all of them on a chain. Lists of accounts have the keys of this list. */
  readonly all: NumberedList<T>
  /** Turns a time into a value of the list: records of the EVM have heights in place of times. */
  readonly valueAt: (
    context: Context,
    chain: ServedChain,
    time: bigint,
    budget: RequestBudget,
  ) => Promise<bigint | null>
}

const timeItself = async (_context: Context, _chain: ServedChain, time: bigint) => time

const sequence = { kind: 'keyset', field: 'sequence' } as const

/** The blocks of a chain. */
export const timedBlocks: TimedRecords<BlockRecord> = {
  all: { source: blockList, valueOf: ({ timestamp }) => parseNanoseconds(timestamp) },
  valueAt: timeItself,
}

/** The Cosmos transactions of a chain, which have the times of their blocks. */
export const timedTransactions: TimedRecords<TransactionRecord> = {
  all: {
    source: { path: transactionsPath, page: transactionsPage, strategy: sequence },
    valueOf: ({ timestamp }) => parseNanoseconds(timestamp),
  },
  valueAt: timeItself,
}

const heightAt: TimedRecords<unknown>['valueAt'] = (context, chain, time, budget) =>
  findKey(context, chain, timedBlocks.all, time, budget)

/** The EVM transactions of a chain. */
export const timedReceipts: TimedRecords<ReceiptRecord> = {
  all: {
    source: { path: receiptsPath, page: receiptsPage, strategy: sequence },
    valueOf: ({ blockNumber }) => blockNumber,
  },
  valueAt: heightAt,
}

/** The calls inside of EVM transactions of a chain. */
export const timedCalls: TimedRecords<InternalTransactionRecord> = {
  all: {
    source: { path: internalTransactionsPath, page: internalTransactionsPage, strategy: sequence },
    valueOf: ({ height }) => height,
  },
  valueAt: heightAt,
}

/** Where a list reaches a time. Null if it has no record. */
async function boundAt<T>(context: Context, chain: ServedChain, { all, valueAt }: TimedRecords<T>, time: bigint) {
  const budget = { left: maxRequests }
  const value = await valueAt(context, chain, time, budget)
  const key = value === null ? null : await findKey(context, chain, all, value, budget)
  return value === null || key === null ? null : { value, key }
}

/** The part of a list that is in a span of time. Null if nothing is. */
async function findRange<T>(
  context: Context,
  chain: ServedChain,
  records: TimedRecords<T>,
  { since, until }: Span,
): Promise<KeyRange<Listed<T>> | null> {
  // One after the other, since what the first search reads narrows the second one.
  const first = since === undefined ? undefined : await boundAt(context, chain, records, since)
  const end = until === undefined ? undefined : await boundAt(context, chain, records, until)
  if (first === null || end === null) return null
  if (first && end && first.key >= end.key) return null
  return {
    above: first ? first.key - 1n : 0n,
    below: end?.key,
    has: (item) => {
      if (item instanceof UnreadableRecord) return true
      const value = records.all.valueOf(item)
      return (!first || value >= first.value) && (!end || value < end.value)
    },
  }
}

/**
 * The number of records in a span, as if the numbers of the list were evenly spaced: a list can lack numbers, and need not
 * begin with 1. It is never greater than that of the whole list, and equal to it if all records are in the span.
 */
async function countIn<T>(
  context: Context,
  chain: ServedChain,
  records: TimedRecords<T>,
  { since, until }: Span,
  countAll: () => Promise<Total | undefined>,
): Promise<bigint> {
  const ends = await findEnds(context, chain, records.all)
  if (!ends) return 0n
  const first = since === undefined ? undefined : await boundAt(context, chain, records, since)
  const last = until === undefined ? undefined : await boundAt(context, chain, records, until)
  if (first === null || last === null) return 0n
  const { oldest, newest } = ends
  const width = newest - oldest + 1n
  const counted = await countAll()
  const all = typeof counted === 'bigint' ? counted : width
  const isBegun = first && first.key > oldest
  const isEnded = last && last.key <= newest
  if (!isBegun && !isEnded) return all
  // An indexer can send the number of the newest record for that of all.
  const most = all < width ? all : width
  /** How many records are before a key, which can be anywhere between two of them. */
  const before = (key: bigint): bigint => {
    if (key <= oldest) return 0n
    return key > newest ? most : ((key - oldest) * (most - 1n) + width - 2n) / (width - 1n)
  }
  const count = before(last?.key ?? newest + 1n) - before(first?.key ?? oldest)
  return count > 0n ? count : 0n
}

/** The part of a list that is in a span of time. */
export function inSpan<T>(
  context: Context,
  chain: ServedChain,
  records: TimedRecords<T>,
  list: ListSource<Listed<T>>,
  span: Span,
): ListSource<Listed<T>> {
  // Only the list of all records can be counted by the numbers of its records.
  const isWhole = list.path === records.all.source.path && !list.filter
  const countAll = () => new List(context.scope, chain.indexer, list, 'ASC').count()
  return {
    ...list,
    range: () => findRange(context, chain, records, span),
    size: undefined,
    filterKey: `${list.filterKey ?? ''} ${spanName(span)}`,
    total: isWhole ? () => countIn(context, chain, records, span, countAll) : 'none',
    isTotalEstimate: isWhole,
  }
}
