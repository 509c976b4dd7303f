import { builder } from '../../graphql/builder.ts'
import { ifKnown } from '../../graphql/fields.ts'

/** An amount of a denom of a chain, as far as its record says. */
export interface AmountShape {
  readonly chainId: string | null
  readonly denom: string | null
  /** In base units. */
  readonly amount: bigint | null
  /** Number of decimal places, if the record of the amount says it. */
  readonly decimals?: number | null | undefined
}

/**
 * The fields of all amounts. The router's part adds the asset, and the fields that need the asset. A type that
 * always knows its denom or amount declares that field as not nullable.
 */
export const AssetAmount = builder.interfaceRef<AmountShape>('AssetAmount').implement({
  description: 'An amount of an asset.',
  fields: (t) => ({
    denom: ifKnown(t, 'Denom', 'Base denom, or a token contract.', ({ denom }) => denom),
    amount: t.expose('amount', {
      type: 'BigInt',
      nullable: true,
      description: 'Amount in base units. Null if unknown, with an error if unreadable.',
    }),
  }),
})
