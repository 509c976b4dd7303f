import { bytesOf } from '#words/addresses/bytes'
import type { Context } from '../../../engine/graphql/builder.ts'
import { decodeKey, encodeKey } from '../../../engine/pagination/keys.ts'
import { List } from '../../../engine/pagination/list.ts'
import { type PageQuery, scanPage } from '../../../engine/pagination/page.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Listed, type Page, readable } from '../../../engine/wire/decode.ts'
import { accountTransactions } from '../../indexer/accounts/accountTransactions.ts'
import { findPlace, guessPlace, noteListedPlace, timeFrom } from '../../indexer/time/places.ts'
import { parseNanoseconds } from '../../indexer/time/timeFilter.ts'
import { type FoundStep, readableSteps } from '../../indexer/transaction/bridgeSteps.ts'
import type { TransactionRecord } from '../../indexer/transaction/wire.ts'
import { maxTurns, SearchTurns } from './searchTurns.ts'

// A page of bridge transfers asks for the other ends of up to a hundred of them, and few accounts have most of them. So what is
// read of an account on a chain is kept for the operation, as steps and as the spans of time that it covers: an end in a covered
// span costs no request. Another one is read where the numbers of the list suggest its time, and only where that shows nothing is
// the place of its time searched for.

/** A span of time in nanoseconds since 1970, with both ends. */
export interface TimeSpan {
  readonly from: bigint
  readonly until: bigint
}

/** From the first record of a list to all that come. */
export const always: TimeSpan = { from: 0n, until: 1n << 64n }

/** The newest transactions of an account that are read at first: most ends come within a minute. */
const newestCount = 50

/** The transactions that are read around the likely place of a time. */
const nearCount = 50

/** The pages from the place of a time on, and back from the newest page of a list whose keys are no numbers. */
const maxPages = { fromPlace: 2, fromNewest: 6 }

/** Searches of an account in spans of this length wait for one another, in nanoseconds, before its rate is known. */
const usualTurn = 600_000_000_000n

/** The share of the requests and bytes of an operation that searches may use. The rest is for what it selects. */
export const searchShare = 0.85

/** The steps in the transactions of an account on a chain, as far as one operation has read them. */
export function accountSteps(
  context: Context,
  chain: ServedChain,
  account: string,
  newest = newestCount,
): Promise<AccountSteps> {
  const { memory } = context.scope
  const name = `${chain.chainId} ${bytesOf(account) ?? account}`
  return memory.get(`bridge steps of ${name}`, async () => {
    const turns = memory.get('turns of searches', () => new SearchTurns())
    const source = await accountTransactions(context, chain, account, {})
    const list = new List(context.scope, chain.indexer, source, 'DESC')
    return new AccountSteps(context, chain, { name, list, turns, newestCount: newest })
  })
}

/** The times that the newest pages of busy accounts reach back to. */
const reaches = { name: 'times that newest pages reach back to', maxEntries: 10_000, ttlMs: 60 * 60_000 }

/** The bytes that a transaction of a bridge takes at most, as a rule. */
const usualBytes = 16_384

type TransactionPage = Page<Listed<TransactionRecord>>

/** An account on a chain, and how its transactions are searched. */
interface SearchedAccount {
  readonly name: string
  readonly list: List<Listed<TransactionRecord>>
  readonly turns: SearchTurns
  readonly newestCount: number
}

export class AccountSteps {
  readonly #context: Context
  readonly #chain: ServedChain
  readonly #name: string
  readonly #list: List<Listed<TransactionRecord>>
  readonly #newestCount: number
  readonly #turns: SearchTurns
  readonly #number: number
  readonly #steps: FoundStep[] = []
  readonly #hashes = new Set<string>()
  #covered: readonly TimeSpan[] = []
  #newest: Promise<TransactionPage | null> | undefined
  #turnLength = usualTurn
  #isCut = false

  constructor(context: Context, chain: ServedChain, { name, list, turns, newestCount }: SearchedAccount) {
    this.#context = context
    this.#chain = chain
    this.#name = name
    this.#list = list
    this.#newestCount = newestCount
    this.#turns = turns
    this.#number = turns.nextAccount()
  }

  /** Whether it could not read more, since the operation has used its share of requests or bytes. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Whether all transactions in a span of time were read. */
  covers({ from, until }: TimeSpan): boolean {
    return this.#covered.some((span) => span.from <= from && span.until >= until)
  }

