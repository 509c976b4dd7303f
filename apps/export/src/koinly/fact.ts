import { assetIdOf } from '#kit/activityTable'
import type { KoinlyChange } from './koinlyEdge.ts'

/** An amount of an asset that an account lost, which is negative, or gained. */
export interface Fact {
  readonly assetId: string
  readonly amount: bigint
  /** The change that tells the asset and its value. */
  readonly change: KoinlyChange
}

/** What an account lost for what it gained. */
export interface Trade {
  readonly sent: Fact
  readonly received: Fact
}

/** The change of a coin or a token. None for others. */
export function toFact(change: KoinlyChange): readonly Fact[] {
  const assetId = assetIdOf(change)
  return /^(COIN|TOKEN)$/.test(change.kind) && assetId !== null
    ? [{ assetId, amount: BigInt(change.amount), change }]
    : []
}
