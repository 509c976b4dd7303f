import type { LiveContext } from '../../../engine/graphql/builder.ts'
import { decodeKey, encodeKey } from '../../../engine/pagination/keys.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import type { Path } from '../../../engine/upstream/request.ts'
import type { RequestScope } from '../../../engine/upstream/requestScope.ts'
import type {
  KeyedSource,
  KeyPage,
  ListOffset,
  NewRecords,
  Numbered,
  OffsetRecord,
} from '../../../engine/watch/keyedSource.ts'
import { type Listed, UnreadableRecord } from '../../../engine/wire/decode.ts'
import { indexedForm } from '../../account/address.ts'
import type { BlockRecord } from '../block/wire.ts'
import { accountTransactionsPath, type TransactionRecord, transactionsPath } from '../transaction/wire.ts'
import { namedAddresses } from './addressKeys.ts'
import { blockFeed } from './blockFeed.ts'
import { countedHistory, heightTail, isOfHeight } from './heightTail.ts'
import { isFinal, openPages, pageSize, type ReadPage, type TransactionPage, unsupported } from './transactionPages.ts'

type Signal = RequestScope['signal']

/** A transaction, which perhaps cannot be read. */
type Transaction = Listed<TransactionRecord>

/** Transactions whose numbers are requested one by one, where the numbers of a page have gaps. */
const oneByOne = 10

/**
 * The transactions of a chain by the accounts they name. Indexers number transactions in their order and
 * page by these numbers, in the list of the chain and in those of accounts: what one list shows of new
 * transactions is the place in all of them. A record that cannot be read may name any account.
 * Where an indexer has other page keys, transactions are numbered by their heights.
 */
export function transactionTail(
  chain: ServedChain,
  context: Pick<LiveContext, 'feeds' | 'cache' | 'peers'>,
): KeyedSource<Transaction, BlockRecord> {
  const { chainId } = chain
  const tail = new SequenceTail(chain, openPages(chain, context))
  return {
    key: chainId,
    heads: blockFeed(chain, context),
    hasRecords: ({ tx_count }) => tx_count > 0n,
    headOf: (record) => (record instanceof UnreadableRecord ? undefined : record.height),
    newest: (signal) => tail.newest(signal),
    after: (number, signal) => tail.after(number, signal),
    keysOf: (record) => (record instanceof UnreadableRecord ? 'any' : namedAddresses(chain, record)),
    history: (key, after, signal) => tail.history(key, after, signal),
    isFatal: isFinal,
    timeoutMessage: `The indexer of ${chainId} did not respond in time.`,
  }
}

/** The transactions of a chain by the numbers in its page keys, or by their heights if these have none. */
class SequenceTail implements Pick<KeyedSource<Transaction, BlockRecord>, 'newest' | 'after' | 'history'> {
  readonly #chain: ServedChain
  readonly #chainId: string
  readonly #read: ReadPage
  readonly #byHeight: ReturnType<typeof heightTail>

  constructor(chain: ServedChain, read: ReadPage) {
    this.#chain = chain
    this.#chainId = chain.chainId
    this.#read = read
    this.#byHeight = heightTail(chain, read)
  }

  async newest(signal: Signal): Promise<bigint> {
    const page = await this.#readNewest(signal)
    return page.items.length === 0 ? 0n : (numberOf(page) ?? this.#byHeight.newest(signal))
  }

  async after(number: bigint, signal: Signal): Promise<NewRecords<Transaction>> {
    if (isOfHeight(number)) return this.#byHeight.after(number, signal)
    const page = await this.#readAfter(transactionsPath, number, pageSize, signal)
    const { items, isShort } = page
    if (items.length === 0) return { records: [], isEnd: true }
    const last = await this.#lastNumber(page, signal)
    if (last === 'unknown') return { records: [], isEnd: true }
    if (last === undefined && number === 0n) return this.#byHeight.after(number, signal)
    if (last === undefined || last <= number) throw unsupported(this.#chainId)
    if (last - number !== BigInt(items.length)) return { records: await this.#each(number, signal), isEnd: false }
    const records = items.map((record, index) => ({ number: number + BigInt(index) + 1n, record }))
    return { records, isEnd: isShort }
  }

  async history(key: string, place: ListOffset, signal: Signal): Promise<KeyPage<Transaction> | null> {
    if (isOfHeight(place.number)) return this.#byHeight.history(key, place, signal)
    const { number, skip } = place
    const path = accountTransactionsPath(indexedForm(this.#chain.bech32Prefix, key))
    const readLater = () => this.#readAfter(path, number, pageSize + skip, signal)
    let page = await readLater()
    if (page.nextKey === null && page.items.length > 0) {
      const { length } = page.items
      const top = await this.newest(signal)
      page = await readLater()
      // A replica that is behind.
      if (page.items.length < length) return null
      // If no more have come, this is the whole list, also after the newest one was read.
      if (page.nextKey === null) return countedHistory(place, top, page.items)
    }
    const { items } = page
    if (items.length < skip) return null
    if (items.length === 0) return { records: [], end: place }
    const last = numberOf(page)
    if (last === undefined && number === 0n) return this.#byHeight.history(key, place, signal)
    if (last === undefined) throw unsupported(this.#chainId)
    const end = { number: last, skip: 0 }
    const placed = items.map((record, index): OffsetRecord<Transaction> => {
      const isLast = index === items.length - 1
      return { place: isLast ? end : { number, skip: index + 1 }, record }
    })
    const records = placed.slice(skip)
    // If all of them were delivered before, what is after them has their last number.
    return records.length === 0 ? this.history(key, end, signal) : { records, end }
  }

  #readAfter(path: Path | string, number: bigint, limit: number, signal: Signal) {
    const key = number === 0n ? undefined : encodeKey('sequence', number)
    return this.#read(path, { key, limit, isReverse: false }, signal)
  }

  #readNewest(signal: Signal): Promise<TransactionPage> {
    return this.#read(transactionsPath, { limit: 1, isReverse: true }, signal)
  }

  /**
   * The number of the last record of a page. Some indexers send no key with the last page of a list: then it is that
   * of the newest record, or `unknown` if another one has come since. Undefined without sequences.
   */
  async #lastNumber(page: TransactionPage, signal: Signal): Promise<bigint | 'unknown' | undefined> {
    if (page.nextKey !== null) return numberOf(page)
    const top = await this.#readNewest(signal)
    const hash = hashOf(page.items.at(-1))
    return hash !== undefined && hash === hashOf(top.items[0]) ? numberOf(top) : 'unknown'
  }

  /** The first records after a number, each with its own number. */
  async #each(number: bigint, signal: Signal): Promise<Numbered<Transaction>[]> {
    const records: Numbered<Transaction>[] = []
    for (let from = number; records.length < oneByOne; ) {
      const page = await this.#readAfter(transactionsPath, from, 1, signal)
      const [record] = page.items
      if (record === undefined) break
      const own = await this.#lastNumber(page, signal)
      if (typeof own !== 'bigint' || own <= from) break
      records.push({ number: own, record })
      from = own
    }
    return records
  }
}

/** The number in the key of a page, which is that of its last record. Undefined for a key of another form. */
const numberOf = ({ nextKey }: TransactionPage): bigint | undefined =>
  nextKey === null ? undefined : decodeKey('sequence', nextKey)

const hashOf = (record: Transaction | undefined): string | undefined =>
  record && 'txhash' in record ? record.txhash : undefined
