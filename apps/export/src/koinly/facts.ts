import { assetIdOf } from '#kit/activityTable'
import { type Fact, type Trade, toFact } from './fact.ts'
import type { Action, ActionAmount, KoinlyChange } from './koinlyEdge.ts'
import { findStaking, isStaking } from './staking.ts'
import { takeTrades } from './trades.ts'

/** What a transaction did to an account, apart from the fee. Each amount did move, and is in one of them only. */
export interface Facts {
  readonly losses: readonly Fact[]
  readonly trades: readonly Trade[]
  readonly gains: readonly Fact[]
  /** What messages that change or claim from a stake paid out. */
  readonly rewards: readonly Fact[]
}

/** An amount that came back to the account: positive where it was sent, and negative where it returned. */
export interface Correction {
  readonly denom: string
  readonly amount: bigint
}

/** The sums of an asset in a transaction. */
interface Sums {
  readonly change: KoinlyChange
  losses: bigint
  gains: bigint
  rewards: bigint
}

/**
 * The facts in the changes of coins and tokens by each message. What a stake takes is no loss, and what it pays is told
 * apart from all else, so that a claimed reward and its stake are two facts. Corrections are in neither.
 */
export function factsOf(
  changes: readonly KoinlyChange[],
  own: readonly Action[],
  corrections: readonly Correction[],
): Facts {
  const { trades, others } = takeTrades(changes.flatMap(toFact), own)
  const sums = new Map<string, Sums>()
  const add = (assetId: string, part: 'losses' | 'gains' | 'rewards', amount: bigint) => {
    const known = sums.get(assetId) ?? newSums(assetId, changes, own)
    if (!known) return
    sums.set(assetId, known)
    known[part] += amount
  }
  for (const { assetId, amount } of others) add(assetId, amount < 0n ? 'losses' : 'gains', amount)
  const messages = new Set(own.filter(isStaking).map(({ messageIndex }) => messageIndex))
  for (const message of messages) {
    const isOf = ({ messageIndex }: { readonly messageIndex: number | null }) => messageIndex === message
    const moved = others.filter(({ change }) => isOf(change))
    for (const { assetId, staked, rewards } of findStaking(moved, own.filter(isOf))) {
      add(assetId, 'losses', staked)
      add(assetId, 'gains', -rewards)
      add(assetId, 'rewards', rewards)
    }
  }
  for (const { denom, amount } of corrections) add(denom, amount > 0n ? 'losses' : 'gains', amount)
  const all = [...sums].map(([assetId, { change, rewards, ...moved }]) => ({
    ...balanced(moved),
    rewards,
    toFact: (amount: bigint) => (amount === 0n ? [] : [{ assetId, amount, change }]),
  }))
  return {
    losses: all.flatMap(({ losses, toFact }) => toFact(losses)),
    trades,
    gains: all.flatMap(({ gains, toFact }) => toFact(gains)),
    rewards: all.flatMap(({ rewards, toFact }) => toFact(rewards)),
  }
}

/** A message that pays rewards as it takes a stake has one change of both: what is left of one is part of the other. */
function balanced({ losses, gains }: Pick<Sums, 'losses' | 'gains'>): Pick<Sums, 'losses' | 'gains'> {
  const over = losses > 0n ? losses : gains < 0n ? gains : 0n
  return losses > 0n ? { losses: 0n, gains: gains + over } : { losses: losses + over, gains: gains - over }
}

/** An asset that a message took as much of as it paid has no change of its own: the fee or an action tells it. */
function newSums(assetId: string, changes: readonly KoinlyChange[], own: readonly Action[]): Sums | undefined {
  const change = changes.find((each) => assetIdOf(each) === assetId) ?? changeOfAction(assetId, own)
  return change && { change, losses: 0n, gains: 0n, rewards: 0n }
}

function changeOfAction(denom: string, own: readonly Action[]): KoinlyChange | undefined {
  const named = own
    .flatMap(({ amounts, receivedAmounts }): readonly ActionAmount[] => [
      ...(amounts ?? []),
      ...(receivedAmounts ?? []),
    ])
    .find((each) => each.denom === denom)
  return (
    named && {
      ...{ kind: 'COIN', amount: '0', usdValueAtTime: null, denom, objectAddress: null, messageIndex: null },
      ...{ contract: null, collection: null, asset: named.asset ?? null },
    }
  )
}