  /**
   * Notes records that were read of the account in a row, toward the past or the present. `begin` is the time from which there are
   * no others before the first one, by default its own. `end` is that until which there are none after the last one, by default
   * its own. Resolves to the time of the last one.
   */
  async note(
    items: readonly Listed<TransactionRecord>[],
    isToPast: boolean,
    begin?: bigint,
    end?: bigint,
  ): Promise<bigint | undefined> {
    const records = readable(items)
    let isWhole = records.length === items.length
    for (const record of records) {
      const steps = await readableSteps(this.#context, this.#chain, record)
      // One that cannot be read can have any step.
      if (steps instanceof GatewayError) isWhole = false
      else if (!this.#hashes.has(record.txhash)) this.#steps.push(...steps)
      this.#hashes.add(record.txhash)
    }
    const times = timesOf(records)
    const [near = times[0], last] = [begin, times.at(-1)]
    // Others of the time of the last one can follow it.
    const far = end ?? (last === undefined ? near : isToPast ? last + 1n : last - 1n)
    if (isWhole && near !== undefined && far !== undefined) {
      this.#cover(isToPast ? { from: far, until: near } : { from: near, until: far })
    }
    return last
  }

  /**
   * A step that is due in a span of time: among what was read, among the newest transactions, and then near the time at which the
   * search begins. Undefined if none of those is it.
   */
  async find(matches: (step: FoundStep) => boolean, due: TimeSpan, isAfter: boolean): Promise<FoundStep | undefined> {
    const isOver = () => this.#steps.some(matches) || this.covers(due)
    const part = Number(((isAfter ? due.from : due.until) / this.#turnLength) % BigInt(maxTurns))
    if (!isOver()) {
      await this.#turns.take(this.#number + part, async () => {
        if (!isOver() && due.until >= this.#reach()) await this.#readNewest()
        const time = isAfter ? due.from : due.until
        if (isOver() || (await this.#readNear(time, isAfter, isOver))) return
        await this.#readFrom(time, isAfter, isOver)
      })
    }
    return this.#steps.find(matches)
  }

  #readNewest() {
    this.#newest ??= this.#read({ limit: this.#newestCount, isReverse: true }, always.until).then((page) => {
      const times = timesOf(readable(page?.items ?? []))
      const [last, first] = [times[0], times.at(-1)]
      if (page?.nextKey != null && last !== undefined && first !== undefined && last > first) {
        this.#turnLength = ((last - first) * BigInt(nearCount)) / BigInt(times.length)
        this.#reaches.set(this.#name, first)
      }
      return page
    })
    return this.#newest
  }

  /** The time that newest pages reach back to, as far as is known. Later ones reach less far. */
  #reach(): bigint {
    return this.#reaches.get(this.#name) ?? always.from
  }

  get #reaches() {
    return this.#context.scope.cache.hints.open<bigint>(reaches)
  }

  /**
   * Reads where the numbers of the list suggest a time. Resolves to whether the search has found its step, or what was read has this
   * time, so that no other place has it.
   */
  async #readNear(time: bigint, isAfter: boolean, isOver: () => boolean): Promise<boolean> {
    const place = await guessPlace(this.#context, this.#chain, time, isAfter)
    if (place === null) return false
    const query = { key: encodeKey('sequence', place), limit: nearCount, isReverse: !isAfter }
    const page = await this.#read(query)
    if (!page || isOver()) return true
    const edge = await timeFrom(this.#context, this.#chain, place)
    if (edge === undefined || (isAfter ? edge > time : edge < time)) return false
    await this.#notePage(page, query, edge)
    await this.#readOn(page, query.isReverse, maxPages.fromPlace - 1, isOver)
    return isOver() || this.covers({ from: time, until: time })
  }

  /** Reads from the place of the time on, or back from the newest page if no place is known. */
  async #readFrom(time: bigint, isAfter: boolean, isOver: () => boolean): Promise<void> {
    const place = await findPlace(this.#context, this.#chain, time, { isReverse: !isAfter })
    if (place === null) return this.#readOn(await this.#readNewest(), true, maxPages.fromNewest, isOver)
    const key = encodeKey('sequence', isAfter ? place.key - 1n : place.key)
    const page = await this.#read({ key, limit: scanPage, isReverse: !isAfter }, place.isExact ? time : undefined)
    await this.#readOn(page, !isAfter, maxPages.fromPlace - 1, isOver)
  }

  /** Reads the pages after one. */
  async #readOn(
    before: TransactionPage | null,
    isReverse: boolean,
    most: number,
    isOver: () => boolean,
  ): Promise<void> {
    let page = before
    for (let pages = 0; page?.nextKey != null && pages < most && !isOver(); pages += 1) {
      const edge = timesOf(readable(page.items)).at(-1)
      page = await this.#read({ key: page.nextKey, limit: scanPage, isReverse }, edge)
    }
  }

  /**
   * Reads a page. `edge` is the time at which it begins, if that is known: from there to its last record it has all. Null if the
   * operation has no requests left for it, or the chain does not serve the list.
   */
  async #read(query: PageQuery, edge?: bigint): Promise<TransactionPage | null> {
    const turns = this.#turns
    const rows = turns.openRows + query.limit
    if (!this.#context.scope.budget.hasRoom(searchShare, rows * usualBytes)) {
      this.#isCut = true
      return null
    }
    turns.openRows = rows
    const page = await this.#list.fetch(query).finally(() => {
      turns.openRows -= query.limit
    })
    if (!page) return null
    const last = await this.#notePage(page, query, edge)
    const sequence = page.nextKey === null ? undefined : decodeKey('sequence', page.nextKey)
    if (sequence !== undefined && last !== undefined) noteListedPlace(this.#context, this.#chain, sequence, last)
    return page
  }

  #notePage(page: TransactionPage, { isReverse, limit }: PageQuery, edge?: bigint): Promise<bigint | undefined> {
    const isEnd = page.nextKey === null || this.#list.isShort(page, limit)
    const end = isReverse ? always.from : always.until
    return this.note(page.items, isReverse, edge, isEnd ? end : undefined)
  }

  #cover(added: TimeSpan): void {
    let { from, until } = added
    const apart = this.#covered.filter((span) => {
      const isApart = span.from > until + 1n || span.until + 1n < from
      if (!isApart) [from, until] = [span.from < from ? span.from : from, span.until > until ? span.until : until]
      return isApart
    })
    this.#covered = [...apart, { from, until }]
  }
}

const timesOf = (records: readonly TransactionRecord[]): readonly bigint[] =>
  records.map(({ timestamp }) => parseNanoseconds(timestamp))
