import {
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { schema } from './graph.ts'

/**
 * A selection of fields of the graph whose arguments are all optional, down to `depth` levels. `choose` picks one of
 * so many.
 */
export function randomSelection(type: GraphQLNamedType, depth: number, choose: (count: number) => number): string {
  if (isAbstractType(type)) {
    const possible = schema.getPossibleTypes(type)
    const chosen = possible[choose(possible.length)]
    return chosen ? `{ __typename ... on ${chosen.name} ${randomSelection(chosen, depth, choose)} }` : '{ __typename }'
  }
  if (!isObjectType(type)) throw new Error(`${type.name} has no fields`)
  const fields = Object.values(type.getFields()).filter(
    (field) => !field.args.some(isRequiredArgument) && (depth > 0 || isLeafType(getNamedType(field.type))),
  )
  const names = new Map<string, string>()
  for (let left = 1 + choose(4); left > 0; left -= 1) {
    const field = fields[choose(fields.length)]
    if (!field) continue
    const inner = getNamedType(field.type)
    const args = field.args.some(({ name }) => name === 'first') ? '(first: 2)' : ''
    const own = isLeafType(inner) ? '' : ` ${randomSelection(inner, depth - 1, choose)}`
    names.set(field.name, `${field.name}${args}${own}`)
  }
  return names.size === 0 ? '{ __typename }' : `{ ${[...names.values()].join(' ')} }`
}
