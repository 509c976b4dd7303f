import type { Context } from '../../../engine/graphql/builder.ts'
import { GatewayError } from '../../../engine/upstream/error.ts'
import type { ServedChain } from '../../../engine/upstream/network.ts'
import { withinShare } from '../../indexer/accounts/chainShare.ts'
import { parseNanoseconds } from '../../indexer/time/timeFilter.ts'
import { clockSlack, type FoundStep, isInTime, readableSteps } from '../../indexer/transaction/bridgeSteps.ts'
import { fetchTransaction } from '../../indexer/transaction/wire.ts'
import { accountSteps, always, type TimeSpan } from './accountSteps.ts'

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
  /** When it can come, if that is not the usual time. */
  readonly due?: TimeSpan | undefined
  /**
   * Called if the search ended before all was read in which it is due: the account has too many transactions then, or the operation has
   * used its share of requests, so that the next one can read more.
   */
  readonly onCut?: (canReadMore: boolean) => void
}

/** Most other ends come within this time, in nanoseconds. */
export const usualDelay = 900_000_000_000n

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

/** Looks for a step in the transactions of an account. */
export function findStep(context: Context, search: StepSearch): Promise<StepResult> {
  const { chain, account, isAfter, onCut } = search
  return withinShare(context, chain.chainId, async () => {
    const due = search.due ?? usualSpan(search)
    const steps = await accountSteps(context, chain, account)
    const found = await steps.find((step) => matchOf(search, [step]) !== undefined, due, isAfter)
    if (found) return found
    if (!steps.covers(due)) onCut?.(steps.isCut)
    const usual = usualSpan(search)
    const possible = isAfter ? { ...always, from: usual.from } : { ...always, until: usual.until }
    return steps.covers(possible) ? null : undefined
  })
}

/** When a step is usually due by the times of the two chains: after the known one, or before it. */
function usualSpan({ known, isAfter }: Pick<StepSearch, 'known' | 'isAfter'>): TimeSpan {
  const time = parseNanoseconds(known.timestamp)
  return isAfter
    ? { from: time - clockSlack, until: time + usualDelay }
    : { from: time - usualDelay, until: time + clockSlack }
}
