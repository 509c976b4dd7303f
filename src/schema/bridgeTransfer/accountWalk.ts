import { bytesOf, isSameAddress } from '#words/addresses'
import type { Context } from '../../engine/graphql/builder.ts'
import { encodeKey } from '../../engine/pagination/keys.ts'
import { List } from '../../engine/pagination/list.ts'
import { scanPage } from '../../engine/pagination/page.ts'
import { GatewayError } from '../../engine/upstream/error.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { readable } from '../../engine/wire/decode.ts'
import { accountTransactions } from '../indexer/accounts/accountTransactions.ts'
import { findKey } from '../indexer/time/numberedList.ts'
import { parseNanoseconds } from '../indexer/time/timeFilter.ts'
import { timedTransactions } from '../indexer/time/timeRange.ts'
import { clockSlack, type FoundStep, readableSteps } from '../indexer/transaction/bridgeSteps.ts'

// A page of an account has up to a hundred bridge transfers, and most have their other ends in the list of the same account on
// another chain. To search that list for each of them would take hundreds of requests. So the span of the page is read there once,
// from its newest time down to its oldest, and each search looks into what was read first.

/** The steps of an account on a chain in a span of time. Times are in nanoseconds since 1970. */
export interface AccountWalk {
  readonly steps: readonly FoundStep[]
  /** From where on all transactions of the account were read, and up to which time: the present, if that is infinite. */
  readonly from: bigint
  readonly until: bigint | 'now'
}

/** Most pages of one walk. What lies behind them is searched for. */
const maxPages = 6

/** Most other ends come within this time, in nanoseconds. */
const usualDelay = 900_000_000_000n

/** What a page lists of an account. */
interface Listed {
  /** The newest transactions of the account that the list reads at once. */
  readonly newestCount: number
  readonly steps: FoundStep[]
}

const listedOf = ({ scope }: Context): Map<string, Listed> =>
  scope.memory.get('accounts whose bridge transfers are listed', () => new Map())

/** Notes that an operation lists the bridge transfers of an account. Its list reads so many transactions at once. */
export function noteAccount(context: Context, account: string, newestCount: number): void {
  const bytes = bytesOf(account)
  if (bytes !== null) listedOf(context).set(bytes, { newestCount, steps: [] })
}

/** Notes steps that are listed for an account, so that their other ends are read together. */
export function noteListed(context: Context, account: string, steps: readonly FoundStep[]): void {
  listedOf(context)
    .get(bytesOf(account) ?? '')
    ?.steps.push(...steps)
}

/** How many of the newest transactions of an account to read: as many as its list, so that both are one request. */
export const newestOf = (context: Context, account: string, usual: number): number =>
  listedOf(context).get(bytesOf(account) ?? '')?.newestCount ?? usual

/**
 * The steps of an account around the times at which its listed transfers can have steps on a chain, read once. Null if they are
 * fewer than two, which a search finds with less.
 */
export async function walkOf(context: Context, chain: ServedChain, account: string): Promise<AccountWalk | null> {
  const bytes = bytesOf(account)
  const listed = listedOf(context).get(bytes ?? '')
  if (!listed) return null
  const near = listed.steps.filter(
    ({ chainId, sender, receiver }) => chainId === chain.chainId || isSameAddress(sender, receiver),
  )
  if (near.length < 2) return null
  const times = near.map(({ timestamp }) => parseNanoseconds(timestamp))
  return await context.scope.memory.load(`walk of ${bytes} on ${chain.chainId}`, () =>
    walk(context, chain, account, times),
  )
}

async function walk(
  context: Context,
  chain: ServedChain,
  account: string,
  times: readonly bigint[],
): Promise<AccountWalk | null> {
  const [oldest, newest] = [least(times) - usualDelay, -least(times.map((time) => -time)) + usualDelay]
  const source = await accountTransactions(context, chain, account, {})
  const list = new List(context.scope, chain.indexer, source, 'DESC')
  const isRecent = newest >= BigInt(context.scope.date()) * 1_000_000n
  const place = isRecent
    ? null
    : await findKey(context, chain, timedTransactions.all, newest, { left: maxPlaceRequests })
  if (!isRecent && place === null) return null
  // As many as the list itself reads, so that both are one request.
  const newestLimit = newestOf(context, account, scanPage)
  const steps: FoundStep[] = []
  let key = place === null ? undefined : encodeKey('sequence', place)
  let from = newest
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await list.fetch({ ...(key ? { key, limit: scanPage } : { limit: newestLimit }), isReverse: true })
    if (!page) return null
    const records = readable(page.items)
    // One that cannot be read can have any step.
    if (records.length < page.items.length) return null
    for (const record of records) {
      const own = await readableSteps(context, chain, record)
      if (own instanceof GatewayError) return null
      steps.push(...own)
    }
    const last = records.at(-1)
    if (!last || page.nextKey === null) return { steps, from: 0n, until: isRecent ? 'now' : newest }
    from = parseNanoseconds(last.timestamp)
    if (from < oldest - clockSlack) break
    key = page.nextKey
  }
  return { steps, from, until: isRecent ? 'now' : newest }
}

/** The requests for the place of a time in the list of a chain. */
const maxPlaceRequests = 6

const least = (numbers: readonly bigint[]): bigint => numbers.reduce((one, other) => (one < other ? one : other))
