import { formatAmount } from '@portolan/client/amounts'
import { assetIdOf } from '#kit/activity'
import type { ActivityEdge, ExportedChange } from '../subjects/activity.ts'

/** What an account lost or gained of an asset by a transaction, apart from what it still owns. */
export interface Net {
  readonly assetId: string
  readonly amount: bigint
  readonly change: ExportedChange
}

/** An amount of an asset that is added to a net one. */
export interface Correction {
  readonly denom: string
  readonly amount: bigint
}

/**
 * The net losses and gains of coins and tokens. Corrections are amounts that left the balance and not the owner, such as
 * stake, and with the other sign those that came back.
 */
export function toNets(changes: readonly ExportedChange[], corrections: readonly Correction[]): readonly Net[] {
  const nets = changes.flatMap((change) => {
    const assetId = assetIdOf(change)
    return /^(COIN|TOKEN)$/.test(change.kind) && assetId !== null
      ? [{ assetId, amount: BigInt(change.amount), change }]
      : []
  })
  return nets
    .map((net) => {
      const own = corrections.filter(({ denom }) => denom === net.assetId)
      return { ...net, amount: own.reduce((sum, { amount }) => sum + amount, net.amount) }
    })
    .filter(({ amount }) => amount !== 0n)
}

/** An amount without its sign: in whole units, or in base units if its decimals are unknown. */
export function toMagnitude(amount: bigint, change: ExportedChange): string {
  const size = amount < 0n ? -amount : amount
  const decimals = change.asset?.decimals
  return decimals == null ? String(size) : formatAmount(size, decimals)
}

/** Whether the account signed the transaction. */
export const isSigner = ({ node }: ActivityEdge, account: string): boolean =>
  node?.signers?.some((signer) => signer.account?.hexAddress === account) ?? false
