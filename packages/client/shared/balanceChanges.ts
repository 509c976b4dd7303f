import {
  balanceChanges as changesOf,
  type ExecutedTransaction,
} from '../../../src/balanceChanges/balanceChanges.ts'
import type { BalanceChange } from '../../../src/balanceChanges/change.ts'
import {
  knownDenoms as indexOf,
  type KnownDenoms,
  type ListedDenom,
} from '../../../src/balanceChanges/denoms.ts'
import type { ChainEvent } from '../../../src/balanceChanges/events.ts'
import { allSteps } from '../../../src/kit/clock/steps.ts'

export type { BalanceChange, ChainEvent, ExecutedTransaction, KnownDenoms, ListedDenom }

/** What is known of the chain of a transaction. */
export interface EventChain {
  /** By default, the machine that the events are of. */
  readonly vm?: ExecutedTransaction['vm']
  /** By default, a denom that cannot be told without the list of assets is null. */
  readonly known?: KnownDenoms
}

/** What else is known of a transaction, and whose changes are asked for. */
export interface ChangeOptions extends Partial<Pick<ExecutedTransaction, 'code' | 'evmLogs'>> {
  /** In any spelling. By default, each account that the transaction touched. */
  readonly account?: string
}

/**
 * What accounts lose and get by a transaction, as the gateway computes it: from the events of one that was executed, or of
 * its simulation. Amounts are in base units, and negative for what an account loses.
 */
export const balanceChanges = (
  events: readonly ChainEvent[],
  { vm, known }: EventChain = {},
  { code = 0, evmLogs, account }: ChangeOptions = {},
): BalanceChange[] =>
  allSteps(changesOf({ vm, code, events, evmLogs }, { account, known: known ?? null }))

/** The assets of a chain as an index of their contracts and metadata. Make it once for each list. */
export const knownDenoms = (assets: readonly ListedDenom[]): KnownDenoms => indexOf(assets)
