import {
  type FieldNode,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql'
import { expect, test } from 'vitest'
import { pageFiles, readPage } from '../support/docBlocks.ts'
import { schema } from '../support/graph.ts'

// The names of fields and arguments between backticks, in sentences and in tables. Blocks are run by blocks.test.ts.

const types = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) || isInterfaceType(type))

type Type = (typeof types)[number]

const fieldNames = new Set(types.flatMap((type) => Object.keys(type.getFields())))

const fieldsOf = (set: SelectionSetNode | undefined): FieldNode[] =>
  (set?.selections ?? []).filter((selection) => selection.kind === Kind.FIELD)

/** Whether a type has these fields, with their arguments and with the fields below them. */
const has = (type: unknown, set: SelectionSetNode | undefined): boolean =>
  fieldsOf(set).every((node) => {
    const field = types.find((one) => one === type)?.getFields()[node.name.value]
    if (!field) return false
    const names = (node.arguments ?? []).map(({ name }) => name.value)
    const isKnown = names.every((name) => field.args.some((argument) => argument.name === name))
    return isKnown && has(getNamedType(field.type), node.selectionSet)
  })

/** A selection of fields from a text such as `account(address) { activity }`, which leaves values out. */
const selectionOf = (text: string): SelectionSetNode | undefined => {
  const whole = text
    .replace(/\(([\w:, ]+)\)/g, (_, names) => `(${names.replace(/(\w+):?/g, '$1: null')})`)
    .replace(/(\w+:)(?= ?[,)}])/g, '$1 null')
    .replace(/ ?\{ … \}| …/g, '')
  const [definition] = parse(`{ ${whole} }`).definitions
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet : undefined
}

/** Whether the schema has what a text names. Undefined if the text names nothing of the schema. */
function isInSchema(text: string): boolean | undefined {
  const [, owner, member = ''] = /^(\w+)\.(\w+)/.exec(text) ?? []
  const type: Type | undefined = types.find(({ name }) => name === owner)
  if (type) return member in type.getFields()
  const [, name = '', next] = /^(\w+) ?([({])/.exec(text) ?? []
  // JSON is what a tool for agents takes.
  if (!next || !fieldNames.has(name) || text.includes('{"')) return undefined
  return types.some((type) => has(type, selectionOf(text)))
}

const named = pageFiles.flatMap((file) =>
  [
    ...readPage(file)
      .replaceAll(/```.*?```/gs, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, text = '']) => ({ file, text, isKnown: isInSchema(text) })),
)

test('fields and arguments named on the pages exist in the schema', () => {
  expect(named.filter(({ isKnown }) => isKnown === false)).toEqual([])
  expect(named.filter(({ isKnown }) => isKnown).length).toBeGreaterThan(80)
})

test('a name that is not in the schema is found', () => {
  expect(isInSchema('balances(chains)')).toBe(false)
  expect(isInSchema('balances(chainIds)')).toBe(true)
  expect(isInSchema('Nft.picture')).toBe(false)
  expect(isInSchema('account(address:) { activity { rows } }')).toBe(false)
  expect(isInSchema('int(amount)')).toBeUndefined()
})
