import type { Field } from '../../engine/graphql/builder.ts'
import type { Fields, FieldType, FieldValue } from '../../engine/graphql/fields.ts'
import { readValue } from '../../engine/upstream/upstreamError.ts'
import type { Optional } from '../../engine/wire/optional.ts'
import { Chain } from '../chain/chain.ts'
import { chainOf } from '../chain/knownChain.ts'

/** A value that the router sent, or null if it sent none. Throws `UPSTREAM_INVALID_RESPONSE` if it cannot be read. */
export const readRouterValue = <T>(value: Optional<T>): T | null => readValue('router', value)

/** A plain field that shows a value of the router, or null if it sent none. It has an error if the value cannot be read. */
export const sent = <Shape, Type extends FieldType>(
  t: Fields<Shape>,
  type: Type,
  description: string,
  pick: (shape: Shape) => Optional<FieldValue<Type>>,
  extensions?: Readonly<Record<string, unknown>>,
): Field =>
  // TypeScript does not resolve Pothos' conditional types for a generic type.
  t.nullable(type, description, (shape) => readRouterValue(pick(shape)) as never, extensions)

/** The same where a null says only that the value is unknown. `sentence` describes the field without its null. */
export const ifSent = <Shape, Type extends FieldType>(
  t: Fields<Shape>,
  type: Type,
  sentence: string,
  pick: (shape: Shape) => Optional<FieldValue<Type>>,
): Field => sent(t, type, `${sentence} Null if unknown.`, pick)

/** A field from a chain id to its chain. `which` says which chain it is, without a full stop. */
export const chainField = <Shape>(t: Fields<Shape>, which: string, idOf: (shape: Shape) => string): Field =>
  t.value(Chain, `${which}. Only its id may be known.`, (shape, _args, context) => chainOf(context, idOf(shape)))

/** Like `chainField`, where the router may leave out the id. */
export const optionalChainField = <Shape>(
  t: Fields<Shape>,
  which: string,
  idOf: (shape: Shape) => Optional<string>,
): Field =>
  t.ifKnown(Chain, `${which}.`, (shape, _args, context) => {
    const chainId = readRouterValue(idOf(shape))
    return chainId === null ? null : chainOf(context, chainId)
  })
