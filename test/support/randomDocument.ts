import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

/** A document with values for its variables. */
export interface RandomDocument {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Numbers from 0 up to, but not including, 1, which depend on the seed only. */
function randomNumbers(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const declarations: Record<string, { type: string; default?: string; values: unknown[] }> = {
  yes: { type: 'Boolean!', values: [true] },
  no: { type: 'Boolean! = true', values: [false, undefined] },
  maybe: { type: 'Boolean = true', values: [true, false, undefined, undefined, null] },
  int: { type: 'Int', values: [5, null, undefined] },
  intDefault: { type: 'Int = 7', values: [5, undefined, null] },
  list: { type: '[Int!]', values: [[1, 2], [], 3, null, undefined] },
  color: { type: 'Color', values: ['BLUE', null, undefined] },
  filter: {
    type: 'Filter',
    values: [{ color: 'BLUE' }, { first: null, nested: { tags: ['x'] } }, undefined, null],
  },
  any: { type: 'Any', values: [{ a: [1] }, 'text', 4, undefined] },
  id: { type: 'ID', values: ['x', 9, undefined] },
}

/**
 * A document that is nearly always valid, with fragments, aliases, repeated fields, `@skip`, `@include`,
 * and arguments of all kinds. The same name in the response is always the same field.
 */
export function randomDocument(schema: GraphQLSchema, seed: number): RandomDocument {
  const random = randomNumbers(seed)
  const pick = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)]
  const used = new Set<string>()
  const fragments: { name: string; on: string; text: string }[] = []
  const variable = (name: string) => {
    used.add(name)
    return `$${name}`
  }

  const directives = (): string => {
    if (random() < 0.75) return ''
    const value = pick(['true', 'false', '$yes', '$no', '$maybe', '$yes', '$no']) ?? 'true'
    if (value.startsWith('$')) used.add(value.slice(1))
    return ` @${random() < 0.5 ? 'skip' : 'include'}(if: ${value})`
  }

  const literal = (type: GraphQLInputType, depth = 0): string => {
    if (isNonNullType(type)) return literal(type.ofType, depth)
    if (isListType(type))
      return random() < 0.2 ? literal(type.ofType) : `[${[1, 2].map(() => literal(type.ofType)).join()}]`
    const name = getNamedType(type).name
    if (name === 'Filter') {
      if (depth > 1) return '{}'
      const tags = random() < 0.5 ? ', tags: ["a", "b"]' : ''
      const any = random() < 0.3 ? `, any: {deep: [${variable('any')}, 1]}` : ''
      const first = random() < 0.3 ? `, first: ${variable('int')}` : ''
      return `{color: ${pick(['RED', 'BLUE'])}${tags}${any}${first}, nested: ${literal(type, depth + 1)}}`
    }
    if (name === 'Any') return pick(['{a: 1}', '"text"', '[1, null]', '2.5', 'null']) ?? 'null'
    if (name === 'Color') return pick(['RED', 'GREEN', 'BLUE']) ?? 'RED'
    if (name === 'Int') return `${Math.floor(random() * 9)}`
    return '"an id"'
  }

  const argument = ({ name, type }: GraphQLArgument): string => {
    const roll = random()
    if (roll < 0.5) return ''
    if (roll < 0.75) return `${name}: ${literal(type)}`
    if (roll < 0.85 && name === 'list') return `list: [1, ${variable('must')}]`
    if (name === 'int' || name === 'x') return `${name}: ${variable('intDefault')}`
    return name in declarations ? `${name}: ${variable(name)}` : ''
  }

  const fieldText = (field: GraphQLField<unknown, unknown>, depth: number): string => {
    const args = field.args.map(argument).filter(Boolean).join(', ')
    // One alias for each combination of arguments, or the fields would conflict.
    const alias = args ? `${field.name}_${args.replace(/\W/g, '_')}: ` : random() < 0.2 ? `other_${field.name}: ` : ''
    const selection = isLeafType(getNamedType(field.type)) ? '' : ` ${selectionOf(getNamedType(field.type), depth - 1)}`
    return `${alias}${field.name}${args && `(${args})`}${directives()}${selection}`
  }

  const selectionOf = (type: GraphQLNamedType, depth: number): string => {
    const fields = isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []
    const leaves = fields.filter((field) => isLeafType(getNamedType(field.type)))
    const choices = depth > 0 ? fields : leaves
    const parts: string[] = []
    for (let i = 0, count = 1 + Math.floor(random() * 4); i < count; i += 1) {
      const field = pick(choices)
      const roll = random()
      if (roll < 0.1) parts.push(`${random() < 0.3 ? 'kind: ' : ''}__typename${directives()}`)
      else if (roll < 0.25 && depth > 0)
        parts.push(`...${conditionOf(type)}${directives()} ${selectionOf(type, depth - 1)}`)
      else if (roll < 0.4 && depth > 0) parts.push(spread(type, depth))
      else if (isAbstractType(type) && roll < 0.85) {
        const target = pick(schema.getPossibleTypes(type))
        if (target) parts.push(`... on ${target.name}${directives()} ${selectionOf(target, depth)}`)
      } else if (field) parts.push(fieldText(field, depth))
    }
    return `{ ${parts.length > 0 ? parts.join(' ') : '__typename'} }`
  }

  const conditionOf = (type: GraphQLNamedType) => (random() < 0.5 ? '' : ` on ${type.name}`)

  const spread = (type: GraphQLNamedType, depth: number): string => {
    const known = pick(fragments.filter(({ on }) => on === type.name))
    if (known && random() < 0.6) return `...${known.name}${directives()}`
    const text = selectionOf(type, depth - 1)
    const name = `F${fragments.length}`
    fragments.push({ name, on: type.name, text })
    return `...${name}${directives()}`
  }

  const root = pick([schema.getQueryType(), schema.getQueryType(), schema.getMutationType()])
  const depth = 1 + Math.floor(random() * 4)
  const selection = root ? selectionOf(root, depth) : ''
  const all: typeof declarations = { ...declarations, must: { type: 'Int!', values: [4] } }
  const header = [...used].map((name) => `$${name}: ${all[name]?.type}`).join(', ')
  const kind = root === schema.getMutationType() ? 'mutation' : 'query'
  const query = [
    `${kind} Random${header && `(${header})`} ${selection}`,
    ...fragments.map(({ name, on, text }) => `fragment ${name} on ${on} ${text}`),
  ].join('\n')
  const values = [...used].map((name) => [name, pick(all[name]?.values ?? [])] as const)
  return { query, variables: Object.fromEntries(values.filter(([, value]) => value !== undefined)) }
}
