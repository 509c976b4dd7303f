import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  buildSchema,
  type GraphQLFieldMap,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  parse,
  validate,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { publicSdl } from '../../src/engine/graphql/publicSdl.ts'
import { schema } from '../../src/schema/schema.ts'

// GraphQL refuses two fields of one name in one selection if one is null where the other cannot be, or if their lists
// or scalars differ, whatever their parents are (5.3.2, "Field Selection Merging").

const current = buildSchema(publicSdl(schema))
const RELEASED = join(import.meta.dirname, 'released')
const [releasedFile = ''] = readdirSync(RELEASED)
const released = buildSchema(readFileSync(join(RELEASED, releasedFile), 'utf8'))

type Fields = GraphQLFieldMap<unknown, unknown>
const fieldsOf = (type: GraphQLNamedType): Fields =>
  isObjectType(type) || isInterfaceType(type) ? type.getFields() : {}

/** What two fields must have in common: nulls, lists and the scalar. */
const shapeOf = (type: GraphQLOutputType): string => {
  const named = getNamedType(type)
  return isCompositeType(named) ? String(type).replace(named.name, '{}') : String(type)
}

/** The types whose fields can be selected where one is expected. */
const within = (of: GraphQLSchema, type: GraphQLNamedType): readonly GraphQLNamedType[] =>
  isAbstractType(type) ? [type, ...of.getPossibleTypes(type)] : [type]

/** Each pair of fields of one name that can stand in one selection, and whether it may. */
function pairsOf(of: GraphQLSchema): Map<string, boolean> {
  const found = new Map<string, boolean>()
  const visited = new Set<string>()
  const pending: (readonly [GraphQLNamedType, GraphQLNamedType])[] = []
  const meet = (a: GraphQLNamedType, b: GraphQLNamedType) => {
    for (const one of within(of, a)) {
      for (const other of within(of, b)) {
        const key = [one.name, other.name].sort().join()
        if (one === other || visited.has(key)) continue
        visited.add(key)
        pending.push(one.name < other.name ? [one, other] : [other, one])
      }
    }
  }
  for (const type of Object.values(of.getTypeMap())) if (isAbstractType(type)) meet(type, type)
  for (let pair = pending.pop(); pair; pair = pending.pop()) {
    const [a, b] = pair
    const others = fieldsOf(b)
    for (const { name, type } of Object.values(fieldsOf(a))) {
      const other = others[name]
      if (!other) continue
      const isAllowed = shapeOf(type) === shapeOf(other.type)
      found.set(`${a.name} ${b.name} ${name}`, isAllowed)
      if (isAllowed) meet(getNamedType(type), getNamedType(other.type))
    }
  }
  return found
}

const refusedIn = (pairs: Map<string, boolean>) => [...pairs].flatMap(([pair, isAllowed]) => (isAllowed ? [] : [pair]))

test('a field has the same type in an interface and all implementations', () => {
  const others = Object.values(current.getTypeMap()).flatMap((type) => {
    if (!isInterfaceType(type)) return []
    const { objects, interfaces } = current.getImplementations(type)
    return Object.values(type.getFields()).flatMap((field) =>
      [...objects, ...interfaces].flatMap((of) => {
        const own = of.getFields()[field.name]
        return String(own?.type) === String(field.type)
          ? []
          : [`${type.name}.${field.name}: ${field.type}, ${of.name}.${field.name}: ${own?.type}`]
      }),
    )
  })
  expect(others).toEqual([])
})

test('fields that could be merged in the last release still can', () => {
  const now = pairsOf(current)
  const before = pairsOf(released)
  expect(before.size).toBeGreaterThan(100)
  const lost = [...before].flatMap(([pair, wasAllowed]) => (wasAllowed && now.get(pair) === false ? [pair] : []))
  expect(lost).toEqual([])
})

/**
 * Fields of one name that need an alias, by their types: they are different things, or only one of them can be
 * without a value. None has two members of `IndexedTransaction` but `fee`, which is a number of wei or an object.
 */
const needAlias: Readonly<Record<string, string>> = {
  account: 'BalanceChange BridgeTransferLeg TokenHolder',
  balances: 'Account ChainAccount',
  bridgeTransfers: 'Account EvmTransaction Transaction',
  chain: 'AssetRelease Balance BridgeTransferLeg RouteFee TransferAmount',
  contract: 'BalanceChange TokenTransfer',
  fee: 'EvmTransaction Transaction',
  hash: 'Block EvmTransaction FollowCandidate Transaction Transfer',
  hexAddress: 'Account ChainAccount',
  index: 'EvmInternalTransaction EvmTransaction',
  input: 'EvmInternalTransaction EvmTransaction',
  isHidden: 'Asset Chain',
  kind: 'BalanceChange Chain EvmInternalTransaction OperationFee RouteFee',
  name: 'Asset Chain NftCollection',
}

test('fields of one name that need an alias are in the table', () => {
  const found: Record<string, string> = {}
  for (const pair of refusedIn(pairsOf(current))) {
    const [a = '', b = '', field = ''] = pair.split(' ')
    const types = new Set([...(found[field]?.split(' ') ?? []), a, b])
    found[field] = [...types].sort().join(' ')
  }
  expect(found).toEqual(needAlias)
})

describe('one document can', () => {
  test.each([
    ['transaction(hash: "")', 'timestamp', 'Transaction EvmTransaction'],
    ['transaction(hash: "")', 'isSuccessful', 'Transaction EvmTransaction'],
    ['transaction(hash: "")', 'actions { title }', 'Transaction EvmTransaction'],
  ])('select on %s %s, also on %s', (root, field, types) => {
    const onTypes = types.split(' ').map((type) => `... on ${type} { ${field} }`)
    const text = `{ ${root} { ${field} ${onTypes.join(' ')} } }`
    expect(validate(current, parse(text))).toEqual([])
  })

  test('select amount and denom on a coin and on AssetAmount', () => {
    const text = `
      { transaction(hash: "") { ... on Transaction { fee { amount { denom amount ...Of } } } } }
      fragment Of on AssetAmount { denom amount }`
    expect(validate(current, parse(text))).toEqual([])
  })
})
