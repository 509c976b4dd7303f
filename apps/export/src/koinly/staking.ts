import type { Fact } from './fact.ts'
import type { Action, ActionAmount } from './koinlyEdge.ts'

/** What a message of a stake did to an account, of one asset. */
export interface Staking {
  readonly assetId: string
  /** What left the balance, and stays the account's. */
  readonly staked: bigint
  /** What it paid to the account. */
  readonly rewards: bigint
}

/** Whether an action changes a stake or claims what it earned. */
export const isStaking = ({ kind }: Pick<Action, 'kind'>): boolean =>
  /^(STAKE|UNSTAKE|REDELEGATE|CLAIM_REWARDS)$/.test(kind)

/** A stake that did not leave is told as one too, but nothing moves. */
const takesStake = ({ kind, rawKind }: Action): boolean =>
  kind === 'STAKE' && !rawKind?.endsWith('.MsgCancelUnbondingDelegation')

/**
 * What a message took for a stake and paid of one, from what it moved and from all that the account did by it. Rewards
 * that went to another account are none, and where the message does something else too, only what it says that it paid.
 */
export function findStaking(moved: readonly Fact[], own: readonly Action[]): readonly Staking[] {
  const stakes = own.filter(isStaking)
  const taken = stakes.filter(takesStake).flatMap(({ amounts }) => amounts ?? [])
  const told = stakes.flatMap(({ receivedAmounts }) => receivedAmounts ?? [])
  const assets = new Set([...moved.map(({ assetId }) => assetId), ...[...taken, ...told].map(({ denom }) => denom)])
  return [...assets].map((assetId) => {
    const amounts = moved.flatMap((fact) => (fact.assetId === assetId ? fact.amount : []))
    const [lost, got] = [sumOf(amounts.filter((each) => each < 0n)), sumOf(amounts.filter((each) => each > 0n))]
    const stake = sumOf(amountsIn(taken, assetId))
    const unsaid = stakes.length === own.length ? max(lost + got + stake, 0n) : 0n
    const paid = told.length > 0 ? sumOf(amountsIn(told, assetId)) : unsaid
    const staked = min(stake, paid - lost)
    return { assetId, staked, rewards: min(paid, got + max(lost + staked, 0n)) }
  })
}

const amountsIn = (amounts: readonly ActionAmount[], assetId: string): readonly bigint[] =>
  amounts.flatMap(({ denom, amount }) => (denom === assetId ? BigInt(amount) : []))

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)
const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)
const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
