import type { Context } from '../../../graphql/builder.ts'
import { decodeKey, encodeKey } from '../../../pagination/keys.ts'
import { isShortPage, type LearntCaps, learntCaps } from '../../../pagination/pageCaps.ts'
import { fetchPage } from '../../../pagination/source.ts'
import type { Numbered, Placed, TailPage, TailSource } from '../../../polling/tailSource.ts'
import { type Listed, type Page, UnreadableRecord } from '../../../upstream/decode.ts'
import { GatewayError } from '../../../upstream/error.ts'
import type { ServedChain } from '../../../upstream/network.ts'
import { get, type Path } from '../../../upstream/request.ts'
import type { RequestScope } from '../../../upstream/requestScope.ts'
import type { BlockRecord } from '../block/wire.ts'
import {
  accountTransactionsPath,
  type TransactionRecord,
  transactionsPage,
  transactionsPath,
} from '../transaction/wire.ts'
import { namedAddresses } from './addressKeys.ts'
import { blockFeed } from './blockFeed.ts'

type Signal = RequestScope['signal']
/** A record that cannot be read is passed over: it has no accounts to tell. */
type Transactions = Page<Listed<TransactionRecord>>

/** Transactions of one request. */
const pageSize = 100

/** Transactions whose numbers are requested one by one, where the numbers of a page have gaps. */
const oneByOne = 10

/**
 * The transactions of a chain by the accounts they name. Indexers number transactions in their order and
 * page by these numbers, in the list of the chain and in those of accounts: what one list shows of new
 * transactions is the place in all of them.
 */
export function transactionTail(
  chain: ServedChain,
  context: Pick<Context, 'limits' | 'cache' | 'backplane'>,
): TailSource<TransactionRecord, BlockRecord> {
  const { cache, backplane } = context
  const { chainId } = chain
  const indexer = backplane.over(chain.indexer)

  const read = (
    path: Path | string,
    query: { readonly after?: bigint; readonly limit: number },
    signal: Signal,
  ): Promise<{ readonly page: Transactions | null; readonly caps: LearntCaps }> => {
    const caps = learntCaps(cache, indexer.service, path)
    const list = {
      caps,
      fetchPage: ({ limit }: { readonly limit: number }) =>
        indexer.send(
          get(path, transactionsPage, {
            query: {
              ...(query.after !== undefined && {
                'pagination.key': encodeKey('sequence', query.after),
              }),
              'pagination.limit': limit,
              'pagination.reverse': query.after === undefined,
              'pagination.count_total': false,
            },
          }),
          signal,
        ),
    }
    const { limit } = query
    return fetchPage(list, { limit, isReverse: query.after === undefined }).then((page) => ({
      page,
      caps,
    }))
  }

  /** The number of the last record of a page. Undefined for an empty page. */
  const lastNumber = (page: Transactions | null): bigint | undefined => {
    if (!page || page.items.length === 0) return undefined
    const number = page.nextKey === null ? undefined : decodeKey('sequence', page.nextKey)
    if (number !== undefined) return number
    throw new GatewayError('UPSTREAM_REJECTED', unsupported(chainId), { service: chainId, reason })
  }

  const after = async (number: bigint, signal: Signal): Promise<TailPage<TransactionRecord>> => {
    const { page, caps } = await read(transactionsPath, { after: number, limit: pageSize }, signal)
    const items = page?.items ?? []
    const last = lastNumber(page)
    if (!page || last === undefined) return { records: [], isEnd: true }
    if (last <= number)
      throw new GatewayError('UPSTREAM_REJECTED', unsupported(chainId), { reason })
    if (last - number !== BigInt(items.length))
      return { records: await each(number, signal), isEnd: false }
    const records = items.flatMap((record, index) =>
      record instanceof UnreadableRecord ? [] : { number: number + BigInt(index) + 1n, record },
    )
    const isEnd = records.length === 0 || isShortPage(caps.current(), page, pageSize)
    return { records, isEnd }
  }

  /** The first records after a number, each with its own number. */
  const each = async (number: bigint, signal: Signal): Promise<Numbered<TransactionRecord>[]> => {
    const records: Numbered<TransactionRecord>[] = []
    for (let from = number; records.length < oneByOne; ) {
      const { page } = await read(transactionsPath, { after: from, limit: 1 }, signal)
      const [record] = page?.items ?? []
      const own = lastNumber(page)
      if (record === undefined || own === undefined || own <= from) break
      if (!(record instanceof UnreadableRecord)) records.push({ number: own, record })
      from = own
    }
    return records
  }

  return {
    key: chainId,
    heads: blockFeed(chain, context),
    hasRecords: ({ tx_count }) => tx_count > 0n,
    headOf: ({ height }) => height,
    async newest(signal) {
      const { page } = await read(transactionsPath, { limit: 1 }, signal)
      return lastNumber(page) ?? 0n
    },
    after,
    keysOf: (record) => namedAddresses(chain, record),
    async history(key, { number, skip }, signal) {
      const path = accountTransactionsPath(`0x${key}`)
      const limit = pageSize + skip
      const { page } = await read(path, { after: number, limit }, signal)
      const last = lastNumber(page)
      const { items } = page ?? { items: [] }
      if (items.length < skip) return null
      if (last === undefined) return { records: [], end: { number, skip } }
      const end = { number: last, skip: 0 }
      const placed = items.map((record, index): Placed<Listed<TransactionRecord>> => {
        const isLast = index === items.length - 1
        return { place: isLast ? end : { number, skip: index + 1 }, record }
      })
      const records = placed.slice(skip).filter(isReadable)
      // If all of them were delivered before, what is after them has their last number.
      return records.length === 0 ? this.history(key, end, signal) : { records, end }
    },
    isFatal: (error) => error instanceof GatewayError && error.reason === reason,
    timeoutMessage: `The indexer of ${chainId} did not respond in time.`,
  }
}

const isReadable = (
  placed: Placed<Listed<TransactionRecord>>,
): placed is Placed<TransactionRecord> => !(placed.record instanceof UnreadableRecord)

const reason = 'NO_SEQUENCES'

const unsupported = (chainId: string): string =>
  `The indexer of ${chainId} does not number its transactions, so new ones cannot be followed.`
