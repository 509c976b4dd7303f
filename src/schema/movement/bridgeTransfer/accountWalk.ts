import { bytesOf, isSameAddress } from '#words/addresses'
import type { Context } from '../../../engine/graphql/builder.ts'
import { encodeKey } from '../../../engine/pagination/keys.ts'
import { List } from '../../../engine/pagination/list.ts'
import { scanPage } from '../../../engine/pagination/page.ts'
import { GatewayError, isUpstreamFault } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Listed, readable } from '../../../engine/wire/decode.ts'
import { accountTransactions } from '../../indexer/accounts/accountTransactions.ts'
import { findKey, keysAround } from '../../indexer/time/numberedList.ts'
import { parseNanoseconds } from '../../indexer/time/timeFilter.ts'
import { timedTransactions } from '../../indexer/time/timeRange.ts'
import { type FoundStep, readableSteps } from '../../indexer/transaction/bridgeSteps.ts'
import type { TransactionRecord } from '../../indexer/transaction/wire.ts'

// A page of an account has up to a hundred bridge transfers, and most have their other ends in the list of the same account on
// another chain. To search that list for each of them would take hundreds of requests. So it is walked once, from the newest time of
// the page down, and each search looks into what was read before it reads more.

/** Most pages of one walk. What lies behind them is searched for. */
const maxPages = 6

/** Most other ends come within this time, in nanoseconds. */
export const usualDelay = 900_000_000_000n

/** What a page lists of an account. */
interface ListedAccount {
  /** The newest transactions of the account that the list reads at once. */
  readonly newestCount: number
  readonly hasFewRows: boolean
  readonly steps: FoundStep[]
}

const listedOf = ({ scope }: Context): Map<string, ListedAccount> =>
  scope.memory.get('accounts whose bridge transfers are listed', () => new Map())

/** Up to this many rows, as many transactions are read of each stranger as of the account. Of more, they would be too many bytes. */
const fewRows = 20

/** Notes that an operation lists this many bridge transfers of an account. Its list reads `newestCount` transactions at once. */
export function noteAccount(context: Context, account: string, rows: number, newestCount: number): void {
  const bytes = bytesOf(account)
  if (bytes !== null) listedOf(context).set(bytes, { newestCount, hasFewRows: rows <= fewRows, steps: [] })
}

/** Notes steps that are listed for an account, so that their other ends are read together. */
export function noteListed(context: Context, account: string, steps: readonly FoundStep[]): void {
  listedOf(context)
    .get(bytesOf(account) ?? '')
    ?.steps.push(...steps)
}

/** How many of the newest transactions of an account to read: as many as its list, so that both are one request. */
export function newestOf(context: Context, account: string, usual: number): number {
  const all = listedOf(context)
  const listed = all.get(bytesOf(account) ?? '') ?? [...all.values()].find(({ hasFewRows }) => hasFewRows)
  return listed?.newestCount ?? usual
}

/**
 * The walk over the transactions of an account on a chain, from the newest time on at which its listed transfers can have steps
 * there. Null if they can have none.
 */
export async function walkOf(context: Context, chain: ServedChain, account: string): Promise<AccountWalk | null> {
  const bytes = bytesOf(account)
  const listed = listedOf(context).get(bytes ?? '')
  const near = listed?.steps.filter(
    ({ chainId, sender, receiver }) => chainId === chain.chainId || isSameAddress(sender, receiver),
  )
  if (!listed || !near || near.length === 0) return null
  const newest = near.map(({ timestamp }) => parseNanoseconds(timestamp)).reduce((a, b) => (a > b ? a : b))
  return await context.scope.memory.load(`walk of ${bytes} on ${chain.chainId}`, () =>
    begin(context, chain, account, newest + usualDelay, listed.newestCount),
  )
}

async function begin(
  context: Context,
  chain: ServedChain,
  account: string,
  until: bigint,
  newestCount: number,
): Promise<AccountWalk | null> {
  const source = await accountTransactions(context, chain, account, {})
  const list = new List(context.scope, chain.indexer, source, 'DESC')
  // As many as the list itself reads, so that both are one request.
  const walk = new AccountWalk(context, chain, list, { until: 'now', place: null, firstCount: newestCount })
  await walk.read()
  if (walk.reaches(until)) return walk
  const place = await findPlace(context, chain, until, { isReverse: true })
  if (place === null) return null
  return new AccountWalk(context, chain, list, { until, place, firstCount: scanPage })
}

/** The pages that are read after a walk. */
const maxLaterPages = 2

/** Steps that come after a walk, and whether they are all. */
interface LaterSteps {
  readonly steps: readonly FoundStep[]
  readonly isWhole: boolean
}

