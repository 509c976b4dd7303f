import type { BridgeStoryFragment, TransferSubscription } from '../generated/graphql.ts'
import { text } from '../text.ts'

type Found = TransferSubscription['transfer']

/** The name of an enum value in words. */
export const words = (name: string) => name.toLowerCase().replaceAll('_', ' ')

/** How an outcome is marked. */
export const outcomeClass = (outcome: string) => ({ SUCCEEDED: 'good', FAILED: 'bad', ABANDONED: 'bad' })[outcome]

/** Whether neither the router nor an indexer has seen the first transaction: an invented hash looks the same. */
export const isUnseen = ({ isTerminal, hops, transaction }: Found) =>
  !isTerminal && !transaction && hops.every(({ transactions }) => transactions.length === 0)

/** How far a transfer is, in words: its situation, or else its outcome, with the state while that says more. */
export function progressOf(transfer: Found): string {
  const { outcome, state, isTerminal, chain, guidance } = transfer
  if (isUnseen(transfer)) return text.notFoundYet(chain.prettyName)
  const situation = text.situations[guidance.code]
  return situation ?? (isTerminal || state === outcome ? words(outcome) : `${words(outcome)} · ${words(state)}`)
}

/** Whether a bridge transfer needs no watch: by the transfer that it began, or else by the records of the chains. */
export const isOver = ({ transfer, guidance }: BridgeStoryFragment): boolean =>
  transfer
    ? transfer.outcome === 'SUCCEEDED' || transfer.outcome === 'FAILED'
    : guidance.funds === 'DELIVERED' || guidance.funds === 'RETURNED'
