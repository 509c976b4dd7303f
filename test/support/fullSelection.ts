import {
  type GraphQLField,
  type GraphQLNamedType,
  getNamedType,
  isAbstractType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { schema } from './graph.ts'

type Field = GraphQLField<unknown, unknown>

/** Records to read of each list. */
const pageSize = 2

const argumentsOf = ({ args }: Field) => (args.some(({ name }) => name === 'last') ? `(first: ${pageSize})` : '')

/**
 * A selection of every field of a type whose arguments are all optional, with their own fields down to
 * `depth` levels. Fields of the cases of a union or an interface have aliases, since their types differ.
 */
export function fullSelection(type: GraphQLNamedType, depth: number, alias = ''): string {
  if (isAbstractType(type)) {
    const cases = schema.getPossibleTypes(type).map((possible) => {
      const inner = fullSelection(possible, depth, `${possible.name}_`)
      return `... on ${possible.name} ${inner}`
    })
    return `{ __typename ${cases.join(' ')} }`
  }
  if (!isObjectType(type)) throw new Error(`${type.name} has no fields`)
  const fields = Object.values(type.getFields())
    .filter(({ args }) => !args.some(isRequiredArgument))
    .flatMap((field) => {
      const fieldType = getNamedType(field.type)
      const head = `${alias && `${alias}${field.name}: `}${field.name}${argumentsOf(field)}`
      if (isLeafType(fieldType)) return [head]
      return depth > 0 ? [`${head} ${fullSelection(fieldType, depth - 1)}`] : []
    })
  return `{ __typename ${fields.join(' ')} }`
}
