import { builder } from '../../engine/graphql/builder.ts'
import { readValue } from '../../engine/upstream/upstreamError.ts'
import type { Optional } from '../../engine/wire/optional.ts'

/** The amount. Only those of the router can be unreadable: an error without their record. */
export const knownAmount = ({ amount }: AmountShape): bigint | null => readValue('router', amount)

/** An amount of a denom of a chain, as far as its record says. */
export interface AmountShape {
  readonly chainId: Optional<string>
  readonly denom: Optional<string>
  /** In base units. */
  readonly amount: Optional<bigint>
  /** Number of decimal places, if the record of the amount says it. */
  readonly decimals?: Optional<number>
}

/**
 * The fields of all amounts. The router's part adds the asset, and the fields that need the asset. A type that
 * always knows its denom or amount declares that field as not nullable.
 */
export const AssetAmount = builder.interfaceRef<AmountShape>('AssetAmount').implement({
  description: 'An amount of an asset.',
  fields: (t) => ({
    denom: t.ifKnown('Denom', 'Base denom, or a token contract.', ({ denom }) => readValue('router', denom)),
    amount: t.nullable('BigInt', 'Amount in base units. Null if unknown, with an error if unreadable.', knownAmount),
  }),
})
