import {
  type ConstDirectiveNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isListType,
  isNonNullType,
} from 'graphql'
import { directive, sdlWith } from './sdl.ts'

/** The schema as clients read it: in SDL, with `@semanticNonNull`. */
export const publicSdl = (schema: GraphQLSchema): string =>
  semanticNonNullDefinition +
  sdlWith(schema, { ofField: (name, field) => semanticNonNull(schema.getType(name), field) })

// Most nullable fields are so that one failing upstream costs no other field. Clients that handle errors need no
// check for null at them: `@semanticNonNull` says which they are. Its form is that of the proposal for semantic
// nullability that Relay and Apollo Kotlin read.

const semanticNonNullDefinition = `"""
The field is null only together with an error at its path. \`levels\` has the depths of lists for which this holds: 0 is the field, 1 the items.
"""
directive @semanticNonNull(levels: [Int] = [0]) on FIELD_DEFINITION

`

/** A sentence about a null that comes with an error. */
const nullWithError = /[^.]*\bnull, with an error\b[^.]*(?:\.|$)/gi

/** Whether a description says that something is null without an error. */
const saysNull = (description: string | null | undefined): boolean =>
  /\bnull\b/i.test((description ?? '').replaceAll(nullWithError, ''))

/**
 * The depths of a field that are null only with an error. Descriptions say what is null without one: that of the
 * field, or that of its type for several fields. If neither does, all nullable depths are.
 */
export const semanticLevels = (
  owner: GraphQLNamedType | undefined,
  { type, description }: Pick<GraphQLField<unknown, unknown>, 'type' | 'description'>,
): number[] => (saysNull(owner?.description) || saysNull(description) ? [] : nullableLevels(type))

function nullableLevels(type: GraphQLOutputType): number[] {
  const levels: number[] = []
  let inner: GraphQLOutputType | undefined = type
  for (let level = 0; inner; level += 1) {
    if (!isNonNullType(inner)) levels.push(level)
    const bare: GraphQLOutputType = isNonNullType(inner) ? inner.ofType : inner
    inner = isListType(bare) ? bare.ofType : undefined
  }
  return levels
}

/** The directive of a field, if it is null only with an error. */
function semanticNonNull(
  owner: GraphQLNamedType | undefined,
  field: GraphQLField<unknown, unknown>,
): ConstDirectiveNode[] {
  const levels = semanticLevels(owner, field)
  if (levels.length === 0) return []
  const isUsual = levels.length === 1 && levels[0] === 0
  return [directive('semanticNonNull', isUsual ? {} : { levels: `[${levels.join(', ')}]` })]
}