/** Where a walk begins. */
interface WalkStart {
  /** Up to when it has all transactions, in nanoseconds since 1970. */
  readonly until: bigint | 'now'
  /** The place of that time in the list of the chain. Null for now. */
  readonly place: bigint | null
  readonly firstCount: number
}

/** The steps in the transactions of an account on a chain, read backward in time as far as somebody wants them. */
class AccountWalk {
  readonly until: bigint | 'now'
  readonly steps: FoundStep[] = []
  readonly #context: Context
  readonly #chain: ServedChain
  readonly #list: List<Listed<TransactionRecord>>
  readonly #place: bigint | null
  #later: Promise<LaterSteps> | undefined
  #next: { readonly key: string | undefined; readonly limit: number } | null
  #from: bigint | undefined
  #pages = 0
  /** Whether one of the records cannot be read, which can have any step. */
  #isBroken = false
  #turn: Promise<void> = Promise.resolve()

  constructor(
    context: Context,
    chain: ServedChain,
    list: List<Listed<TransactionRecord>>,
    { until, place, firstCount }: WalkStart,
  ) {
    this.until = until
    this.#place = place
    this.#context = context
    this.#chain = chain
    this.#list = list
    this.#next = { key: place === null ? undefined : encodeKey('sequence', place), limit: firstCount }
  }

  /** Reads until a time, in nanoseconds since 1970. Resolves to whether all transactions from it up to `until` were read. */
  async reach(time: bigint): Promise<boolean> {
    const turn = this.#turn.then(async () => {
      while (!this.#isBroken && this.#pages < maxPages && !this.reaches(time)) await this.read()
    })
    this.#turn = turn.catch(() => {})
    await turn
    return !this.#isBroken && this.reaches(time)
  }

  /** The steps after the time up to which it has all transactions: most that come late come soon after it. */
  later(): Promise<LaterSteps> {
    this.#later ??= this.#readLater()
    return this.#later
  }

  async #readLater(): Promise<LaterSteps> {
    const steps: FoundStep[] = []
    if (this.#place === null) return { steps, isWhole: true }
    let key = encodeKey('sequence', this.#place - 1n)
    for (let pages = 0; pages < maxLaterPages; pages += 1) {
      const page = await this.#list.fetch({ key, limit: scanPage, isReverse: false })
      const own = page && (await this.#stepsOf(page.items))
      if (!own) return { steps, isWhole: false }
      steps.push(...own)
      if (page.nextKey === null) return { steps, isWhole: true }
      key = page.nextKey
    }
    return { steps, isWhole: false }
  }

  /** The steps in records of the list. Null if one of them cannot be read, which can have any step. */
  async #stepsOf(items: readonly Listed<TransactionRecord>[]): Promise<FoundStep[] | null> {
    const all = await Promise.all(readable(items).map((record) => readableSteps(this.#context, this.#chain, record)))
    const steps = all.flatMap((own) => (own instanceof GatewayError ? [] : own))
    return readable(items).length < items.length || all.some((own) => own instanceof GatewayError) ? null : steps
  }

  /** Whether it has been read until a time, or until the end of the list. */
  reaches(time: bigint): boolean {
    return this.#next === null || (this.#from !== undefined && this.#from < time)
  }

  /** Reads another page. */
  async read(): Promise<void> {
    if (!this.#next) return
    const { key, limit } = this.#next
    this.#pages += 1
    const page = await this.#list.fetch({ ...(key !== undefined && { key }), limit, isReverse: true })
    const records = readable(page?.items ?? [])
    if (!page || records.length < page.items.length) this.#isBroken = true
    for (const record of records) {
      const own = await readableSteps(this.#context, this.#chain, record)
      if (own instanceof GatewayError) this.#isBroken = true
      else this.steps.push(...own)
    }
    const last = records.at(-1)
    if (last) this.#from = parseNanoseconds(last.timestamp)
    this.#next = page?.nextKey == null ? null : { key: page.nextKey, limit: scanPage }
  }
}

/** The requests for the place of a time in the list of a chain. */
const maxPlaceRequests = 6

/**
 * The place of a time in the list of a chain, to read from there on, or backward. If a few requests do not find it, the nearest known
 * one on the other side of it, so that nothing is missed. Null if none is known.
 */
export async function findPlace(
  context: Context,
  chain: ServedChain,
  time: bigint,
  { isReverse }: { readonly isReverse: boolean },
): Promise<bigint | null> {
  const { all } = timedTransactions
  try {
    return await findKey(context, chain, all, time, { left: maxPlaceRequests })
  } catch (error) {
    if (!isUpstreamFault(error)) throw error
    const { below, above } = keysAround(context, chain, all, time)
    return (isReverse ? above : below) ?? null
  }
}
