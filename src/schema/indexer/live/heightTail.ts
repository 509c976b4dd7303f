import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { Path } from '../../../engine/upstream/request.ts'
import type { RequestScope } from '../../../engine/upstream/requestScope.ts'
import type { KeyedSource, KeyPage, ListOffset, NewRecords, Numbered } from '../../../engine/watch/keyedSource.ts'
import { readable } from '../../../engine/wire/decode.ts'
import { indexedForm } from '../../account/address.ts'
import type { BlockRecord } from '../block/wire.ts'
import {
  accountTransactionsPath,
  blockTransactionsPath,
  type TransactionRecord,
  transactionsPath,
} from '../transaction/wire.ts'
import { pageSize, type ReadPage, tooFarBack, unsupported } from './transactionPages.ts'

type Signal = RequestScope['signal']
type KeyedWatch = KeyedSource<TransactionRecord, BlockRecord>

/** More than every sequence, which has 64 bits, so that it shows by which of the two a transaction is numbered. */
const first = 1n << 64n

/** More than the transactions of any block. */
const blockSize = 1n << 20n

/** Pages that are read back from the newest transaction. */
const maxPages = 50

/** Whether a number was made of a height. */
export const isOfHeight = (number: bigint): boolean => number >= first

const heightOf = (number: bigint): bigint => (isOfHeight(number) ? (number - first) / blockSize : 0n)

const indexOf = (number: bigint): number => (isOfHeight(number) ? Number((number - first) % blockSize) : 0)

/** Numbers transactions by their height and their index in the block, which begins at 1. */
function numbered(records: readonly TransactionRecord[]): Numbered<TransactionRecord>[] {
  const counts = new Map<bigint, bigint>()
  return records.map((record) => {
    const index = (counts.get(record.height) ?? 0n) + 1n
    counts.set(record.height, index)
    return { number: first + record.height * blockSize + index, record }
  })
}

/**
 * The transactions of a chain whose indexer does not number them. They are read from the newest back to the block of
 * the last one that is known, and numbered by their places in the blocks.
 */
export function heightTail(
  { chainId, bech32Prefix }: Pick<ServedChain, 'chainId' | 'bech32Prefix'>,
  read: ReadPage,
): Pick<KeyedWatch, 'newest' | 'after' | 'history'> {
  /** The transactions from a height on, in order, as far back as is read. */
  const since = async (path: Path | string, height: bigint, signal: Signal) => {
    // By hash, since pages by offsets repeat a record when others have come.
    const found = new Map<string, TransactionRecord>()
    const inOrder = () => [...found.values()].toReversed()
    let key: string | undefined
    for (let pages = 1; pages <= maxPages; pages += 1) {
      const { items, nextKey } = await read(path, { key, limit: pageSize, isReverse: true }, signal)
      const records = readable(items)
      const last = records.at(-1)
      if (records[0] && last && records[0].height < last.height) throw unsupported(chainId)
      for (const record of records) if (record.height >= height) found.set(record.txhash, record)
      const isPast = last !== undefined && last.height < height
      if (isPast || items.length === 0 || nextKey === null || nextKey === key) {
        return { records: inOrder(), isWhole: true }
      }
      key = nextKey
    }
    // The oldest block may lack some.
    const [oldest] = inOrder()
    const records = inOrder().filter((record) => record.height !== oldest?.height)
    return { records, isWhole: false }
  }

  const newest = async (signal: Signal): Promise<bigint> => {
    const { items } = await read(transactionsPath, { limit: pageSize, isReverse: true }, signal)
    const [top] = readable(items)
    if (!top) return first
    const { records } = await since(transactionsPath, top.height, signal)
    return numbered(records).at(-1)?.number ?? first
  }

  const after = async (number: bigint, signal: Signal): Promise<NewRecords<TransactionRecord>> => {
    const { records, isWhole } = await since(transactionsPath, heightOf(number), signal)
    const later = numbered(records).filter((record) => record.number > number)
    return { records: later, isEnd: true, hasGap: !isWhole }
  }

  /** The transactions of an account after a number. */
  const readLater = async (key: string, number: bigint, signal: Signal) => {
    const height = heightOf(number)
    const list = await since(accountTransactionsPath(indexedForm(bech32Prefix, key)), height, signal)
    if (!list.isWhole) throw tooFarBack(chainId)
    const isInBlock = list.records.some((record) => record.height === height)
    if (indexOf(number) === 0 || !isInBlock) return list.records
    const block = await since(blockTransactionsPath(height), height, signal)
    const before = new Set(block.records.slice(0, indexOf(number)).map(({ txhash }) => txhash))
    return list.records.filter(({ txhash }) => !before.has(txhash))
  }

  return {
    newest,
    after,
    history: async (key, place, signal) => {
      const top = await newest(signal)
      return countedHistory(place, top, await readLater(key, place.number, signal))
    },
  }
}

/**
 * The records of a key after a place, of which no one knows the numbers: they are named by how many of them come
 * after the number of the place. `newest` is the number of the newest record of the list, from before `later` was
 * read: all records of the key after the place's number. Null if there are fewer than were delivered before.
 */
export function countedHistory<T>(
  { number, skip }: ListOffset,
  newest: bigint,
  later: readonly T[],
): KeyPage<T> | null {
  if (later.length < skip) return null
  return {
    records: later.slice(skip).map((record, index) => ({ record, place: { number, skip: skip + index + 1 } })),
    end: { number: newest > number ? newest : number, skip: 0 },
  }
}
