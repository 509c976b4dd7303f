import { GraphQLBoolean, GraphQLID, type GraphQLLeafType, GraphQLString } from 'graphql'
import { nameBytes } from '../../operation/answerSize.ts'
import type { Site, Step } from './compileResolver.ts'
import { inspect } from './runtimeType.ts'

/** The scalars of graphql-js that serialize values of this type to themselves. */
const identities: ReadonlyMap<unknown, string> = new Map<unknown, string>([
  [GraphQLString, 'string'],
  [GraphQLID, 'string'],
  [GraphQLBoolean, 'boolean'],
])

/** Completes a value of a scalar or an enum. */
export function compileLeaf({ options: { output }, nodes }: Site, type: GraphQLLeafType): Step {
  const { leaf } = output
  const [node] = nodes
  const bytes = nameBytes(node?.alias?.value ?? node?.name.value ?? '')
  const identity = identities.get(type)
  return (run, value) => {
    if (typeof value === identity) return leaf(run, value, bytes)
    const serialized = type.serialize(value)
    if (serialized !== undefined && serialized !== null) return leaf(run, serialized, bytes)
    throw new Error(
      `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
    )
  }
}
