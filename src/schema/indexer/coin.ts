import { z } from 'zod'
import { builder } from '../../engine/graphql/builder.ts'
import { GatewayError } from '../../engine/upstream/error.ts'
import type { ServedChain } from '../../engine/upstream/network.ts'
import { amount } from '../../engine/wire/decode.ts'
import { AssetAmount } from '../amount/assetAmount.ts'

/** A coin on the wire. The amount is in base units. */
export const coin = z.object({ denom: z.string(), amount })

/** An amount of a denom of a chain. */
export interface CoinShape extends z.output<typeof coin> {
  readonly chainId: string
}

/** The graph's values for coins of a chain. */
export const coinsOf = (
  { chainId }: Pick<ServedChain, 'chainId'>,
  coins: readonly z.output<typeof coin>[],
): CoinShape[] => coins.map(({ denom, amount }) => ({ chainId, denom, amount }))

export const Coin = builder.objectRef<CoinShape>('Coin').implement({
  description: 'An amount of a denom.',
  interfaces: [AssetAmount],
  fields: (t) => ({
    denom: t.nullable('Denom', 'Base denom, such as `uinit` or `ibc/…`.', ({ denom }) => denom),
    amount: t.nullable('BigInt', 'Amount in base units.', ({ amount }) => amount),
  }),
})

/** The gas of a record. Throws for a negative number, so that only its field is null. */
export function gasOf({ chainId }: Pick<ServedChain, 'chainId'>, gas: bigint): bigint {
  if (gas >= 0n) return gas
  const message = `The indexer of ${chainId} sent a negative amount of gas.`
  throw new GatewayError('UPSTREAM_INVALID_RESPONSE', message, { service: chainId })
}
