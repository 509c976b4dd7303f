import { allSteps } from '#kit/steps'
import type { Action, ActionAmount } from './actions/action.ts'
import { actionsOf } from './actions/actions.ts'
import type { Fields } from './actions/fields.ts'
import { type ActionKind, titleOf } from './actions/kinds.ts'
import { rawAmount, type SummaryPart, summaryParts, wholeAmount, wholeUnits } from './actions/summary.ts'
import { balanceChanges as changesOf, denomsOf, type ExecutedTransaction } from './balanceChanges/balanceChanges.ts'
import { UnboundedChanges } from './balanceChanges/bound.ts'
import type { BalanceChange } from './balanceChanges/change.ts'
import { type DenomOf, knownDenoms as indexOf, type KnownDenoms, type ListedDenom } from './balanceChanges/denoms.ts'
import type { ChainEvent } from './balanceChanges/events.ts'

export type {
  Action,
  ActionKind,
  BalanceChange,
  ChainEvent,
  ExecutedTransaction,
  KnownDenoms,
  ListedDenom,
  SummaryPart,
}

/** A transaction as nodes of the Cosmos SDK answer at `/cosmos/tx/v1beta1/txs/{hash}`. */
export interface NodeTransaction {
  readonly tx: { readonly body: { readonly messages: readonly Fields[] } }
  readonly tx_response: { readonly code: number; readonly events: readonly ChainEvent[] }
}

/** An asset of the chain, by which amounts are written. */
export interface ListedAsset extends ListedDenom {
  readonly symbol: string
  readonly decimals: number
}

/** What is known of the chain of a transaction, and whose changes are asked for. */
export interface TellOptions {
  /** By default, the machine that the events are of. */
  readonly vm?: ExecutedTransaction['vm']
  /** Amounts of other assets are in base units. Default: none. */
  readonly assets?: readonly ListedAsset[]
  /** In any spelling. By default, each account that the transaction touched. */
  readonly account?: string
}

/** An action of a transaction, in words. */
export interface ToldAction extends Action {
  /** Two or three words, such as `Token swap` or `Failed token swap`. */
  readonly title: string
  /** A sentence without its subject, such as `Sent 5 ATOM to cosmos1…`. */
  readonly summary: string
  /** The sentence in its parts, so that a page can make links of what it names. */
  readonly parts: readonly SummaryPart[]
}

/** What a transaction did, and what accounts lost and got by it. */
export interface ToldTransaction {
  readonly actions: readonly ToldAction[]
  /** In base units, negative for what an account lost. The fee is a change of its own. */
  readonly changes: readonly BalanceChange[]
}

/**
 * Describes what a transaction did, and whose balances it changed.
 * @throws UnboundedChanges if it has too much to read.
 */
export function tellTransaction(
  { tx, tx_response: { code, events } }: NodeTransaction,
  { vm, assets = [], account }: TellOptions = {},
): ToldTransaction {
  const { messages } = tx.body
  const known = knownDenoms(assets)
  const nameOf = allSteps(denomsOf({ vm, events }, { known }))
  const writeAmount = writerOf(assets, nameOf)
  const actions = allSteps(actionsOf({ isSuccessful: code === 0, messages, events }))
  return {
    actions: actions.map((action) => {
      const parts = summaryParts(action, { writeAmount })
      return { ...action, title: titleOf(action), summary: parts.map(({ text }) => text).join(''), parts }
    }),
    changes: balanceChanges(events, { vm, known }, { code, ...(account && { account }) }),
  }
}

/** Writes amounts in whole units of the assets, and other ones in base units. */
function writerOf(assets: readonly ListedAsset[], nameOf: DenomOf) {
  const byDenom = new Map(assets.map((asset) => [asset.denom, asset]))
  return (amount: ActionAmount): string => {
    const contract = amount.metadata ?? amount.denom ?? ''
    const asset = byDenom.get(contract) ?? byDenom.get(nameIn(contract, nameOf))
    return asset ? wholeAmount(wholeUnits(amount.amount, asset.decimals), asset.symbol) : rawAmount(amount)
  }
}

/** The denom of a contract or of metadata, or the text itself. */
function nameIn(contract: string, nameOf: DenomOf): string {
  try {
    return nameOf(contract) ?? contract
  } catch (error) {
    if (!(error instanceof UnboundedChanges)) throw error
    return contract
  }
}

/** What is known of the chain of events. */
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
 * What accounts lose and get by a transaction: from the events of one that was executed, or of its simulation. Amounts are in
 * base units, and negative for what an account loses.
 * @throws UnboundedChanges if the transaction has too much to read.
 */
export const balanceChanges = (
  events: readonly ChainEvent[],
  { vm, known }: EventChain = {},
  { code = 0, evmLogs, account }: ChangeOptions = {},
): BalanceChange[] => allSteps(changesOf({ vm, code, events, evmLogs }, { account, known: known ?? null }))

/** The assets of a chain as an index of their contracts and metadata. Make it once for each list. */
export const knownDenoms = (assets: readonly ListedDenom[]): KnownDenoms => indexOf(assets)
