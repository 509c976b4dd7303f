import type { Context, Field } from '../../engine/graphql/builder.ts'
import { type Fields, type FieldType, nullableField, type Shown } from '../../engine/graphql/fields.ts'
import { readValue } from '../../engine/upstream/upstreamError.ts'
import type { Optional } from '../../engine/wire/optional.ts'
import { Chain } from '../chain/chain.ts'
import { chainOf } from '../chain/knownChain.ts'

/** A value that the router sent, or null if it sent none. Throws `UPSTREAM_INVALID_RESPONSE` if it cannot be read. */
export const readRouterValue = <T>(value: Optional<T>): T | null => readValue('router', value)

/**
 * A field that shows a value of the router, if it sent one. It has an error if the value cannot be read. `sentence`
 * describes it without its null.
 */
export const ifSent = <Shape, Type extends FieldType>(
  t: Fields<Shape>,
  type: Type,
  sentence: string,
  pick: (shape: Shape) => Optional<Shown<Type>>,
): Field => nullableField(t, type, sentence, (shape) => readRouterValue(pick(shape)) as never)

/** A field from a chain id to its chain. `which` says which chain it is, without a full stop. */
export const chainField = <Shape>(t: Fields<Shape>, which: string, idOf: (shape: Shape) => string): Field =>
  t.field({
    type: Chain,
    description: `${which}. Only its id may be known.`,
    resolve: (shape: Shape, _args: object, context: Context) => chainOf(context, idOf(shape)),
  })

/** Like `chainField`, where the router may leave out the id. */
export const optionalChainField = <Shape>(
  t: Fields<Shape>,
  which: string,
  idOf: (shape: Shape) => Optional<string>,
): Field =>
  t.field({
    type: Chain,
    nullable: true,
    description: `${which}. Null if unknown.`,
    resolve: (shape: Shape, _args: object, context: Context) => {
      const chainId = readRouterValue(idOf(shape))
      return chainId === null ? null : chainOf(context, chainId)
    },
  })
