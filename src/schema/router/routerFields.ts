import type { Field } from '../../graphql/builder.ts'
import { type Fields, type FieldType, ifKnown, type Shown } from '../../graphql/fields.ts'
import { readValue } from '../../upstream/upstreamError.ts'
import type { Optional } from '../../wire/optional.ts'

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
): Field => ifKnown(t, type, sentence, (shape) => readRouterValue(pick(shape)) as never)
