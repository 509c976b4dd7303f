import type { Context } from '../../../engine/graphql/builder.ts'
import { encodeKey } from '../../../engine/pagination/keys.ts'
import { List } from '../../../engine/pagination/list.ts'
import { scanPage } from '../../../engine/pagination/page.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { type Listed, type Page, readable } from '../../../engine/wire/decode.ts'
import { accountTransactions } from '../../indexer/accounts/accountTransactions.ts'
import { withinShare } from '../../indexer/accounts/chainShare.ts'
import { parseNanoseconds } from '../../indexer/time/timeFilter.ts'
import { clockSlack, type FoundStep, isInTime, readableSteps } from '../../indexer/transaction/bridgeSteps.ts'
import { fetchTransaction, type TransactionRecord } from '../../indexer/transaction/wire.ts'
import { findPlace, newestOf, usualDelay, walkOf } from './accountWalk.ts'

/** Which step to look for. */
export interface StepSearch {
  readonly chain: ServedChain
  /** An account that the step names, in any spelling. */
  readonly account: string
  /** The step that is known. */
  readonly known: FoundStep
  /** Whether the other one comes after it, or before it. */
  readonly isAfter: boolean
  readonly matches: (step: FoundStep) => boolean
}

/** The newest transactions of an account that are read for a step: most ends come within a minute. */
const newestCount = 25

/** The pages of an account that are read from a time on. */
const maxPages = 2

/** A step, null if there is none, or undefined if it was not found, but what was not read can have it. */
export type StepResult = FoundStep | null | undefined

/** A transaction that may have a step. */
export interface NamedTransaction {
  readonly chainId: string
  readonly hash: string
}

/** Looks for a step in transactions whose hashes are known. Null if none of them has it, or none can be read. */
export async function findNamed(
  context: Context,
  search: StepSearch,
  named: readonly NamedTransaction[],
): Promise<FoundStep | null> {
  const { chain } = search
  for (const { hash } of named.filter(({ chainId }) => chainId === chain.chainId)) {
    const record = await fetchTransaction(context, chain, hash).catch(() => null)
    const steps = record ? await readableSteps(context, chain, record) : []
    const found = steps instanceof GatewayError ? undefined : matchOf(search, steps)
    if (found) return found
  }
  return null
}

/** The step that is looked for, if it is among these. */
const matchOf = ({ known, isAfter, matches }: StepSearch, steps: readonly FoundStep[]): FoundStep | undefined =>
  steps.find((step) => (isAfter ? isInTime(known, step) : isInTime(step, known)) && matches(step))

/** Looks for a step in the transactions of an account: among the newest ones, else from the time of the known step on. */
export function findStep(context: Context, search: StepSearch): Promise<StepResult> {
  return withinShare(context, search.chain.chainId, () => findIn(context, search))
}

/** A step in the walk of a page, and in what comes after it. Null if it is to be searched for elsewhere. */
async function findInWalk(context: Context, search: StepSearch): Promise<{ readonly result: StepResult } | null> {
  const { chain, account, known, isAfter } = search
  const walk = await walkOf(context, chain, account)
  if (!walk) return null
  const before = matchOf(search, walk.steps)
  if (before) return { result: before }
  const time = parseNanoseconds(known.timestamp)
  const isRead = await walk.reach(isAfter ? time - clockSlack : time - usualDelay)
  const found = matchOf(search, walk.steps)
  if (found) return { result: found }
  // What comes before a step can be long before it.
  if (!isRead || !isAfter) return null
  const later = await walk.later()
  return { result: matchOf(search, later.steps) ?? (later.isWhole ? null : undefined) }
}

async function findIn(context: Context, search: StepSearch): Promise<StepResult> {
  const walked = await findInWalk(context, search)
  if (walked) return walked.result
  const { chain, account, known, isAfter } = search
  const source = await accountTransactions(context, chain, account, {})
  const list = new List(context.scope, chain.indexer, source, 'DESC')
  const knownTime = parseNanoseconds(known.timestamp)
  const time = isAfter ? knownTime - clockSlack : knownTime + clockSlack
  const newest = await list.fetch({ limit: newestOf(context, account, newestCount), isReverse: true })
  if (!newest) return undefined
  const found = await matchIn(context, search, newest)
  if (found || newest.nextKey === null) return found
  const reachesBack = endTime(newest) < time
  if (isAfter && reachesBack) return found
  const place = reachesBack ? null : await findPlace(context, chain, time, { isReverse: !isAfter })
  if (!reachesBack && place === null) return undefined
  let key = place === null ? newest.nextKey : encodeKey('sequence', isAfter ? place - 1n : place)
  let isWhole = found === null
  for (let pages = 0; pages < maxPages; pages += 1) {
    const page = await list.fetch({ key, limit: scanPage, isReverse: !isAfter })
    if (!page) return undefined
    const match = await matchIn(context, search, page)
    if (match) return match
    isWhole &&= match === null
    if (page.nextKey === null) return isWhole ? null : undefined
    key = page.nextKey
  }
  return undefined
}

async function matchIn(
  context: Context,
  search: StepSearch,
  { items }: Page<Listed<TransactionRecord>>,
): Promise<StepResult> {
  const { chain } = search
  const records = readable(items)
  let isWhole = records.length === items.length
  for (const record of records) {
    const steps = await readableSteps(context, chain, record)
    if (steps instanceof GatewayError) isWhole = false
    else {
      const found = matchOf(search, steps)
      if (found) return found
    }
  }
  return isWhole ? null : undefined
}

/** The time of the last record of a page. */
const endTime = ({ items }: Page<Listed<TransactionRecord>>): bigint => {
  const last = readable(items).at(-1)
  return last ? parseNanoseconds(last.timestamp) : 0n
}
