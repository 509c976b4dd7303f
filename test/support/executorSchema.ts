import {
  buildSchema,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isEnumType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type ResponsePath,
} from 'graphql'

const fields = `
  id: ID!
  name: String!
  nick: String
  count: Int
  ratio: Float!
  flag: Boolean!
  color: Color
  colorMust: Color!
  any: Any
  odd: Odd
  oddMust: Odd!
  ints: [Int!]!
  maybeInts: [Int]
  matrix: [[Int!]]!
  grid: [[Color]!]
  args(int: Int! = 1, color: Color = GREEN, list: [Int!], filter: Filter, any: Any, id: ID): String
  self: A
  must: A!
  b: B!
  maybeB: B
  items: [B!]
  itemsMust: [A!]!
  loose: [C]
  deep: [[B!]!]
  node: Node
  nodeMust: Node!
  nodes: [Node!]!
  union: Either
  unionMust: Either!
  unions: [Either]
  plain: Int
  method(x: Int = 2): String
`

const source = `
  scalar Any
  scalar Odd
  enum Color { RED GREEN BLUE }
  input Filter { first: Int = 3, color: Color! = RED, tags: [String!], nested: Filter, any: Any }
  interface Node { id: ID!, name: String!, self: A, nodes: [Node!]!, args(int: Int! = 3): String }
  interface Coloured { color: Color }
  union Either = A | B | C
  type A implements Node & Coloured { ${fields} }
  type B implements Node & Coloured { ${fields.replace('int: Int! = 1', 'int: Int! = 2')} }
  type C implements Coloured { id: ID!, flag: Boolean!, color: Color, a: A!, either: Either, cs: [C!] }
  type Query { ${fields} }
  type Mutation { ${fields} }
  type Subscription { a: A, b: B!, count: Int, list: [Int!] }
`

/** What the resolvers of the schema read and write. */
export interface Script {
  /** Decides what each position of the result does. */
  readonly seed: number
  /** Shares of positions that misbehave, that are null, and that are asynchronous, from 0 to 1. */
  readonly faults: number
  readonly nulls: number
  readonly waits: number
  /** Calls of resolvers, in order, with what they received. */
  readonly calls: string[]
}

/** A number from 0 to 1 that depends on its inputs only. */
function chance(seed: number, text: string): number {
  let hash = seed | 0
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x5bd1e995) ^ (hash >>> 13)
  hash = Math.imul(hash ^ (hash >>> 15), 0x27d4eb2f)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

const keysOf = (path: ResponsePath | undefined): string => (path ? `${keysOf(path.prev)}/${path.key}` : '')

const later = async (ticks: number): Promise<void> => {
  for (let i = 0; i < ticks; i += 1) await undefined
}

/** A schema with every kind of type, whose resolvers do what a script decides for their path. */
export function createExecutorSchema(): GraphQLSchema {
  const schema = buildSchema(source)
  const possible: Record<string, string[]> = {
    Node: ['A', 'B'],
    Coloured: ['A', 'B', 'C'],
    Either: ['A', 'B', 'C'],
  }

  /** A value of a type, good or bad. Throws for a failing position. */
  const makeValue = (script: Script, type: GraphQLOutputType, at: string): unknown => {
    const roll = (what: string) => chance(script.seed, `${what}:${at}`)
    const inner = isNonNullType(type) ? type.ofType : type
    if (roll('wait') < script.waits) {
      const promise = later(Math.floor(roll('ticks') * 4)).then(() => settled())
      // A promise of another library.
      // biome-ignore lint/suspicious/noThenProperty: see above
      return roll('thenable') < 0.1 ? { then: promise.then.bind(promise) } : promise
    }
    return settled()

    function settled(): unknown {
      if (roll('fault') < script.faults) return fault(Math.floor(roll('kind') * 6))
      if (roll('null') < script.nulls) return roll('undefined') < 0.5 ? null : undefined
      return good()
    }
    function fault(kind: number): unknown {
      if (kind === 0) throw new Error(`thrown at ${at}`)
      if (kind === 1) return new Error(`returned at ${at}`)
      if (kind === 2) throw new GraphQLError(`coded at ${at}`, { extensions: { code: 'CODED' } })
      if (kind === 3) throw `text at ${at}`
      if (kind === 4) throw new GraphQLError('elsewhere', { path: ['else', 'where'] })
      return isLeafType(inner)
        ? Symbol.for('none')
        : isListType(inner)
          ? 'no list'
          : { __typename: at.length % 2 ? 'Nothing' : 'Color' }
    }
    function good(): unknown {
      if (isListType(inner)) {
        const length = Math.floor(roll('length') * 3)
        const items = Array.from({ length }, (_, i) => makeItem(script, inner.ofType, `${at}/${i}`))
        return roll('iterable') < 0.2 ? new Set(items) : items
      }
      if (isEnumType(inner)) return ['RED', 'GREEN', 'BLUE'][Math.floor(roll('enum') * 3)]
      if (isScalarType(inner)) return scalar(inner.name)
      const names = possible[inner.name]
      const name = names?.[Math.floor(roll('type') * names.length)] ?? inner.name
      const tagged = inner.name === 'Either' ? {} : { __typename: name }
      return {
        ...tagged,
        is: name,
        plain: Math.floor(roll('plain') * 10),
        method(args: object, _context: unknown, info: GraphQLResolveInfo) {
          return `${JSON.stringify(args)} ${keysOf(info.path)} ${String(info.parentType)}`
        },
      }
    }
    function scalar(name: string): unknown {
      const number = Math.floor(roll('number') * 100)
      if (name === 'Boolean') return number % 2 === 0
      if (name === 'Int') return number
      if (name === 'Float') return number / 4
      if (name === 'Odd') return number % 10
      if (name === 'Any') return { number, list: [at] }
      return number % 5 === 0 ? number : `text ${number}`
    }
  }

  /** Items throw in a promise only: a list is made at once. */
  const makeItem = (script: Script, type: GraphQLOutputType, at: string): unknown => {
    try {
      return makeValue(script, type, at)
    } catch (error) {
      return error instanceof Error ? error : Promise.reject(error)
    }
  }

  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue
    if (isScalarType(type) && type.name === 'Odd') {
      type.serialize = (value) => {
        if (Number(value) === 7) return null
        if (Number(value) % 2 === 0) throw new Error(`${value} is even`)
        return Number(value)
      }
    }
    if (isInterfaceType(type) && type.name === 'Coloured') type.resolveType = ({ is }) => is
    if (!isObjectType(type)) continue
    if (type.name === 'A') type.isTypeOf = ({ is }) => is === 'A'
    if (type.name === 'B') type.isTypeOf = async ({ is }) => is === 'B'
    if (type.name === 'C') type.isTypeOf = ({ is, plain }) => is === 'C' && plain !== 3
    for (const field of Object.values(type.getFields())) {
      if (field.name === 'method' || field.name === 'plain') continue
      field.resolve = (parent, args, context: Script, info) => {
        const at = keysOf(info.path)
        context.calls.push(
          [
            at,
            JSON.stringify(args),
            parent?.is ?? 'root',
            `${info.parentType}.${info.fieldName}: ${info.returnType}`,
            info.fieldNodes.map(({ loc }) => loc?.start).join(' & '),
            JSON.stringify(info.variableValues),
            info.operation.name?.value,
            Object.keys(info.fragments).join(),
            String(info.rootValue),
          ].join(' | '),
        )
        return makeValue(context, info.returnType, at)
      }
    }
  }
  return schema
}
